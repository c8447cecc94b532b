/** Items of a listing that nest too deep: each costs itself alone, and the others stay. */
import { TransportError } from "./errors.ts";
import { isJsonObject, ownMember } from "./json.ts";
import type { JsonObject } from "./json.ts";
import { shown } from "./shown.ts";

/** An answer to a listing, and why items of it were left out. */
export interface ShallowListing {
  /** The message with the other items. */
  readonly message: JsonObject;
  /** One error for each item that was left out. */
  readonly faults: readonly TransportError[];
}

/** Where an item stands. */
export interface ItemPlace {
  /** The method of the listing. */
  readonly method: string;
  /** The member of its result that holds the items. */
  readonly member: string;
  /** Which of them it is. */
  readonly index: number;
}

/** Listings → the member of the result that holds the items. */
const LISTS: ReadonlyMap<string, string> = new Map([
  ["tools/list", "tools"],
  ["prompts/list", "prompts"],
  ["resources/list", "resources"],
  ["resources/templates/list", "resourceTemplates"],
]);

/** What an item lies in: the message, its result, and the list. */
const AROUND = 3;

/**
 * Leaves out of the answer to a listing what nests too deep there. The spec asks for bounds on the depth of schemas
 * (MCP 2026-07-28, Basic § JSON Schema Usage); one schema of one tool does not make the other tools unusable.
 *
 * @param method The method that was asked.
 * @param message The answer; it is not changed.
 * @param jsonDepth Levels that a message may have.
 * @returns The rest; undefined when no item is the reason, or the answer is none to a listing.
 */
export function withoutDeepItems(method: string, message: unknown, jsonDepth: number): ShallowListing | undefined {
  const member = LISTS.get(method);
  const result = isJsonObject(message) ? ownMember(message, "result") : undefined;
  const items = member !== undefined && isJsonObject(result) ? ownMember(result, member) : undefined;
  if (member === undefined || !Array.isArray(items)) return undefined;
  const faults: TransportError[] = [];
  const kept = items.filter((item, index) => {
    const fault = deepItemFault({ method, member, index }, item, jsonDepth);
    if (fault !== undefined) faults.push(fault);
    return fault === undefined;
  });
  if (faults.length === 0) return undefined;
  return { message: { ...message as JsonObject, result: { ...result as JsonObject, [member]: kept } }, faults };
}

/** Says why an item is left out, as a "limit" error, when its message would nest deeper than allowed for it alone. */
export function deepItemFault(place: ItemPlace, item: unknown, jsonDepth: number): TransportError | undefined {
  if (!nestsDeeper(item, jsonDepth - AROUND)) return undefined;
  const { method, member, index } = place;
  const found = `${member}[${index}]${itemName(item)} is left out: it nests deeper than ${jsonDepth} levels (limit jsonDepth)`;
  return new TransportError("limit", `Reading the answer to ${method}: ${found}`, {
    data: { limit: "jsonDepth", value: jsonDepth },
  });
}

/** The name of an item in parentheses, with a blank in front; nothing when it has none. */
export function itemName(item: unknown): string {
  const name = isJsonObject(item) ? ownMember(item, "name") : undefined;
  return typeof name === "string" ? ` (${JSON.stringify(shown(name))})` : "";
}

/** Goes no deeper than the bound, so that no value takes more stack than there is. */
function nestsDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (depth <= 0) return true;
  for (const member of Object.values(value)) if (nestsDeeper(member, depth - 1)) return true;
  return false;
}
