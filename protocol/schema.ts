/** Schemas as programs write them: the accepted types, the shorthand, and JSON Schema for libraries that print none. */
import { fieldsToSchema } from "./fields_schema.ts";
import { checkObject, checkOptions } from "./unknown_option.ts";
import type { BareStandardSchema, Fields, FieldsSchema, JsonSchema, StandardSchema } from "./schema_types.ts";

export type {
  BareStandardSchema,
  Field,
  Fields,
  FieldsSchema,
  FromFields,
  FromItems,
  FromJsonSchema,
  FromProperties,
  FromType,
  JsonSchema,
  JsonTypeName,
  Mutable,
  Schema,
  SchemaInput,
  SchemaOutput,
  Simplify,
  StandardSchema,
} from "./schema_types.ts";

/** What an object of {@linkcode fields} has beside its properties. */
export interface FieldsOptions {
  /** Whether members that are not named are allowed, or the schema they follow. Allowed when absent. */
  readonly additionalProperties?: boolean | JsonSchema | undefined;
  /** What the object is for. */
  readonly description?: string | undefined;
}

/**
 * Turns the shorthand into an object schema, for `output` or for parts of a larger schema.
 *
 * @param properties One definition per property; `required: true` inside a definition makes the property required.
 * @param options What the object has beside its properties.
 * @returns Plain JSON Schema.
 * @throws {TypeError} For an unknown keyword or option, and a definition that is not an object; the text begins with its path.
 */
export function fields<const F extends Fields>(properties: F, options: FieldsOptions = {}): FieldsSchema<F> {
  checkOptions(options, "fields", "additionalProperties description");
  const { additionalProperties, description } = options;
  const schema = fieldsToSchema(properties, "fields", additionalProperties === undefined ? {} : { additionalProperties });
  const described = description === undefined ? schema : { ...schema, description };
  return described as unknown as FieldsSchema<F>;
}

/**
 * Gives a schema of a library that prints no JSON Schema the one it stands for. With a `validate` that accepts every value, a JSON
 * Schema is listed that somebody else checks by, such as the server behind a proxy; it is not compiled here.
 *
 * @param schema The library's schema; it goes on deciding which values are valid.
 * @param jsonSchema The JSON Schema that is listed for it, for both directions.
 * @returns A Standard Schema with `~standard.jsonSchema`.
 * @throws {TypeError} When the first argument is not a Standard Schema, or the second no object.
 */
export function withJsonSchema<I, O>(schema: BareStandardSchema<I, O>, jsonSchema: object): StandardSchema<I, O> {
  const standard = (schema as BareStandardSchema<I, O> | undefined)?.["~standard"];
  if (typeof standard !== "object" || standard === null || typeof standard.validate !== "function") {
    throw new TypeError("withJsonSchema: Expected a Standard Schema with ~standard.validate as the first argument");
  }
  checkObject(jsonSchema, "withJsonSchema.jsonSchema");
  const print = (): object => jsonSchema;
  const combined = {
    version: 1 as const,
    vendor: standard.vendor,
    ...(standard.types === undefined ? {} : { types: standard.types }),
    validate: (value: unknown): unknown => standard.validate(value),
    jsonSchema: { input: print, output: print },
  };
  return { "~standard": combined };
}
