/** Checks arguments and outputs by the schema that decides: the library's own, or our validator. */
import type { CheckValue, SchemaIssue, Validator } from "../protocol/json_schema.ts";
import { issuesOf } from "../protocol/standard_schema.ts";
import type { CompiledSchema } from "../protocol/standard_schema.ts";

/** The checked value, or a sentence that names locations and rules and never a value. */
export type Checked = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly sentence: string };

/** Checks values by one schema. */
export interface ArgumentChecker {
  /** Can `check` be called without `load`? */
  readonly ready: boolean;
  /** Loads the validator and compiles the schema, once. A fault of the schema stays with it. */
  load(): Promise<void>;
  /** Checks a value; a promise only when the schema's library checks asynchronously. */
  check(value: unknown): Checked | Promise<Checked>;
}

/** What is checked, as sentences name it. */
export type CheckedPart = "arguments" | "structured content" | "params" | "result";

/** Makes the checker of one schema; nothing is compiled before the first use. */
export function argumentChecker(
  schema: CompiledSchema,
  validator: () => Promise<Validator>,
  part: CheckedPart = "arguments",
): ArgumentChecker {
  return schema.validate === undefined
    ? new JsonSchemaChecker(schema, validator, part)
    : new StandardChecker(schema, validator, part);
}

class JsonSchemaChecker implements ArgumentChecker {
  readonly #schema: CompiledSchema;
  readonly #validator: () => Promise<Validator>;
  readonly #part: CheckedPart;
  #check: CheckValue | undefined;

  constructor(schema: CompiledSchema, validator: () => Promise<Validator>, part: CheckedPart) {
    this.#schema = schema;
    this.#validator = validator;
    this.#part = part;
  }

  get ready(): boolean {
    return this.#check !== undefined;
  }

  async load(): Promise<void> {
    this.#check ??= (await this.#validator()).compile(this.#schema.json);
  }

  check(value: unknown): Checked {
    const issues = (this.#check as CheckValue)(value);
    return issues.length === 0 ? { ok: true, value } : { ok: false, sentence: sentenceOf(issues, this.#part) };
  }
}

class StandardChecker implements ArgumentChecker {
  readonly ready = true;
  readonly #schema: CompiledSchema;
  readonly #rules: JsonSchemaChecker;
  readonly #part: CheckedPart;

  constructor(schema: CompiledSchema, validator: () => Promise<Validator>, part: CheckedPart) {
    this.#schema = schema;
    this.#rules = new JsonSchemaChecker(schema, validator, part);
    this.#part = part;
  }

  load(): Promise<void> {
    return Promise.resolve();
  }

  check(value: unknown): Checked | Promise<Checked> {
    const result = (this.#schema.validate as (value: unknown) => unknown)(value);
    return result instanceof Promise ? result.then((settled) => this.#read(settled, value)) : this.#read(result, value);
  }

  #read(result: unknown, value: unknown): Checked | Promise<Checked> {
    const issues = issuesOf(result, this.#schema.vendor);
    if (issues === undefined) return { ok: true, value: (result as { readonly value: unknown }).value };
    return this.#explain(issues, value);
  }

  /** The rules come from the listed JSON Schema, since a library's own words may hold the value. */
  async #explain(issues: readonly SchemaIssue[], value: unknown): Promise<Checked> {
    try {
      await this.#rules.load();
      const checked = this.#rules.check(value);
      if (!checked.ok) return checked;
    } catch {
      // The schema cannot be compiled: the paths alone have to do.
    }
    return { ok: false, sentence: sentenceOf(issues, this.#part) };
  }
}

function sentenceOf(issues: readonly SchemaIssue[], part: CheckedPart): string {
  return `Invalid ${part}: ${issues.map(({ path, message }) => `${path === "" ? `the ${part}` : path} ${message}`).join("; ")}`;
}
