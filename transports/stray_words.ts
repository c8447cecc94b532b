/** What a server wrote to its standard output that is not a message. */
import { TransportError } from "../protocol/errors.ts";
import { isJsonObject } from "../protocol/json.ts";
import { shownLine } from "../protocol/shown.ts";

/** The first of it, as the end of a sentence. */
export interface StrayWords {
  /** Undefined while there is none. */
  words: string | undefined;
}

/**
 * Quotes it: a program that logs to its standard output is the usual reason for a connection that does not come about (MCP
 * 2026-07-28, stdio: only messages belong there).
 *
 * @param fault What the reader of messages said.
 * @returns The end of a sentence; undefined when there is nothing to quote.
 */
export function strayWords(fault: unknown): string | undefined {
  if (!(fault instanceof TransportError) || !isJsonObject(fault.data)) return undefined;
  const { excerpt } = fault.data;
  if (typeof excerpt !== "string" || excerpt === "") return undefined;
  return `it wrote to its standard output, where only messages belong: ${shownLine(excerpt)}`;
}
