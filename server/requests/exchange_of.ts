/** The way from what handlers of extensions are given to the exchange behind it. */
import { EXCHANGE } from "../../protocol/extensions/extension_context.ts";
import type { Exchange } from "../core.ts";

/**
 * The exchange behind a context that a handler of an extension was given.
 *
 * @throws {TypeError} When it was given none of them.
 */
export function exchangeOf(given: object): Exchange {
  const exchange = (given as { readonly [EXCHANGE]?: Exchange })[EXCHANGE];
  if (exchange === undefined) throw new TypeError("Expected a context as the server gave it");
  return exchange;
}
