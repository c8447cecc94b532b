/** JSON text that is the same for equal values. */
import { isJsonObject } from "../protocol/json.ts";

/** Writes a value as JSON with sorted members, indented by two spaces. */
export function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_key, member) => isJsonObject(member) ? sorted(member) : member, 2);
}

function sorted(object: object): object {
  // Without a prototype, so that a member called "__proto__" is one like any other.
  const copy: Record<string, unknown> = Object.create(null);
  for (const [key, value] of Object.entries(object).sort(([a], [b]) => a < b ? -1 : a > b ? 1 : 0)) copy[key] = value;
  return copy;
}
