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
  readonly requestedSchema: JsonObject;
}

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
