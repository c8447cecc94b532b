/** The types of schemas: what is accepted as one, and which TypeScript type follows. No schema library is imported. */

/** Any library that follows Standard Schema *and* Standard JSON Schema (`~standard.jsonSchema`). */
export interface StandardSchema<Input = unknown, Output = Input> {
  /** The contract of Standard Schema, version 1. */
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    readonly jsonSchema: {
      readonly input: (options: { readonly target: "draft-2020-12" }) => object;
      readonly output: (options: { readonly target: "draft-2020-12" }) => object;
    };
  };
}

/** A Standard Schema without a JSON Schema (zod < 4.2, zod/mini, plain valibot): give it one with {@linkcode withJsonSchema}. */
export interface BareStandardSchema<Input = unknown, Output = Input> {
  /** The contract of Standard Schema, version 1. */
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    // deno-lint-ignore no-explicit-any
    readonly validate: (value: unknown, ...rest: any[]) => unknown;
  };
}

/** The names of JSON's types. */
export type JsonTypeName = "string" | "number" | "integer" | "boolean" | "null" | "object" | "array";

/** A JSON Schema 2020-12 object. Literals are inferred; unknown keywords are kept. */
export interface JsonSchema {
  /** Turns the compiler's complaint about a schema without JSON Schema into a sentence. */
  readonly "~standard"?:
    "this schema can't print JSON Schema: use zod >= 4.2, arktype, toStandardJsonSchema() of @valibot/to-json-schema, or withJsonSchema()";
  /** The dialect; 2020-12 when absent. */
  readonly $schema?: string | undefined;
  /** The URI of this schema. */
  readonly $id?: string | undefined;
  /** A schema elsewhere in the document. */
  readonly $ref?: string | undefined;
  /** Schemas to point at. */
  readonly $defs?: { readonly [name: string]: JsonSchema | boolean } | undefined;
  /** A short name. */
  readonly title?: string | undefined;
  /** What the value is for. */
  readonly description?: string | undefined;
  /** The value that an absent one stands for. Filled in by the shorthand `args` of a tool alone. */
  readonly default?: unknown | undefined;
  /** Values that are valid. */
  readonly examples?: readonly unknown[] | undefined;
  /** The type, or several. */
  // deno-lint-ignore ban-types
  readonly type?: JsonTypeName | (string & {}) | readonly string[] | undefined;
  /** The only value. */
  readonly const?: unknown | undefined;
  /** The values. */
  readonly enum?: readonly unknown[] | undefined;
  /** The schemas of members. */
  readonly properties?: { readonly [name: string]: JsonSchema | boolean } | undefined;
  /** Names, as JSON Schema has it; inside a property also `true` (see {@linkcode Fields}). */
  readonly required?: readonly string[] | boolean | undefined;
  /** The schema of all other members. */
  readonly additionalProperties?: JsonSchema | boolean | undefined;
  /** The schemas of members whose names match. */
  readonly patternProperties?: { readonly [pattern: string]: JsonSchema | boolean } | undefined;
  /** The schema of items, after those of `prefixItems`. */
  readonly items?: JsonSchema | boolean | undefined;
  /** The schemas of the first items. */
  readonly prefixItems?: readonly (JsonSchema | boolean)[] | undefined;
  /** At least one must match. */
  readonly anyOf?: readonly (JsonSchema | boolean)[] | undefined;
  /** Exactly one must match. */
  readonly oneOf?: readonly (JsonSchema | boolean)[] | undefined;
  /** All must match. */
  readonly allOf?: readonly (JsonSchema | boolean)[] | undefined;
  /** Characters at least. */
  readonly minLength?: number | undefined;
  /** Characters at most. */
  readonly maxLength?: number | undefined;
  /**
   * A regular expression (ECMA-262, `u`) that must be found. Schemas of strangers run only patterns that take linear time; those of a
   * server's own are refused where they may take exponential time, and may take polynomial time, as `^(.*a){2,}` does: beside such
   * a pattern belongs a `maxLength`.
   */
  readonly pattern?: string | undefined;
  /** A note on the form; not checked. */
  readonly format?: string | undefined;
  /** The least number. */
  readonly minimum?: number | undefined;
  /** The greatest number. */
  readonly maximum?: number | undefined;
  /** What a number must be greater than. */
  readonly exclusiveMinimum?: number | undefined;
  /** What a number must be less than. */
  readonly exclusiveMaximum?: number | undefined;
  /** What a number must be a multiple of. */
  readonly multipleOf?: number | undefined;
  /** Items at least. */
  readonly minItems?: number | undefined;
  /** Items at most. */
  readonly maxItems?: number | undefined;
  /** Whether all items differ. */
  readonly uniqueItems?: boolean | undefined;
  /** The name of the HTTP header that repeats the argument (MCP 2026-07-28, Custom Headers from Tool Parameters). */
  readonly "x-mcp-header"?: string | undefined;
}

