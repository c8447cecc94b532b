/** The shapes of the official server classes: an object with one Standard Schema for each member. */
import { isJsonObject, ownMember } from "../../protocol/json.ts";
import { withJsonSchema } from "../../protocol/schema.ts";
import type { JsonSchema, StandardSchema } from "../../protocol/schema.ts";
import { issuesOf } from "../../protocol/standard_issues.ts";
import { readSchema } from "../../protocol/standard_schema.ts";
import type { Awaitable, JsonObject } from "../../protocol/types.ts";

interface Member {
  readonly name: string;
  readonly validate: (value: unknown) => Awaitable<unknown>;
}

/**
 * One schema of a shape. What is a schema already is given back.
 *
 * @param direction Which JSON Schema of the members is listed.
 * @throws {TypeError} When a member is not a Standard Schema that prints JSON Schema; the message begins with `path`.
 */
export function shapeSchema(shape: unknown, direction: "input" | "output", path: string): JsonSchema | StandardSchema {
  if (!isShape(shape)) return shape as JsonSchema | StandardSchema;
  const members: Member[] = [];
  const properties: [string, JsonObject][] = [];
  const required: string[] = [];
  const vendors = new Set<string | undefined>();
  for (const [name, schema] of Object.entries(shape)) {
    const { json, validate, vendor } = readSchema(turned(schema, direction), "output", `${path}.${name}`);
    if (validate === undefined) throw new TypeError(`${path}.${name}: Expected a Standard Schema`);
    members.push({ name, validate });
    properties.push([name, json]);
    vendors.add(vendor);
    if (!takesNothing(validate)) required.push(name);
  }
  // Which messages may be shown depends on the library.
  const vendor = (vendors.size === 1 ? [...vendors][0] : undefined) ?? "causeway";
  const standard = { version: 1 as const, vendor, validate: (value: unknown) => validateAll(members, value) };
  return withJsonSchema({ "~standard": standard }, { type: "object", properties: Object.fromEntries(properties), required });
}

function isShape(shape: unknown): shape is { readonly [name: string]: StandardSchema } {
  if (!isJsonObject(shape) || "~standard" in shape) return false;
  return Object.values(shape).every((member) => typeof member === "object" && member !== null && "~standard" in member);
}

/** The same schema, whose output is printed as what is asked for: the root of an input would have to be an object. */
function turned(schema: StandardSchema, direction: "input" | "output"): object {
  const standard = schema["~standard"];
  if (direction === "output" || typeof standard.jsonSchema?.input !== "function") return schema;
  const { version, vendor, jsonSchema } = standard;
  const validate = (value: unknown): unknown => (standard as unknown as Member).validate(value);
  const output = (options: { readonly target: "draft-2020-12" }): object => jsonSchema.input(options);
  return { "~standard": { version, vendor, validate, jsonSchema: { output } } };
}

/** A member may be absent when its schema takes `undefined`, as optional ones and those with a default do. */
function takesNothing(validate: Member["validate"]): boolean {
  const result = validate(undefined);
  if (!(result instanceof Promise)) return issuesOf(result, undefined) === undefined;
  result.catch(() => undefined);
  return false;
}

interface Validated {
  readonly value?: unknown;
  readonly issues?: readonly { readonly path?: readonly unknown[] }[];
}

async function validateAll(members: readonly Member[], value: unknown): Promise<unknown> {
  if (!isJsonObject(value)) return { issues: [{ message: "Expected an object" }] };
  const read: [string, unknown][] = [];
  const issues: unknown[] = [];
  for (const { name, validate } of members) {
    const result = await validate(ownMember(value, name)) as Validated;
    if (result.issues !== undefined) {
      issues.push(...result.issues.map((issue) => ({ ...issue, path: [name, ...(issue.path ?? [])] })));
    } else if (result.value !== undefined) {
      read.push([name, result.value]);
    }
  }
  return issues.length > 0 ? { issues } : { value: Object.fromEntries(read) };
}
