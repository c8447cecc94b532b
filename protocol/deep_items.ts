/** Items of a listing that nest too deep: each costs itself alone, and the others stay. */
import { TransportError } from "./errors.ts";
import { isJsonObject, ownMember } from "./json.ts";
import type { JsonObject } from "./json.ts";
import { SHOWN_ITEMS } from "./limits.ts";
import { shown } from "./shown.ts";

/** What was asked. */
export interface AskedList {
  /** The method of the listing. */
  readonly method: string;
  /** The member of its result that holds the items, where the method is none of the protocol's own. */
  readonly list?: string | undefined;
}

/** An answer to a listing, and why items of it were left out. */
export interface ShallowListing<M> {
  /** The message with the other items. */
  readonly message: M;
  /** One error, for all the items that were left out. */
  readonly fault: TransportError;
}

/** Where an item stands. */
export interface ItemPlace {
  /** The member of the result that holds the items. */
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

/** Shortened lists → where their items stood in the list as it came. */
const PLACES = new WeakMap<object, readonly number[]>();

/**
 * Leaves out of the answer to a listing what nests too deep there. The spec asks for bounds on the depth of schemas
 * (MCP 2026-07-28, Basic § JSON Schema Usage); one schema of one tool does not make the other tools unusable.
 *
 * @param asked What was asked.
 * @param message The answer; it is not changed.
 * @param jsonDepth Levels that a message may have.
 * @param finish Makes the returned message out of the rest; undefined when the rest is unsound too.
 * @returns The rest; undefined when no item is the reason, or the answer is none to a listing.
 */
export function withoutDeepItems<M extends object>(
  { method, list }: AskedList,
  message: unknown,
  jsonDepth: number,
  finish: (rest: JsonObject) => M | undefined,
): ShallowListing<M> | undefined {
  const member = LISTS.get(method) ?? list;
  const result = isJsonObject(message) ? ownMember(message, "result") : undefined;
  const items = member !== undefined && isJsonObject(result) ? ownMember(result, member) : undefined;
  if (member === undefined || !Array.isArray(items)) return undefined;
  const faults: string[] = [];
  const places: number[] = [];
  items.forEach((item, index) => {
    const fault = deepItemFault({ member, index }, item, jsonDepth);
    if (fault === undefined) places.push(index);
    else faults.push(fault);
  });
  if (faults.length === 0) return undefined;
  const kept = places.map((index) => items[index] as JsonObject);
  const rest = finish({ ...message as JsonObject, result: { ...result as JsonObject, [member]: kept } });
  if (rest === undefined) return undefined;
  // What finishes a message may copy it.
  const finished = (rest as { readonly result?: { readonly [name: string]: unknown } }).result?.[member];
  PLACES.set(finished as object, places);
  return { message: rest, fault: leftOut(method, faults, jsonDepth) };
}

/** Says why an item is left out, when its message would nest deeper than allowed for it alone. */
export function deepItemFault(place: ItemPlace, item: unknown, jsonDepth: number): string | undefined {
  if (!nestsDeeper(item, jsonDepth - AROUND)) return undefined;
  return itemFault(place, item, `it nests deeper than ${jsonDepth} levels (limit jsonDepth)`);
}

/** Says why an item is left out. */
export function itemFault({ member, index }: ItemPlace, item: unknown, fault: string): string {
  const name = isJsonObject(item) ? ownMember(item, "name") : undefined;
  const named = typeof name === "string" ? ` (${JSON.stringify(shown(name))})` : "";
  return `${member}[${index}]${named} is left out: ${fault}`;
}

/** Where an item of a list, which may be a shortened one, stood in the list as it came. */
export function placeOf(items: readonly unknown[], index: number): number {
  return PLACES.get(items)?.[index] ?? index;
}

/**
 * Makes one error of why items of an answer are left out: the first ones by name, the others by their number.
 *
 * @param jsonDepth The limit that was the reason, for a "limit" error; a "not_mcp" error without it.
 */
export function leftOut(method: string, faults: readonly string[], jsonDepth?: number): TransportError {
  const more = faults.length - SHOWN_ITEMS.list;
  const told = faults.slice(0, SHOWN_ITEMS.list).join("; ") + (more > 0 ? `; and ${more} more` : "");
  const options = jsonDepth === undefined ? {} : { data: { limit: "jsonDepth", value: jsonDepth } };
  return new TransportError(jsonDepth === undefined ? "not_mcp" : "limit", `Reading the answer to ${method}: ${told}`, options);
}

/** Goes no deeper than the bound, so that no value takes more stack than there is. */
function nestsDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (depth <= 0) return true;
  for (const member of Object.values(value)) if (nestsDeeper(member, depth - 1)) return true;
  return false;
}
