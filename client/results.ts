/** Reads results: what the protocol demands of them, and what may be missing. */
import { deepItemFault, itemFault, leftOut, placeOf } from "../protocol/deep_items.ts";
import { TransportError } from "../protocol/errors.ts";
import { isJsonObject, ownMember } from "../protocol/json.ts";
import type {
  CallToolResult,
  CompleteResult,
  DiscoverResult,
  GetPromptResult,
  JsonObject,
  JsonValue,
  ReadResourceResult,
} from "../protocol/types.ts";
import type { Page } from "./client_types.ts";

/** Reads a tool result. Content that is missing counts as empty. */
export function readToolResult(result: JsonObject): CallToolResult {
  const content = ownMember(result, "content");
  if (Array.isArray(content) && result.resultType !== undefined) return result as unknown as CallToolResult;
  if (content !== undefined && !Array.isArray(content)) throw malformed("tools/call", "content is not a list");
  return { resultType: "complete", content: [], ...result } as unknown as CallToolResult;
}

/** Reads a rendered prompt. */
export function readPrompt(result: JsonObject): GetPromptResult {
  if (!Array.isArray(ownMember(result, "messages"))) throw malformed("prompts/get", "messages is not a list");
  return complete(result) as unknown as GetPromptResult;
}

/** Reads the contents of a resource. */
export function readContents(result: JsonObject): ReadResourceResult {
  if (!Array.isArray(ownMember(result, "contents"))) throw malformed("resources/read", "contents is not a list");
  return complete(result) as unknown as ReadResourceResult;
}

/** Reads what a server says about itself. */
export function readDiscover(result: JsonObject): DiscoverResult {
  if (!Array.isArray(ownMember(result, "supportedVersions"))) {
    throw malformed("server/discover", "supportedVersions is not a list");
  }
  return { capabilities: {}, ...complete(result) } as unknown as DiscoverResult;
}

/** Reads completion values. What is missing counts as none (MCP 2026-07-28, Completion § Implementation Considerations). */
export function readCompletion(result: JsonObject): CompleteResult["completion"] {
  const completion = ownMember(result, "completion");
  const { values, total, hasMore } = isJsonObject(completion) ? completion : {};
  return {
    values: Array.isArray(values) ? values.filter((value) => typeof value === "string") : [],
    ...(typeof total === "number" ? { total } : {}),
    ...(typeof hasMore === "boolean" ? { hasMore } : {}),
  };
}

/** How one of the four lists is read. */
export interface ListShape {
  /** The method. */
  readonly method: string;
  /** The member that holds the items. */
  readonly member: string;
  /** Members of an item that must be strings. */
  readonly strings: readonly string[];
  /** Members of an item that must be objects. */
  readonly objects: readonly string[];
}

/** What a page of one of the client's lists looks like. */
export interface DeclaredList extends ListShape {
  /** What a server declares that has such a list. */
  readonly capability: "tools" | "resources" | "prompts";
}

/**
 * Reads one page of a list. Items that lack what every item must have, or nest too deep, are left out.
 *
 * @param jsonDepth Levels that the answer may have.
 * @param report Told of the items that are left out: in one error for those that nest too deep, in another for the others.
 */
export function readPage<T>(
  shape: ListShape,
  result: JsonObject,
  jsonDepth: number,
  report: (error: unknown) => void,
): Page<T> {
  const { method, member } = shape;
  const items = ownMember(result, member);
  if (!Array.isArray(items)) throw malformed(method, `${member} is not a list`);
  const cursor = ownMember(result, "nextCursor") ?? undefined;
  if (cursor !== undefined && typeof cursor !== "string") throw malformed(method, "nextCursor is not a string");
  const tooDeep: string[] = [];
  const unsound: string[] = [];
  const sound = items.filter((item: JsonValue, index) => {
    const place = { member, index: placeOf(items, index) };
    // Carriers of text have checked this already; foreign carriers, and those of values, may not have.
    const deep = deepItemFault(place, item, jsonDepth);
    if (deep !== undefined) return void tooDeep.push(deep);
    const fault = shapeFault(shape, item);
    if (fault !== undefined) return void unsound.push(itemFault(place, item, fault));
    return true;
  });
  if (tooDeep.length > 0) report(leftOut(method, tooDeep, jsonDepth));
  if (unsound.length > 0) report(leftOut(method, unsound));
  return { items: sound as unknown as readonly T[], nextCursor: cursor };
}

function shapeFault({ strings, objects }: ListShape, item: JsonValue): string | undefined {
  if (!isJsonObject(item)) return "it is not an object";
  const noString = strings.find((name) => typeof ownMember(item, name) !== "string");
  if (noString !== undefined) return `${noString} is not a string`;
  const noObject = objects.find((name) => !isJsonObject(ownMember(item, name)));
  return noObject === undefined ? undefined : `${noObject} is not an object`;
}

/** A result without a type comes from an older server and is complete (MCP 2026-07-28, Basic § Result types). */
function complete(result: JsonObject): JsonObject {
  return result.resultType === undefined ? { resultType: "complete", ...result } : result;
}

function malformed(method: string, found: string): TransportError {
  return new TransportError("not_mcp", `Reading the answer to ${method}: ${found}`);
}
