/** The types behind `typeof server`: which tools and prompts there are, and what they take and give. */
import type { ServerTypes } from "../../transports/transport.ts";
import type { ServerPrompt } from "./prompt.ts";
import type { ServerResource } from "./resource.ts";
import type { ServerTool } from "./tool_types.ts";

/** Any tool. */
// deno-lint-ignore no-explicit-any
export type AnyTool = ServerTool<string, any, any>;
/** Any prompt. */
// deno-lint-ignore no-explicit-any
export type AnyPrompt = ServerPrompt<string, any>;

/** The components of a server. */
export interface Components<T, R, P> {
  /** What `tool()` returns. */
  readonly tools?: T | undefined;
  /** What `resource()` returns. */
  readonly resources?: R | undefined;
  /** What `prompt()` returns. */
  readonly prompts?: P | undefined;
}

/** What a server offers now. */
export interface Catalogue {
  /** Its tools, those of mounted servers included. */
  readonly tools: readonly AnyTool[];
  /** Its resources and templates. */
  readonly resources: readonly ServerResource[];
  /** Its prompts. */
  readonly prompts: readonly AnyPrompt[];
}

/** New lists; what is left out stays as it is. */
export type ComponentChange = {
  /** What `tool()` returns, and tools of the catalogue. */
  readonly tools?: Catalogue["tools"] | undefined;
  /** What `resource()` returns, and resources of the catalogue. */
  readonly resources?: Catalogue["resources"] | undefined;
  /** What `prompt()` returns, and prompts of the catalogue. */
  readonly prompts?: Catalogue["prompts"] | undefined;
};

/** The types of a server with the names of its tools and prompts behind a prefix. */
export type Prefixed<T extends ServerTypes, X extends string> = {
  readonly tools: { readonly [K in keyof T["tools"] & string as `${X}${K}`]: T["tools"][K] };
  readonly prompts: { readonly [K in keyof T["prompts"] & string as `${X}${K}`]: T["prompts"][K] };
};

/** The types of two servers together. */
export type Merged<A extends ServerTypes, B extends ServerTypes> = {
  readonly tools: A["tools"] & B["tools"];
  readonly prompts: A["prompts"] & B["prompts"];
};

/** The types of a list of tools, by name. */
export type ToolMap<T> = T extends readonly AnyTool[] ? { readonly [K in T[number] as K["name"]]: NonNullable<K["~types"]> }
  : Record<never, never>;
/** The types of a list of prompts, by name. */
export type PromptMap<P> = P extends readonly AnyPrompt[] ? { readonly [K in P[number] as K["name"]]: NonNullable<K["~types"]> }
  : Record<never, never>;
