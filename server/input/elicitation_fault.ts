/** Forms and pages to visit: what is wrong with one before it is sent. */
import { isJsonObject } from "../../protocol/json.ts";
import type { JsonObject, JsonValue } from "../../protocol/types.ts";

/** Says what is wrong with the params of an elicitation. */
export function elicitationFault(params: JsonObject, path: string): string | undefined {
  if (typeof params.message !== "string") return `${path}.message: Expected a string`;
  if (params.mode === "url") {
    return typeof params.url === "string" && URL.canParse(params.url) ? undefined : `${path}.url: Expected an absolute URL`;
  }
  const schema = params.requestedSchema;
  if (!isJsonObject(schema) || schema.type !== "object" || !isJsonObject(schema.properties)) {
    return `${path}.requestedSchema: Expected a flat object schema`;
  }
  for (const [name, field] of Object.entries(schema.properties)) {
    const fault = fieldFault(field);
    if (fault !== undefined) return `${path}.requestedSchema.properties.${name}: ${fault}`;
  }
  return undefined;
}

/** MCP 2026-07-28, Elicitation § Requested schema. */
const FORMATS: ReadonlySet<unknown> = new Set(["email", "uri", "date", "date-time"]);

/** Says what is wrong with one field of a form: primitives, choices, and lists of choices. */
export function fieldFault(field: JsonValue | undefined): string | undefined {
  if (!isJsonObject(field)) return "Expected a field";
  switch (field.type) {
    case "number":
    case "integer":
    case "boolean":
      return undefined;
    case "string":
      return field.format === undefined || FORMATS.has(field.format)
        ? undefined
        : "Expected the format email, uri, date or date-time";
    case "array":
      return isChoice(field.items) ? undefined : "Expected a list whose items are choices of strings";
    default:
      return "Expected a string, number, integer, boolean or a list of choices";
  }
}

function isChoice(items: JsonValue | undefined): boolean {
  if (!isJsonObject(items)) return false;
  const titled = items.anyOf ?? items.oneOf;
  if (Array.isArray(titled)) return titled.every((choice) => isJsonObject(choice) && typeof choice.const === "string");
  return items.type === "string" && Array.isArray(items.enum) && items.enum.every((choice) => typeof choice === "string");
}
