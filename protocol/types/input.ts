/** Input: what a server asks the client's person, model and roots for, and the answers. */
import type { JsonObject } from "../json.ts";
import type { SamplingParams, SamplingResult } from "./sampling.ts";

/** A root that the client shows to the server (MCP 2026-07-28, Roots § Root; deprecated there). */
export interface Root {
  /** Where it is, as a `file:` URI. */
  readonly uri: string;
  /** The name for people. */
  readonly name?: string | undefined;
  /** Metadata, by keys that follow MCP 2026-07-28, Basic § `_meta`. */
  readonly _meta?: JsonObject | undefined;
}

/** The params of a form elicitation (MCP 2026-07-28, Elicitation § Form Mode Elicitation Requests). */
export interface ElicitFormParams {
  /** A form; also meant when absent. */
  readonly mode?: "form" | undefined;
  /** What is wanted, for people. */
  readonly message: string;
  /** The fields: a JSON Schema of a flat object with primitive properties. Never for secrets. */
  readonly requestedSchema: RequestedSchema;
}

/** The schema of a form (MCP 2026-07-28, Elicitation § Requested Schema). */
export type RequestedSchema = {
  /** The dialect of JSON Schema. */
  readonly $schema?: string | undefined;
  /** Forms are objects. */
  readonly type: "object";
  /** The fields, by name. */
  readonly properties: { readonly [name: string]: RequestedField };
  /** The names of those that have to be filled in. */
  readonly required?: readonly string[] | undefined;
};

/** One field of a form; its `type` says which (MCP 2026-07-28, Elicitation § Requested Schema). */
export type RequestedField = RequestedText | RequestedNumber | RequestedBoolean | RequestedChoices;

/** A text, or one of several values: those of `enum`, or the constants of `oneOf`. */
export type RequestedText = {
  /** Tells it from other fields. */
  readonly type: "string";
  /** The label. */
  readonly title?: string | undefined;
  /** What the field is for. */
  readonly description?: string | undefined;
  /** What stands there at first. */
  readonly default?: string | undefined;
  /** Characters at least. */
  readonly minLength?: number | undefined;
  /** Characters at most. */
  readonly maxLength?: number | undefined;
  /** What must be found in it. */
  readonly pattern?: string | undefined;
  /** "email", "uri", "date" or "date-time". */
  readonly format?: string | undefined;
  /** The values to choose from. */
  readonly enum?: readonly string[] | undefined;
  /** Labels of the values, in their order; revisions before 2025-11-25 have them. */
  readonly enumNames?: readonly string[] | undefined;
  /** The values to choose from, with labels. */
  readonly oneOf?: readonly RequestedChoice[] | undefined;
};

/** A number. */
export type RequestedNumber = {
  /** Tells it from other fields. */
  readonly type: "number" | "integer";
  /** The label. */
  readonly title?: string | undefined;
  /** What the field is for. */
  readonly description?: string | undefined;
  /** What stands there at first. */
  readonly default?: number | undefined;
  /** The least. */
  readonly minimum?: number | undefined;
  /** The greatest. */
  readonly maximum?: number | undefined;
};

/** Yes or no. */
export type RequestedBoolean = {
  /** Tells it from other fields. */
  readonly type: "boolean";
  /** The label. */
  readonly title?: string | undefined;
  /** What the field is for. */
  readonly description?: string | undefined;
  /** What stands there at first. */
  readonly default?: boolean | undefined;
};

/** Several of a list of values. */
export type RequestedChoices = {
  /** Tells it from other fields. */
  readonly type: "array";
  /** The label. */
  readonly title?: string | undefined;
  /** What the field is for. */
  readonly description?: string | undefined;
  /** What is chosen at first. */
  readonly default?: readonly string[] | undefined;
  /** Values at least. */
  readonly minItems?: number | undefined;
  /** Values at most. */
  readonly maxItems?: number | undefined;
  /** The values: those of `enum`, or the constants of `anyOf`. */
  readonly items: {
    /** Values are texts. */
    readonly type?: "string" | undefined;
    /** The values to choose from. */
    readonly enum?: readonly string[] | undefined;
    /** The values to choose from, with labels. */
    readonly anyOf?: readonly RequestedChoice[] | undefined;
  };
};

/** A value to choose, and its label. */
export type RequestedChoice = {
  /** The value. */
  readonly const: string;
  /** The label. */
  readonly title: string;
};

/** The params of a URL elicitation (MCP 2026-07-28, Elicitation § URL Mode Elicitation Requests). */
export interface ElicitUrlParams {
  /** An address to visit. */
  readonly mode: "url";
  /** Why to go there, for people. */
  readonly message: string;
  /** The address. It is shown to the person and opened only with consent. */
  readonly url: string;
}

/**
 * What a person answered (MCP 2026-07-28, Elicitation § Response Actions): "decline" is an explicit no, "cancel" no choice at
 * all. `content` is there only when a form was accepted, and has the form's type.
 */
export type ElicitResult<T = JsonObject> =
  | { readonly action: "accept"; readonly content: T }
  | { readonly action: "decline"; readonly content?: undefined }
  | { readonly action: "cancel"; readonly content?: undefined };

/** What a person answered to a URL (MCP 2026-07-28, Elicitation § Response Actions). */
export interface ElicitUrlResult {
  /** "accept": consent to go there, not that anything was done there. "decline": an explicit no. "cancel": no choice. */
  readonly action: "accept" | "decline" | "cancel";
}

/** One question of a server to the client (MCP 2026-07-28, Multi Round-Trip Requests § InputRequests). */
export type InputRequest =
  | { readonly method: "elicitation/create"; readonly params: ElicitFormParams | ElicitUrlParams }
  | { readonly method: "sampling/createMessage"; readonly params: SamplingParams }
  | { readonly method: "roots/list"; readonly params?: JsonObject };

/** Questions, by keys that the server chose (MCP 2026-07-28, Multi Round-Trip Requests § InputRequests). */
export type InputRequests = { readonly [key: string]: InputRequest };

/** Answers, by the keys of their questions (MCP 2026-07-28, Multi Round-Trip Requests § InputResponses). */
export type InputResponses = {
  readonly [key: string]: ElicitResult | ElicitUrlResult | SamplingResult | { readonly roots: readonly Root[] };
};
