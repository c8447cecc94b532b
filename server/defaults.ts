/** Fills in the defaults of the shorthand `args`. */
import { isJsonObject } from "../protocol/json.ts";
import type { JsonObject, JsonValue } from "../protocol/types.ts";

/** Gives a value with what is absent in it; the value itself stays as it is. */
export type FillDefaults = (value: JsonObject) => JsonObject;

/**
 * Makes the function that puts the `default` of properties in the place of absent ones, at any depth of objects and lists that are
 * there. Required properties are never filled in: without them, arguments are wrong.
 *
 * @param schema The object schema that the shorthand became.
 * @returns Undefined when there is nothing to fill in.
 */
export function fillDefaults(schema: JsonObject): FillDefaults | undefined {
  const required = Array.isArray(schema.required) ? schema.required : [];
  const absent = new Map<string, JsonValue>();
  const inner = new Map<string, (value: JsonValue) => JsonValue>();
  for (const [name, property] of Object.entries(isJsonObject(schema.properties) ? schema.properties : {})) {
    if (!isJsonObject(property)) continue;
    if (property.default !== undefined && !required.includes(name)) absent.set(name, property.default);
    const fill = fillValue(property);
    if (fill !== undefined) inner.set(name, fill);
  }
  if (absent.size + inner.size === 0) return undefined;
  return (value) => {
    const filled: Record<string, JsonValue | undefined> = { ...value };
    for (const [name, given] of absent) if (!Object.hasOwn(filled, name)) put(filled, name, structuredClone(given));
    for (const [name, fill] of inner) if (Object.hasOwn(filled, name)) put(filled, name, fill(filled[name] as JsonValue));
    return filled as JsonObject;
  };
}

function fillValue(schema: JsonObject): ((value: JsonValue) => JsonValue) | undefined {
  const members = fillDefaults(schema);
  const items = isJsonObject(schema.items) ? fillValue(schema.items) : undefined;
  if (members === undefined && items === undefined) return undefined;
  return (value) => {
    if (Array.isArray(value)) return items === undefined ? value : value.map(items);
    return members !== undefined && isJsonObject(value) ? members(value) : value;
  };
}

function put(object: Record<string, JsonValue | undefined>, key: string, value: JsonValue): void {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}
