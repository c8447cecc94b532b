/** The way from what handlers of extensions are given to the exchange behind it. */
import type { Exchange } from "./core.ts";

/** The member that leads there; programs have no name for it. */
export const EXCHANGE: unique symbol = Symbol("exchange");

/** What has an exchange behind it: the context of a call, and what is known of who listens. */
export interface OverExchange {
  /** The exchange. */
  readonly [EXCHANGE]: Exchange;
}

/**
 * The exchange behind a context that this package made.
 *
 * @throws {TypeError} When it made none of them.
 */
export function exchangeOf(given: object): Exchange {
  const exchange = (given as Partial<OverExchange>)[EXCHANGE];
  if (exchange === undefined) throw new TypeError("Expected a context as the server gave it");
  return exchange;
}
