/** The dialect of revision 2025-06-18. */
import type { Dialect, Handshake } from "../dialect.ts";
import { dialectOnDemand } from "./dialect_on_demand.ts";
import { facts20250618 } from "./facts_2025-06-18.ts";

/** The dialect of revision 2025-06-18. */
export const dialect20250618: Dialect & { readonly handshake: Handshake } = dialectOnDemand(
  facts20250618,
  { polls: false },
  async () => (await import("./words_2025-06-18.ts")).words20250618,
);
