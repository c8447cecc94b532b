/** One JSON Schema document: its subschemas, what its references point at, and whether it keeps the bounds. */
import type { JsonObject } from "./json.ts";
import { isJsonObject, ownMember } from "./json.ts";
import { REFERENCE_LENGTH, SCHEMA_LIMITS } from "./limits.ts";
import { dialectOf, keywordFault, type SchemaDialect, type SubschemaPlace, subschemasOf } from "./schema_keywords.ts";
import { createResources, type SchemaResources } from "./schema_resources.ts";

/** The references of one schema object. */
export interface SchemaTargets {
  /** What `$ref` points at. */
  readonly $ref?: JsonObject | boolean;
  /** What `$dynamicRef` points at when no outer scope redirects it. */
  readonly $dynamicRef?: JsonObject | boolean;
}

/** A schema that keeps the bounds, with its references resolved. */
export interface SchemaDocument {
  /** The dialect that it declares, or the default. */
  readonly dialect: SchemaDialect;
  /** The schema. */
  readonly root: JsonObject;
  /** The subschemas of each schema object. */
  readonly places: ReadonlyMap<JsonObject, readonly SubschemaPlace[]>;
  /** The references of each schema object that has any. */
  readonly targets: ReadonlyMap<JsonObject, SchemaTargets>;
}

/** A document, or the first fault as a sentence that begins with its path. */
export type SchemaReading = { readonly ok: true; readonly document: SchemaDocument } | {
  readonly ok: false;
  readonly fault: string;
};

interface Pending {
  readonly schema: unknown;
  readonly path: string;
  readonly base: string;
  readonly depth: number;
}

interface Reference {
  readonly from: JsonObject;
  readonly keyword: "$ref" | "$dynamicRef";
  readonly value: string;
  readonly path: string;
  readonly base: string;
  readonly depth: number;
}

interface Walk {
  readonly dialect: SchemaDialect;
  readonly places: Map<JsonObject, readonly SubschemaPlace[]>;
  readonly targets: Map<JsonObject, SchemaTargets>;
  readonly resources: SchemaResources;
  readonly references: Reference[];
}

/**
 * Reads a schema: checks its structure and its bounds, and resolves its references within it.
 *
 * @param schema The schema.
 * @param path Where it stands, as the sentence names it.
 * @returns The document, or the first fault.
 */
export function readSchemaDocument(schema: unknown, path: string): SchemaReading {
  if (!isJsonObject(schema)) return { ok: false, fault: `${path}: Expected a JSON Schema object` };
  const declared = ownMember(schema, "$schema");
  const dialect = dialectOf(declared);
  if (dialect === undefined) {
    const named = typeof declared === "string" ? `the dialect ${quote(declared)}` : "a dialect that is not a string";
    return { ok: false, fault: `${path}.$schema: Expected JSON Schema 2020-12 or draft-07, found ${named}` };
  }
  const walk: Walk = { dialect, places: new Map(), targets: new Map(), resources: createResources(schema), references: [] };
  const fault = visit(walk, { schema, path, base: walk.resources.base, depth: 0 }) ?? resolveAll(walk) ??
    costFault(walk, schema, path);
  if (fault !== undefined) return { ok: false, fault };
  return { ok: true, document: { dialect, root: schema, places: walk.places, targets: walk.targets } };
}

function visit(walk: Walk, start: Pending): string | undefined {
  const stack = [start];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { schema, path, depth } = next;
    if (typeof schema === "boolean") continue;
    if (!isJsonObject(schema)) return `${path}: Expected a JSON Schema object or a boolean`;
    if (depth > SCHEMA_LIMITS.depth) return `${path}: Nesting exceeds ${SCHEMA_LIMITS.depth} levels`;
    if (walk.places.has(schema)) continue;
    const places = subschemasOf(schema, walk.dialect);
    const fault = typeof places === "string" ? places : keywordFault(schema);
    if (typeof places === "string" || fault !== undefined) return `${path}.${fault}`;
    walk.places.set(schema, places);
    if (walk.places.size > SCHEMA_LIMITS.subschemas) {
      return `${path}: The number of subschemas exceeds ${SCHEMA_LIMITS.subschemas}`;
    }
    const nested = ownMember(schema, "$schema");
    if (dialectOf(nested) !== walk.dialect && nested !== undefined) return `${path}.$schema: Expected the dialect of the root`;
    const base = walk.resources.add(schema, next.base, walk.dialect);
    if (base === undefined) return `${path}.$id: Expected a URI that no other subschema has`;
    collectReferences(walk, schema, path, base, depth);
    for (let index = places.length - 1; index >= 0; index--) {
      const place = places[index] as SubschemaPlace;
      stack.push({ schema: place.schema, path: `${path}.${place.path.join(".")}`, base, depth: depth + 1 });
    }
  }
  return undefined;
}

