/** Reads what can be kept of an answer to a listing that nests too deep. */
import { withoutDeepItems } from "../protocol/deep_items.ts";
import type { AskedList } from "../protocol/deep_items.ts";
import { boundsFault, readMessage } from "../protocol/json_rpc.ts";
import type { JsonBounds, ReadMessage } from "../protocol/json_rpc.ts";
import { brokenBound } from "./read_fault.ts";
import { reportTo } from "../protocol/report_to.ts";

/** What is known about an answer that broke a bound. */
export interface BrokenAnswer {
  /** What it answers; undefined when nothing was asked. */
  readonly asked: AskedList | undefined;
  /** Its text. */
  readonly text: string;
  /** What `parseMessage` said of it. */
  readonly read: ReadMessage & { readonly ok: false };
  /** The bounds that `parseMessage` was given. */
  readonly limits: JsonBounds;
  /** Told of the items that are left out, in one error. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/**
 * Reads the answer to a listing once more, without the items that nest too deep.
 *
 * @returns The message when the rest keeps the bounds, otherwise what `parseMessage` said.
 */
export function keptList({ asked, text, read, limits, onError }: BrokenAnswer): ReadMessage {
  if (asked === undefined || read.kind !== "response" || brokenBound(read.error) !== "jsonDepth") return read;
  const listing = withoutDeepItems(asked, JSON.parse(text), limits.jsonDepth, (rest) => {
    return boundsFault(rest, limits) === undefined ? rest : undefined;
  });
  if (listing === undefined) return read;
  reportTo(onError, listing.fault);
  return readMessage(listing.message);
}
