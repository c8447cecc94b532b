/** The URIs within one JSON Schema document: `$id`, `$anchor`, and what a reference resolves to. */
import type { JsonObject } from "./json.ts";
import { isJsonObject, ownMember } from "./json.ts";
import type { SchemaDialect } from "./schema_keywords.ts";

/** What a reference points at, with the base URI that holds there; `remote` is another document, `missing` no schema. */
export type ResolvedReference = { readonly value: unknown; readonly base: string } | "remote" | "missing";

/** The URIs within one document. */
export interface SchemaResources {
  /** The base URI of the document before any `$id`. */
  readonly base: string;
  /** Registers a schema object; returns the base URI for its members, or undefined for a bad or a doubled URI. */
  add(schema: JsonObject, base: string, dialect: SchemaDialect): string | undefined;
  /** Says whether an outer scope could redirect a dynamic reference: several schemas have its `$dynamicAnchor`. */
  redirects(reference: string): boolean;
  /** Resolves a reference; call it when all schema objects are registered. */
  resolve(reference: string, base: string): ResolvedReference;
}

/** RFC 3986 § 5.1.4 leaves the default base URI to the application; this one can't be fetched. */
const DEFAULT_BASE = "schema://document/";

/**
 * Creates the URIs of one document.
 *
 * @param root The document.
 * @returns The URIs.
 */
export function createResources(root: JsonObject): SchemaResources {
  const documents = new Map<string, JsonObject>([[DEFAULT_BASE, root]]);
  const anchors = new Map<string, { readonly value: JsonObject; readonly base: string }>();
  const bases = new Map<JsonObject, string>();
  const dynamic = new Map<string, Set<JsonObject>>();
  const register = (uri: string, schema: JsonObject, base: string): boolean => {
    const known = anchors.get(uri);
    if (known !== undefined && known.value !== schema) return false;
    anchors.set(uri, { value: schema, base });
    return true;
  };
  return {
    base: DEFAULT_BASE,
    add(schema, outer, dialect) {
      let base = outer;
      const id = ownMember(schema, "$id");
      // Draft-07, Core § 8.3: members beside a $ref, $id among them, are ignored; § 8.2.3: an $id of a fragment is an anchor.
      if (typeof id === "string" && !(dialect === "draft-07" && Object.hasOwn(schema, "$ref"))) {
        const uri = resolveUri(id, outer);
        if (uri === undefined) return undefined;
        const [document, fragment] = split(uri);
        if (fragment !== "") {
          if (!register(uri, schema, outer)) return undefined;
        } else {
          const known = documents.get(document);
          if (known !== undefined && known !== schema) return undefined;
          documents.set(document, schema);
          base = document;
        }
      }
      bases.set(schema, base);
      for (const keyword of dialect === "2020-12" ? ["$anchor", "$dynamicAnchor"] : []) {
        const name = ownMember(schema, keyword);
        if (typeof name !== "string") continue;
        if (!register(`${base}#${name}`, schema, base)) return undefined;
        if (keyword === "$dynamicAnchor") dynamic.set(name, (dynamic.get(name) ?? new Set()).add(schema));
      }
      return base;
    },
    redirects(reference) {
      return (dynamic.get(reference.slice(reference.indexOf("#") + 1))?.size ?? 0) > 1;
    },
    resolve(reference, base) {
      const uri = resolveUri(reference, base);
      if (uri === undefined) return "missing";
      const [document, fragment] = split(uri);
      const start = documents.get(document);
      if (start === undefined) return "remote";
      if (fragment !== "" && !fragment.startsWith("/")) return anchors.get(`${document}#${fragment}`) ?? "missing";
      return followPointer(start, bases.get(start) ?? document, fragment, bases);
    },
  };
}

function followPointer(
  start: JsonObject,
  startBase: string,
  pointer: string,
  bases: ReadonlyMap<JsonObject, string>,
): ResolvedReference {
  let value: unknown = start;
  let base = startBase;
  for (const escaped of pointer.split("/").slice(1)) {
    const key = escaped.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return "missing";
    value = (value as { readonly [key: string]: unknown })[key];
    if (isJsonObject(value)) base = bases.get(value) ?? base;
  }
  return typeof value === "boolean" || isJsonObject(value) ? { value, base } : "missing";
}

function resolveUri(reference: string, base: string): string | undefined {
  try {
    return new URL(reference, base).href;
  } catch {
    return undefined;
  }
}

/** Splits off the fragment and decodes it. */
function split(uri: string): readonly [string, string] {
  const at = uri.indexOf("#");
  if (at < 0) return [uri, ""];
  const fragment = uri.slice(at + 1);
  try {
    return [uri.slice(0, at), decodeURIComponent(fragment)];
  } catch {
    return [uri.slice(0, at), fragment];
  }
}