/** One definition of the shorthand: JSON Schema whose types are known, with `required: true` inside where the property must be there. */
export interface Field extends JsonSchema {
  /** The type, or several. */
  readonly type?: JsonTypeName | readonly JsonTypeName[] | undefined;
  /** The definitions of members. */
  readonly properties?: { readonly [name: string]: Field | boolean } | undefined;
  /** The definition of items. */
  readonly items?: Field | boolean | undefined;
  /** The keyword is `required`. */
  readonly require?: "the keyword is required";
  /** Properties are optional unless they say `required: true`. */
  readonly optional?:
    "a property is optional unless it says required: true; the schema of a library belongs in input or output, not in args or fields";
}

/** The shorthand: JSON Schema for each property, with `required: true` inside the property. */
export interface Fields {
  /** The definition of the property of that name. */
  readonly [name: string]: Field;
}

/** What `input` and `output` accept. */
export type Schema = StandardSchema | JsonSchema;

/** One object type instead of an intersection, so that editors show the members. */
export type Simplify<T> = { [K in keyof T]: T[K] } & unknown;

/** Removes `readonly` that `const` inference adds. */
export type Mutable<T> = T extends (...args: never) => unknown ? T
  : T extends readonly unknown[] | object ? { -readonly [K in keyof T]: Mutable<T[K]> }
  : T;

/** The type of the values that a JSON Schema literal (or a TypeBox schema) allows. `$ref` and what is not understood are `unknown`. */
export type FromJsonSchema<S> = S extends { readonly static: infer T; readonly params: unknown } ? T
  : S extends { readonly const: infer C } ? Mutable<C>
  : S extends { readonly enum: readonly (infer E)[] } ? E
  : S extends { readonly properties: infer P } ? FromProperties<P, S>
  : S extends { readonly anyOf: readonly (infer A)[] } ? FromJsonSchema<A>
  : S extends { readonly oneOf: readonly (infer A)[] } ? FromJsonSchema<A>
  : S extends { readonly type: infer T } ? FromType<T, S>
  : S extends false ? never
  : unknown;

/** The type that the keyword `type` of the schema `S` allows, where `T` is its value: one name, or several. */
export type FromType<T, S> = T extends "string" ? string
  : T extends "number" | "integer" ? number
  : T extends "boolean" ? boolean
  : T extends "null" ? null
  : T extends "array" ? FromItems<S>
  : T extends "object"
    ? S extends { readonly additionalProperties: infer A }
      ? A extends false ? Record<string, never> : Record<string, FromJsonSchema<A>>
    : Record<string, unknown>
  : T extends readonly (infer U)[] ? FromType<U, S>
  : unknown;

/** The type of the arrays that the schema `S` allows: a tuple with `prefixItems`, and the rest by `items`. */
export type FromItems<S> = S extends { readonly prefixItems: infer P extends readonly unknown[] }
  ? S extends { readonly items: false } ? { -readonly [K in keyof P]: FromJsonSchema<P[K]> }
  : S extends { readonly items: infer I } ? [...{ -readonly [K in keyof P]: FromJsonSchema<P[K]> }, ...FromJsonSchema<I>[]]
  : [...{ -readonly [K in keyof P]: FromJsonSchema<P[K]> }, ...unknown[]]
  : S extends { readonly items: infer I } ? FromJsonSchema<I>[]
  : unknown[];

/**
 * The type of the objects with the properties `P` of the schema `S`. Required are those in its list `required`, and those that
 * say `required: true` themselves; `R` names them.
 */
export type FromProperties<
  P,
  S,
  R extends keyof P =
    | (S extends { readonly required: readonly (infer N)[] } ? N & keyof P : never)
    | { [K in keyof P]: P[K] extends { readonly required: true } ? K : never }[keyof P],
> = Simplify<
  & { -readonly [K in keyof P as K extends R ? K : never]: FromJsonSchema<P[K]> }
  & { -readonly [K in keyof P as K extends R ? never : K]?: FromJsonSchema<P[K]> }
>;

/** The type of the values that {@linkcode Fields} describe. */
export type FromFields<F> = FromProperties<F, unknown>;

/** The type a caller gives: what Standard Schema says that the schema takes, or what JSON Schema allows. */
export type SchemaInput<S> = S extends
  { readonly "~standard": { readonly types?: { readonly input: unknown; readonly output: unknown } | undefined } }
  ? NonNullable<S["~standard"]["types"]>["input"]
  : FromJsonSchema<S>;

/** The type a handler gets, after defaults and transforms: what Standard Schema says that the schema gives. */
export type SchemaOutput<S> = S extends
  { readonly "~standard": { readonly types?: { readonly input: unknown; readonly output: unknown } | undefined } }
  ? NonNullable<S["~standard"]["types"]>["output"]
  : FromJsonSchema<S>;

/** An object schema made from the shorthand. */
export interface FieldsSchema<F extends Fields> extends JsonSchema {
  /** Always an object. */
  readonly type: "object";
  /** The definitions; their `required` stands in the list of the object. */
  readonly properties: F;
}
