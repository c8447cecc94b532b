/** The types of tools: what they are defined by, what handlers get and return, and what callers see. */
import type { Context, InputRequired } from "../../protocol/context.ts";
import type { Fields, FromFields, FromJsonSchema, Schema, SchemaInput, SchemaOutput, Simplify } from "../../protocol/schema.ts";
import type { ContentBlock, JsonObject, Tool, ToolAnnotations } from "../../protocol/types.ts";
import type { ComponentOptions } from "./component.ts";
import type { PlainObject } from "./plain_object.ts";

/** Structured content with something beside it. */
export interface Structured<T> {
  /** Becomes `structuredContent`. */
  readonly structured: T;
  /** Blocks in place of the JSON text that is otherwise added. */
  readonly content?: string | ContentBlock | readonly (string | ContentBlock)[] | undefined;
  /** The tool ran and reports its own failure. */
  readonly isError?: boolean | undefined;
  /** Becomes `_meta` of the result. */
  readonly meta?: JsonObject | undefined;
}

/** A result as another client returned it, or written out by hand. */
export interface RawToolResult<T = unknown> {
  /** The blocks. */
  readonly content: readonly ContentBlock[];
  /** The structured content. */
  readonly structuredContent?: T | undefined;
  /** The tool ran and reports its own failure. */
  readonly isError?: boolean | undefined;
  /** Becomes `_meta` of the result. */
  readonly _meta?: JsonObject | undefined;
  /** Complete. */
  readonly resultType?: "complete" | undefined;
}

/** What a handler may return: with `output`, its value; without, text, blocks, any JSON value or nothing. */
export type ToolReturn<O> = O extends Schema
  ? SchemaInput<O> | Structured<SchemaInput<O>> | RawToolResult<SchemaInput<O>> | InputRequired
  : string | number | boolean | null | undefined | void | PlainObject;

/** What a handler beside `output` may return: its literals are known to the letter, so nothing in it has to be changeable. */
export type PromisedReturn<O> = O extends Schema ? PromisedResult<Frozen<SchemaInput<O>>> : never;

/** What a handler beside an `output` of the type `T` may return. */
export type PromisedResult<T> = T | Structured<T> | RawToolResult<T> | InputRequired;

/** A type whose members nobody has to be able to change, at any depth. */
export type Frozen<T> = T extends (...args: never) => unknown ? T
  : T extends object ? { readonly [K in keyof T]: Frozen<T[K]> }
  : T;

/** A value, or a promise of it. Naming `Promise` beside `PromiseLike` keeps the compiler's complaints short. */
export type Later<T> = T | Promise<T> | PromiseLike<T>;

/** The arguments as the handler gets them. In the shorthand, those with a `default` are always there. */
export type HandlerArgs<I, A> = A extends { readonly [name: string]: Undefaulted } ? FromFields<A>
  : A extends Fields ? FilledOf<A, Filled<A>>
  : I extends Schema ? SchemaOutput<I>
  : Record<never, never>;

/** Definitions without a `default` at any depth, which need no further look. */
export interface Undefaulted {
  /** None. */
  readonly default?: undefined;
  /** None in the members. */
  readonly properties?: { readonly [name: string]: Undefaulted | boolean } | undefined;
  /** None in the items. */
  readonly items?: Undefaulted | boolean | undefined;
  /** Beside those, anything. */
  readonly type?: unknown;
  /** Anything. */
  readonly enum?: unknown;
  /** Anything. */
  readonly const?: unknown;
  /** Anything. */
  readonly required?: unknown;
  /** Anything. */
  readonly description?: unknown;
}

/** The names of the properties that are required, or have a `default`. */
export type Filled<P> = {
  [K in keyof P]: P[K] extends { readonly required: true } | { readonly default: unknown } ? K : never;
}[keyof P];

/** The objects with the properties `P`, of which those named `R` are there. */
export type FilledOf<P, R extends keyof P> = Simplify<
  & { -readonly [K in keyof P as K extends R ? K : never]: FilledSchema<P[K]> }
  & { -readonly [K in keyof P as K extends R ? never : K]?: FilledSchema<P[K]> }
>;

/** As `FromJsonSchema`, where the properties with a `default` are there too. */
export type FilledSchema<S> = S extends { readonly properties: infer P }
  ? S extends { readonly const: unknown } | { readonly enum: unknown } ? FromJsonSchema<S>
  : FilledOf<P, Filled<P> | (S extends { readonly required: readonly (infer N)[] } ? N & keyof P : never)>
  : S extends { readonly type: "array"; readonly items: infer I }
    ? S extends { readonly const: unknown } | { readonly enum: unknown } | { readonly prefixItems: unknown } ? FromJsonSchema<S>
    : FilledSchema<I>[]
  : FromJsonSchema<S>;

