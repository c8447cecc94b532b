/** The types behind `typeof server`: which tools and prompts there are, and what they take and give. */
import type { ServerPrompt } from "./prompt.ts";
import type { ServerTool } from "./tool.ts";

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

/** The types of a list of tools, by name. */
export type ToolMap<T> = T extends readonly AnyTool[] ? { readonly [K in T[number] as K["name"]]: NonNullable<K["~types"]> }
  : Record<never, never>;
/** The types of a list of prompts, by name. */
export type PromptMap<P> = P extends readonly AnyPrompt[] ? { readonly [K in P[number] as K["name"]]: NonNullable<K["~types"]> }
  : Record<never, never>;
