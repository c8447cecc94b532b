/** Says what is wrong with a host context. */
import { isJsonObject, ownMember } from "../../json.ts";
import type { JsonObject, JsonValue } from "../../json.ts";
import { isDisplayMode } from "./display_mode.ts";

type Check = (value: JsonValue) => boolean;

const isText: Check = (value) => typeof value === "string";
const isSize: Check = (value) => typeof value === "number" && value >= 0;

/** Members that are known, with what they must be. */
const MEMBERS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ["toolInfo", (value) => isJsonObject(value) && isJsonObject(ownMember(value, "tool"))],
  ["theme", (value) => value === "light" || value === "dark"],
  ["styles", isStyles],
  ["displayMode", isDisplayMode],
  ["availableDisplayModes", (value) => Array.isArray(value) && value.every(isText)],
  ["containerDimensions", (value) => every(value, ["height", "maxHeight", "width", "maxWidth"], isSize)],
  ["locale", isText],
  ["timeZone", isText],
  ["userAgent", isText],
  ["platform", (value) => value === "web" || value === "desktop" || value === "mobile"],
  ["deviceCapabilities", (value) => every(value, ["touch", "hover"], (flag) => typeof flag === "boolean")],
  ["safeAreaInsets", (value) => every(value, ["top", "right", "bottom", "left"], (inset) => typeof inset === "number")],
]);

/**
 * Says what is wrong with a context, or a part of one. Members that are not known are no fault (MCP Apps § Host Context).
 *
 * @returns The end of a sentence, or undefined when it is sound.
 */
export function contextFault(value: JsonValue | undefined, path: string): string | undefined {
  if (!isJsonObject(value)) return `${path} is not an object`;
  for (const [name, check] of MEMBERS) {
    const member = ownMember(value, name);
    if (member !== undefined && !check(member)) return `${path}.${name} has the wrong shape`;
  }
  return undefined;
}

function isStyles(value: JsonValue): boolean {
  if (!isJsonObject(value)) return false;
  const { variables, css } = value as { readonly variables?: JsonValue; readonly css?: JsonValue };
  const sound = variables === undefined ||
    (isJsonObject(variables) && Object.values(variables).every((text) => isText(text as JsonValue)));
  return sound && (css === undefined || every(css, ["fonts"], isText));
}

function every(value: JsonValue, names: readonly string[], check: Check): boolean {
  return isJsonObject(value) && names.every((name) => passes(value, name, check));
}

function passes(object: JsonObject, name: string, check: Check): boolean {
  const member = ownMember(object, name);
  return member === undefined || check(member);
}
