/** JSON Schema by `ajv`, which compiles schemas to code: for schemas that the program itself wrote. */
import type { ErrorObject, ValidateFunction } from "ajv";
import type { JsonObject, JsonValue } from "../json.ts";
import type { CheckValue, SchemaIssue, Validator } from "../json_schema.ts";
import { SCHEMA_LIMITS } from "../limits.ts";
import { isMultipleOf } from "../is_multiple_of.ts";
import { pointerSegment } from "../pointer_segment.ts";
import { isSameJson } from "../same_json.ts";
import { hasDuplicates } from "../unique_items.ts";
import { FORBIDDEN, reportedIssues, REQUIRED, ruleSentence, UNCHECKED } from "./issues.ts";
import { normalSchema } from "./normal_schema.ts";

/**
 * Loads `ajv`. JSON Schema 2020-12 and, by `$schema`, draft-07 are supported; `format` is an annotation. Schemas are turned
 * into code, so that only trusted ones belong here, and the place must allow code generation.
 *
 * @returns A validator; each schema object, and each schema of equal text, is compiled once.
 */
export async function loadAjv(): Promise<Validator> {
  const ajv2020 = await import("ajv/dist/2020.js");
  // Bundlers that split a program give what CommonJS exports as the default alone.
  const Ajv2020 = ajv2020.Ajv2020 ?? ajv2020.default;
  const create = (): InstanceType<typeof Ajv2020> => {
    const ajv = new Ajv2020({
      addUsedSchema: false,
      allErrors: true,
      logger: false,
      messages: false,
      meta: false,
      ownProperties: true,
      strict: false,
      validateFormats: false,
      validateSchema: false,
      verbose: true,
    });
    for (const definition of OWN_KEYWORDS) {
      ajv.removeKeyword(definition.keyword);
      ajv.addKeyword(definition);
    }
    return ajv;
  };
  let ajv = create();
  const byObject = new WeakMap<JsonObject, CheckValue>();
  const byText = new Map<string, CheckValue>();
  const compileText = (schema: JsonObject): CheckValue => {
    const text = JSON.stringify(schema);
    const known = byText.get(text);
    if (known !== undefined) return known;
    // The library forgets no schema, so that it is set up anew.
    if (byText.size >= SCHEMA_LIMITS.compiled) {
      byText.clear();
      ajv = create();
    }
    const normal = normalSchema(schema);
    // What the library notes for these keywords costs time, and fails for patterns of names within `if`.
    ajv.opts.unevaluated = NOTES_MEMBERS.test(JSON.stringify(normal));
    let validate: ValidateFunction;
    try {
      validate = ajv.compile(normal);
    } catch (cause) {
      throw new TypeError("Compiling a JSON Schema: The schema cannot be compiled", { cause });
    } finally {
      ajv.removeSchema(normal);
    }
    const check: CheckValue = (value) => run(validate, value);
    byText.set(text, check);
    return check;
  };
  return {
    compile(schema: JsonObject): CheckValue {
      const check = byObject.get(schema) ?? compileText(schema);
      byObject.set(schema, check);
      return check;
    },
  };
}

/** Do keywords of the schema depend on which members others have looked at? */
const NOTES_MEMBERS = /"unevaluated(?:Items|Properties)":/;

/** What the library takes quadratic time for, counts in binary fractions, or fails at for members such as `toString`. */
const OWN_KEYWORDS = [
  {
    keyword: "uniqueItems",
    type: "array",
    validate: (on: boolean, items: unknown[]): boolean => !on || !hasDuplicates(items),
  },
  {
    keyword: "multipleOf",
    type: "number",
    validate: (divisor: number, value: number): boolean => isMultipleOf(value, divisor),
  },
  {
    keyword: "const",
    validate: (constant: unknown, value: unknown): boolean => isSameJson(constant, value),
  },
  {
    keyword: "enum",
    compile(values: readonly unknown[]): (value: unknown) => boolean {
      const plain = new Set(values);
      const nested = values.filter((one) => typeof one === "object" && one !== null);
      return (value) => plain.has(value) || nested.some((one) => isSameJson(one, value));
    },
  },
] as const;

function run(validate: ValidateFunction, value: unknown): readonly SchemaIssue[] {
  try {
    if (validate(value)) return [];
    const issues = reportedIssues(issuesIn(validate.errors ?? []));
    return issues.length > 0 ? issues : UNCHECKED;
  } catch {
    return UNCHECKED;
  } finally {
    // The library keeps the last errors, and with them the value, on the function.
    validate.errors = null;
  }
}

function* issuesIn(errors: readonly ErrorObject[]): Generator<SchemaIssue> {
  for (const error of errors) {
    const issue = issueOf(error);
    if (issue !== undefined) yield issue;
  }
}

function issueOf(error: ErrorObject): SchemaIssue | undefined {
  const { instancePath: path, keyword } = error;
  const params: { readonly [name: string]: unknown } = error.params;
  const member = (name: string): string => path + pointerSegment(String(params[name]));
  switch (keyword) {
    case "required":
    case "dependentRequired":
      return { path: member("missingProperty"), message: REQUIRED };
    case "additionalProperties":
      return { path: member("additionalProperty"), message: FORBIDDEN };
    case "unevaluatedProperties":
      return { path: member("unevaluatedProperty"), message: FORBIDDEN };
    case "unevaluatedItems":
      return { path: member("limit"), message: FORBIDDEN };
    case "false schema":
      return error.propertyName === undefined ? { path, message: FORBIDDEN } : undefined;
    case "propertyNames":
      return { path: member("propertyName"), message: ruleSentence(keyword, undefined) as string };
  }
  // Issues of a name are summed up by the one of "propertyNames".
  if (error.propertyName !== undefined) return undefined;
  const message = ruleSentence(keyword, error.schema as JsonValue);
  return message === undefined ? undefined : { path, message };
}
