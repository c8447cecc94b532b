/** JSON Schema: the contract of a validator, what an issue is, and the bounds that every schema keeps. */
import type { JsonObject } from "./json.ts";
import { readSchemaDocument } from "./schema_document.ts";

export { hasNestedQuantifiers } from "./nested_quantifiers.ts";

/** Why a value does not satisfy a schema. */
export interface SchemaIssue {
  /** Where, as a JSON Pointer (RFC 6901); "" is the root. A missing or a forbidden member is named by its own path. */
  readonly path: string;
  /** The rule that is broken; never the value. */
  readonly message: string;
}

/** Checks a value; an empty list means that it is valid. */
export type CheckValue = (value: unknown) => readonly SchemaIssue[];

/** What turns schemas into checks. */
export interface Validator {
  /**
   * Compiles a schema; the same object is compiled once.
   *
   * @throws {TypeError} When the schema breaks the bounds of {@linkcode checkSchemaBounds}, or can't be compiled.
   */
  compile(schema: JsonObject): CheckValue;
}

/**
 * Checks the structure of a schema, without compiling it: a supported dialect, a schema at every place of one, keywords of the
 * right type, patterns that are regular expressions, references that stay inside the document (MCP 2026-07-28, JSON Schema
 * Usage § $ref Resolution: nothing is fetched), and bounds on nesting, number and repeated evaluation of subschemas.
 *
 * @param schema The schema; it need not be JSON yet.
 * @param path Where it stands, as the sentence names it: `tools.order.input`.
 * @returns The first fault as a sentence that begins with its path, or undefined.
 */
export function checkSchemaBounds(schema: unknown, path: string): string | undefined {
  const read = readSchemaDocument(schema, path);
  return read.ok ? undefined : read.fault;
}
