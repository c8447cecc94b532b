/** Prompts: how they are declared. */
import type { Context, InputRequired } from "../../protocol/context.ts";
import { isJsonObject } from "../../protocol/json.ts";
import type { Simplify } from "../../protocol/schema.ts";
import type { Awaitable, GetPromptResult, JsonObject, Prompt, PromptMessage } from "../../protocol/types.ts";
import { checkFunction, checkOptionNames } from "../../protocol/unknown_option.ts";
import { checkComponent, checkNamed, commonMembers, COMPONENT_KEYS } from "./component.ts";
import type { ComponentOptions } from "./component.ts";
import type { Mounted } from "./mounted.ts";
import type { Complete } from "./resource.ts";

/** One argument of a prompt. Always a string. */
export interface PromptArgument {
  /** For people. */
  readonly title?: string | undefined;
  /** For the model. */
  readonly description?: string | undefined;
  /** Must it be given? */
  readonly required?: boolean | undefined;
}

/** The arguments of a prompt, typed: required ones are there, the others may be. */
export type PromptArgs<A> = Simplify<
  & { readonly [K in keyof A as A[K] extends { readonly required: true } ? K : never]: string }
  & { readonly [K in keyof A as A[K] extends { readonly required: true } ? never : K]?: string }
>;

/** What `render` may return. */
export type RenderReturn =
  | string
  | PromptMessage
  | readonly (string | PromptMessage)[]
  | Omit<GetPromptResult, "resultType">
  | InputRequired;

/** What `prompt()` takes. */
export interface PromptOptions<N extends string, A extends { readonly [name: string]: PromptArgument }> extends ComponentOptions {
  /** The prompt's name. */
  readonly name: N;
  /** By name, which is the key alone: not the list of a listed prompt. */
  readonly arguments?: A | undefined;
  /** Completion per argument. */
  readonly complete?: { readonly [K in keyof A & string]?: Complete<keyof A & string> } | undefined;
  /** Renders it: a string is one user message. */
  readonly render: (args: PromptArgs<A>, ctx: Context) => Awaitable<RenderReturn>;
}

/** A defined prompt. */
export interface ServerPrompt<
  N extends string = string,
  Args extends { readonly [name: string]: string | undefined } = { readonly [name: string]: string },
> {
  /** Tells prompts from other components. */
  readonly kind: "prompt";
  /** The prompt's name. */
  readonly name: N;
  /** The definition as the newest revision lists it. */
  readonly definition: Prompt;
  /** Types only; never there at run time. */
  readonly "~types"?: Args;
}

/** What a server needs of a prompt to render it. */
export interface PromptParts {
  /** The options as they were given. */
  readonly options: PromptOptions<string, { readonly [name: string]: PromptArgument }>;
  /** The arguments by name. */
  readonly arguments: ReadonlyMap<string, PromptArgument>;
  /** The mounted server that it belongs to. */
  readonly within?: Mounted | undefined;
}

const PARTS: unique symbol = Symbol("parts of a prompt");

/** The parts of a defined prompt; undefined when the value was not made by {@linkcode prompt}. */
export function promptParts(value: unknown): PromptParts | undefined {
  return (value as { readonly [PARTS]?: PromptParts } | null | undefined)?.[PARTS];
}

/**
 * Defines a prompt.
 *
 * @example A prompt that renders one user message
 * ```ts
 * import { prompt } from "@causeway/mcp/server";
 *
 * const review = prompt({
 *   name: "review",
 *   arguments: { name: { required: true }, focus: {} },
 *   render: ({ name, focus = "quality" }) => `Review ${name}, focusing on ${focus}.`,
 * });
 * ```
 *
 * @param options Name, arguments and `render`.
 * @returns The prompt, for `defineServer({ prompts: [...] })`.
 * @throws {TypeError} When the name, an argument or an option is wrong; the message begins with the path.
 */
// deno-lint-ignore ban-types
export function prompt<const N extends string, const A extends { readonly [name: string]: PromptArgument } = {}>(
  options: PromptOptions<N, A>,
): ServerPrompt<N, PromptArgs<A>> {
  checkNamed(options, "prompt");
  const path = `prompts.${options.name}`;
  checkComponent(options, KNOWN, path);
  if ((options.name as string) === "") {
    throw new TypeError(`${path}.name: Expected a non-empty string`);
  }
  checkFunction(options.render, `${path}.render`);
  if (options.arguments !== undefined && !isJsonObject(options.arguments)) {
    throw new TypeError(`${path}.arguments: Expected an object by name`);
  }
  const args = new Map<string, PromptArgument>(Object.entries(options.arguments ?? {}));
  for (const [name, argument] of args) {
    checkOptionNames(argument, ARGUMENT_KEYS, `${path}.arguments.${name}.`);
  }
  for (const [name, complete] of Object.entries(options.complete ?? {})) {
    if (!args.has(name)) throw new TypeError(`${path}.complete.${name}: Expected an argument of the prompt`);
    checkFunction(complete, `${path}.complete.${name}`);
  }
  const listed = [...args].map(([name, argument]) => ({ name, ...argument }) as JsonObject);
  const definition: JsonObject = {
    name: options.name,
    ...commonMembers(options),
    ...(listed.length === 0 ? {} : { arguments: listed }),
    ...(options.meta === undefined ? {} : { _meta: options.meta }),
  };
  const parts: PromptParts = { options: options as unknown as PromptParts["options"], arguments: args };
  return seal(
    { kind: "prompt", name: options.name, definition: definition as unknown as Prompt },
    parts,
  ) as unknown as ServerPrompt<N, PromptArgs<A>>;
}

const KNOWN: ReadonlySet<string> = new Set([...COMPONENT_KEYS, "name", "arguments", "complete", "render"]);

const ARGUMENT_KEYS: ReadonlySet<string> = new Set(["title", "description", "required"]);

/** The same prompt under another name, as part of a mounted server. */
export function movePrompt(
  prompt: ServerPrompt,
  name: string,
  move: (before: Mounted | undefined) => Mounted | undefined,
): ServerPrompt {
  const parts = promptParts(prompt) as PromptParts;
  return seal({ kind: "prompt", name, definition: { ...prompt.definition, name } }, { ...parts, within: move(parts.within) });
}

function seal(value: ServerPrompt, parts: PromptParts): ServerPrompt {
  return Object.freeze(Object.defineProperty(value, PARTS, { value: parts }));
}