function collectReferences(walk: Walk, schema: JsonObject, path: string, base: string, depth: number): void {
  for (const keyword of walk.dialect === "2020-12" ? ["$ref", "$dynamicRef"] as const : ["$ref"] as const) {
    const value = ownMember(schema, keyword);
    if (typeof value === "string") {
      walk.references.push({ from: schema, keyword, value, path: `${path}.${keyword}`, base, depth });
    }
  }
}

function resolveAll(walk: Walk): string | undefined {
  // The list grows while it is walked: a pointer may lead to a schema in a place that is none of a subschema.
  for (const reference of walk.references) {
    const { from, keyword, value, path, base, depth } = reference;
    const target = walk.resources.resolve(value, base);
    if (target === "remote") return `${path}: References to other documents are not followed, found ${quote(value)}`;
    if (target === "missing") return `${path}: Expected a reference to a part of this schema, found ${quote(value)}`;
    if (keyword === "$dynamicRef" && walk.resources.redirects(value)) {
      return `${path}: Expected one "$dynamicAnchor" of the name, found several; redirected references are not supported`;
    }
    const fault = visit(walk, { schema: target.value, path, base: target.base, depth: depth + 1 });
    if (fault !== undefined) return fault;
    walk.targets.set(from, { ...walk.targets.get(from), [keyword]: target.value as JsonObject | boolean });
  }
  return undefined;
}

/**
 * Counts how often subschemas are evaluated for one and the same value. References multiply: each of 40 definitions with two
 * references to the next one is 2^40 evaluations of a schema of a few kilobytes. A schema that comes back to itself without
 * entering a member or an item never ends.
 */
function costFault(walk: Walk, root: JsonObject, path: string): string | undefined {
  const costs = new Map<JsonObject, number>();
  const open = new Set<JsonObject>();
  for (const start of [root, ...walk.places.keys()]) {
    const stack = [start];
    while (stack.length > 0) {
      const schema = stack[stack.length - 1] as JsonObject;
      if (costs.has(schema)) {
        stack.pop();
        continue;
      }
      const inner = inPlaceOf(walk, schema);
      if (!open.has(schema)) {
        open.add(schema);
        const missing = inner.filter((one) => !costs.has(one));
        if (missing.some((one) => open.has(one))) return `${path}: A reference leads back to itself without entering a value`;
        stack.push(...missing);
        if (missing.length > 0) continue;
      }
      const cost = inner.reduce((sum, one) => sum + (costs.get(one) ?? 0), 1);
      if (cost > SCHEMA_LIMITS.subschemas) {
        return `${path}: The references multiply to more than ${SCHEMA_LIMITS.subschemas} evaluations of one value`;
      }
      costs.set(schema, cost);
      open.delete(schema);
      stack.pop();
    }
  }
  return undefined;
}

function inPlaceOf(walk: Walk, schema: JsonObject): readonly JsonObject[] {
  const targets = walk.targets.get(schema);
  const inner: unknown[] = (walk.places.get(schema) ?? []).filter((place) => place.inPlace).map((place) => place.schema);
  return [...inner, targets?.$ref, targets?.$dynamicRef].filter((one): one is JsonObject => isJsonObject(one));
}

/** Quotes a part of a schema, which may come from a peer, at a bounded length. */
function quote(text: string): string {
  return text.length > REFERENCE_LENGTH ? `"${text.slice(0, REFERENCE_LENGTH)}…"` : `"${text}"`;
}
