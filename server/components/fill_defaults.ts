/** Fills in the defaults of the shorthand `args`. */
import { isJsonObject } from "../../protocol/json.ts";
import type { JsonValue } from "../../protocol/types.ts";

/** Gives a value with what is absent in it; the value itself stays as it is. */
export type FillDefaults = <T extends JsonValue>(value: T) => T;

/**
 * Makes the function that puts the `default` of properties in the place of absent ones, at any depth of objects and lists that are
 * there, and in defaults themselves. Required properties are never filled in: without them, arguments are wrong.
 *
 * @param schema What the shorthand, or a part of it, became.
 * @returns Undefined when there is nothing to fill in.
 */
export function fillDefaults(schema: JsonValue | undefined): FillDefaults | undefined {
  if (!isJsonObject(schema)) return undefined;
  const { properties = {}, required = [], items } = schema;
  const members = Object.entries(properties as object).flatMap(([name, property]) => {
    const absent = (required as string[]).includes(name) ? undefined : property.default;
    const fill = fillDefaults(property);
    return absent === undefined && fill === undefined ? [] : [[name, absent, fill] as const];
  });
  const fillItem = fillDefaults(items);
  if (members.length === 0 && fillItem === undefined) return undefined;
  return (<T extends JsonValue>(value: T) => {
    if (Array.isArray(value)) return fillItem === undefined ? value : value.map(fillItem);
    if (!isJsonObject(value)) return value;
    const filled = new Map(Object.entries(value));
    for (const [name, absent, fill] of members) {
      const given = filled.get(name);
      const value = given === undefined ? structuredClone(absent) : given;
      if (value !== undefined) filled.set(name, fill === undefined ? value : fill(value));
    }
    return Object.fromEntries(filled);
  }) as FillDefaults;
}
