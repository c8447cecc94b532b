/** The dialect of revision 2025-11-25. */
import type { Dialect, Handshake } from "../dialect.ts";
import { dialectOnDemand } from "./dialect_on_demand.ts";
import { facts20251125 } from "./facts_2025-11-25.ts";

/** The dialect of revision 2025-11-25. A server may close a stream that the client then polls (SEP-1699). */
export const dialect20251125: Dialect & { readonly handshake: Handshake } = dialectOnDemand(
  facts20251125,
  { polls: true },
  async () => (await import("./words_2025-11-25.ts")).words20251125,
);
