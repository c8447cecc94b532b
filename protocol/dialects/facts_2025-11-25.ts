/** What is known of revision 2025-11-25 before a word is spoken in it, as its changes to revision 2025-06-18. */
import type { DialectFacts, Side } from "../dialect.ts";
import { facts20250618 } from "./facts_2025-06-18.ts";

const earlier = facts20250618;

/** What is known of revision 2025-11-25 before a word is spoken in it. */
export const facts20251125: DialectFacts = {
  ...earlier,
  version: "2025-11-25",
  // Arguments that do not fit are told to the model (SEP-1303).
  argumentFaults: "tool_result",
  // A server may tell that what happens at a URL is done (SEP-1036).
  hasNotification: (method: string, from: Side) =>
    earlier.hasNotification(method, from) || (from === "server" && method === "notifications/elicitation/complete"),
};
