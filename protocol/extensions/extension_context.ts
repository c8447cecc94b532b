/** What handlers of extensions see of a request, and the way from there to the exchange behind it. */

/** The member that leads there; programs have no name for it. */
export const EXCHANGE: unique symbol = Symbol("exchange");

/**
 * What a handler of an extension sees of a request.
 *
 * @param contextOf What other handlers see of it: an object of its own for each call.
 */
export function extensionContext<E, C extends object>(exchange: E, contextOf: (exchange: E) => C): C {
  return Object.defineProperty(contextOf(exchange), EXCHANGE, { value: exchange });
}
