/** Reads what can be kept of an answer to a listing that nests too deep. */
import { withoutDeepItems } from "../protocol/deep_items.ts";
import { boundsFault, readMessage } from "../protocol/json_rpc.ts";
import type { JsonBounds, ReadMessage } from "../protocol/json_rpc.ts";
import { brokenBound } from "./read_fault.ts";
import { reportTo } from "./report.ts";

/** What is known about an answer that broke a bound. */
export interface BrokenAnswer {
  /** The method that it answers; undefined when nothing was asked. */
  readonly method: string | undefined;
  /** Its text. */
  readonly text: string;
  /** What `parseMessage` said of it. */
  readonly read: ReadMessage & { readonly ok: false };
  /** The bounds that `parseMessage` was given. */
  readonly limits: JsonBounds;
  /** Told of each item that is left out. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/**
 * Reads the answer to a listing once more, without the items that nest too deep.
 *
 * @returns The message when the rest keeps the bounds, otherwise what `parseMessage` said.
 */
export function keptList({ method, text, read, limits, onError }: BrokenAnswer): ReadMessage {
  if (method === undefined || read.kind !== "response" || brokenBound(read.error) !== "jsonDepth") return read;
  const listing = withoutDeepItems(method, JSON.parse(text), limits.jsonDepth);
  if (listing === undefined || boundsFault(listing.message, limits) !== undefined) return read;
  for (const fault of listing.faults) reportTo(onError, fault);
  return readMessage(listing.message);
}
