/** Definitions: tools, resources, resource templates and prompts as a server lists them. */
import type { JsonObject } from "../json.ts";
import type { Annotations, Icon } from "./common.ts";

/** Hints about what a tool does (MCP 2026-07-28, Tools § Tool). Untrusted when they come from a server. */
export interface ToolAnnotations {
  /** The name for people; the tool's own `title` goes before it. */
  readonly title?: string | undefined;
  /** It changes nothing. False when absent. */
  readonly readOnlyHint?: boolean | undefined;
  /** It may destroy something, rather than only add; says nothing of a read-only tool. True when absent. */
  readonly destructiveHint?: boolean | undefined;
  /** The same call again has no further effect; says nothing of a read-only tool. False when absent. */
  readonly idempotentHint?: boolean | undefined;
  /** It deals with a world that nobody can list, such as the web. True when absent. */
  readonly openWorldHint?: boolean | undefined;
}

/** A tool as a server lists it (MCP 2026-07-28, Tools § Tool). */
export interface Tool {
  /** The name by which it is called, unique on its server. */
  readonly name: string;
  /** The name for people. */
  readonly title?: string | undefined;
  /** What it does, for the model. */
  readonly description?: string | undefined;
  /** Icons that stand for it, any of which may be drawn. */
  readonly icons?: readonly Icon[] | undefined;
  /** The JSON Schema of its arguments, with `type: "object"` at the root; 2020-12 without a `$schema`. */
  readonly inputSchema: JsonObject;
  /** The JSON Schema of its structured content, of any type; 2020-12 without a `$schema`. */
  readonly outputSchema?: JsonObject | undefined;
  /** Hints about what it does. */
  readonly annotations?: ToolAnnotations | undefined;
  /** Metadata, by keys that follow MCP 2026-07-28, Basic § `_meta`. */
  readonly _meta?: JsonObject | undefined;
}

/** A resource as a server lists it (MCP 2026-07-28, Resources § Resource). */
export interface Resource {
  /** The URI by which it is read, unique on its server. */
  readonly uri: string;
  /** The name for programs; shown when there is no `title`. */
  readonly name: string;
  /** The name for people. */
  readonly title?: string | undefined;
  /** What it is, for the model. */
  readonly description?: string | undefined;
  /** The media type, when known. */
  readonly mimeType?: string | undefined;
  /** Bytes of the raw content, before any encoding, when known. */
  readonly size?: number | undefined;
  /** Icons that stand for it, any of which may be drawn. */
  readonly icons?: readonly Icon[] | undefined;
  /** Who should see it. */
  readonly annotations?: Annotations | undefined;
  /** Metadata, by keys that follow MCP 2026-07-28, Basic § `_meta`. */
  readonly _meta?: JsonObject | undefined;
}

/** A resource template as a server lists it (MCP 2026-07-28, Resources § Resource Templates). */
export interface ResourceTemplate {
  /** The URI template, as RFC 6570 defines it. */
  readonly uriTemplate: string;
  /** The name for programs; shown when there is no `title`. */
  readonly name: string;
  /** The name for people. */
  readonly title?: string | undefined;
  /** What its resources are, for the model. */
  readonly description?: string | undefined;
  /** The media type that all its resources have. */
  readonly mimeType?: string | undefined;
  /** Icons that stand for it, any of which may be drawn. */
  readonly icons?: readonly Icon[] | undefined;
  /** Who should see its resources. */
  readonly annotations?: Annotations | undefined;
  /** Metadata, by keys that follow MCP 2026-07-28, Basic § `_meta`. */
  readonly _meta?: JsonObject | undefined;
}

/** A prompt as a server lists it (MCP 2026-07-28, Prompts § Prompt). */
export interface Prompt {
  /** The name by which it is asked for, unique on its server. */
  readonly name: string;
  /** The name for people. */
  readonly title?: string | undefined;
  /** What it is for. */
  readonly description?: string | undefined;
  /** Icons that stand for it, any of which may be drawn. */
  readonly icons?: readonly Icon[] | undefined;
  /** Its arguments, whose values are text. */
  readonly arguments?:
    | readonly {
      /** The key of its value. */
      readonly name: string;
      /** The name for people. */
      readonly title?: string | undefined;
      /** What it is for. */
      readonly description?: string | undefined;
      /** Whether the prompt cannot be rendered without it. False when absent. */
      readonly required?: boolean | undefined;
    }[]
    | undefined;
  /** Metadata, by keys that follow MCP 2026-07-28, Basic § `_meta`. */
  readonly _meta?: JsonObject | undefined;
}