/** The arguments as a caller gives them. */
export type CallerArgs<I, A> = A extends Fields ? FromFields<A>
  : I extends Schema ? SchemaInput<I> extends infer T extends object ? T : object
  : Record<never, never>;

/** The structured content a caller gets. */
export type StructuredOf<O, R> = O extends Schema ? SchemaOutput<O> : StructuredOfReturn<Awaited<R>>;

/** The structured content that follows from what a handler without `output` returns. */
export type StructuredOfReturn<R> = R extends readonly string[] ? R
  : R extends string | void | undefined | InputRequired | ContentBlock | readonly (string | ContentBlock)[] ? undefined
  : R extends Structured<infer T> ? T
  : R extends RawToolResult<infer T> ? unknown extends T ? undefined : T
  : R;

/** What `tool()` takes. */
export interface ToolOptions<N extends string, I, A, O, R> extends ComponentOptions {
  /** 1–128 of `A-Z a-z 0-9 _ - .` */
  readonly name: N;
  /**
   * The arguments: a Standard Schema, TypeBox, or a JSON Schema object, which counts as the program's own and may be compiled to
   * code; for a stranger's, see `withJsonSchema`. Not together with `args`.
   */
  readonly input?: I | undefined;
  /** The arguments in shorthand. The `default` of an argument that is not required is filled in when it is absent. */
  readonly args?: A | undefined;
  /** Beside `args`: may there be arguments that it does not name? True when absent. */
  readonly additionalProperties?: boolean | undefined;
  /** The structured result; what the handler returns is checked against it. */
  readonly output?: O | undefined;
  /** Hints: read-only, destructive, … */
  readonly annotations?: ToolAnnotations | undefined;
  /** The handler's deadline in milliseconds; the limit `handlerDeadline` (30,000) when absent. */
  readonly timeout?: number | undefined;
  /**
   * For the Tasks extension: a call becomes a task when the client declares the extension. Without that the call is answered as
   * any other ("optional"), or refused ("required"). A task runs for as long as it lives; `timeout` counts outside of tasks.
   */
  readonly task?: "optional" | "required" | undefined;
  /** Runs the call. It returns text, blocks, `{ structured }`, any JSON value or nothing, or a promise of one. */
  readonly handler: (args: HandlerArgs<I, A>, ctx: Context) => R;
}

/** A defined tool. */
export interface ServerTool<N extends string = string, Args extends object = object, Result = unknown> {
  /** Tells tools from other components. */
  readonly kind: "tool";
  /** The tool's name. */
  readonly name: N;
  /** The definition as the newest revision lists it. */
  readonly definition: Tool;
  /** Types only; never there at run time. */
  readonly "~types"?: { readonly args: Args; readonly result: Result };
}

/**
 * What the compiler reads of a call of `tool()` with `output`, where the first form of {@linkcode DefineTool} is tried: what the
 * handler returns is read to the letter. No options have this type.
 */
export interface Promising<I, A, P, R> {
  /** Beside it, options are for the second form. */
  readonly output: SchemaParts<P>;
  /** As in {@linkcode ToolOptions}. */
  readonly handler: (args: HandlerArgs<I, A>, ctx: Context) => R;
  /** Never given. */
  readonly name: never;
}

/** What each schema has some of. */
export interface SchemaParts<P> {
  /** Of a Standard Schema. */
  readonly "~standard"?: P;
  /** Of a JSON Schema, as are the others. */
  readonly type?: P;
  /** The members. */
  readonly properties?: P;
  /** The values. */
  readonly enum?: P;
  /** The only value. */
  readonly const?: P;
  /** One must match. */
  readonly anyOf?: P;
  /** Exactly one must match. */
  readonly oneOf?: P;
  /** All must match. */
  readonly allOf?: P;
  /** Another schema. */
  readonly $ref?: P;
}

/** The forms of `tool()`. `none` stands for no further argument: it tells the compiler which of the forms a call has. */
export interface DefineTool {
  /** Defines a tool whose result has the type that the handler returns. */
  <
    const N extends string,
    R extends Later<ToolReturn<undefined>>,
    const I extends Schema | undefined = undefined,
    const A extends Fields | undefined = undefined,
    P = never,
    const L extends Later<ToolReturn<undefined>> = undefined,
  >(
    options: ToolOptions<N, I, A, undefined, R> | Promising<I, A, P, L>,
    ...none: [P] extends [never] ? [] : [never]
  ): ServerTool<N, CallerArgs<I, A>, StructuredOf<undefined, R>>;
  /** Defines a tool whose handler returns what `output` says. */
  <
    const N extends string,
    const R extends Later<PromisedReturn<O>>,
    const I extends Schema | undefined = undefined,
    const A extends Fields | undefined = undefined,
    const O extends Schema | undefined = undefined,
  >(
    options: ToolOptions<N, I, A, O, R>,
    ...none: O extends Schema ? [] : [never]
  ): ServerTool<N, CallerArgs<I, A>, StructuredOf<O, never>>;
}
