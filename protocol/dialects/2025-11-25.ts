/** Revision 2025-11-25: what is known of it at once, and its dialect, which is loaded when it is spoken. */
import type { Dialect, DialectFacts, Handshake, Side } from "../dialect.ts";
import { facts20250618 } from "./2025-06-18.ts";
import { dialectOnDemand } from "./dialect_on_demand.ts";

const earlier = facts20250618;

/** What is known of revision 2025-11-25 before a word is spoken in it, as its changes to revision 2025-06-18. */
export const facts20251125: DialectFacts = {
  ...earlier,
  version: "2025-11-25",
  // Arguments that do not fit are told to the model (SEP-1303).
  argumentFaults: "tool_result",
  // A server may tell that what happens at a URL is done (SEP-1036).
  hasNotification: (method: string, from: Side) =>
    earlier.hasNotification(method, from) || (from === "server" && method === "notifications/elicitation/complete"),
};

/** The dialect of revision 2025-11-25. A server may close a stream that the client then polls (SEP-1699). */
export const dialect20251125: Dialect & { readonly handshake: Handshake } = dialectOnDemand(
  facts20251125,
  { polls: true },
  async () => (await import("./words_2025-11-25.ts")).words20251125(facts20251125),
);
