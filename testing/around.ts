/** A carrier around another one. */
import type { Transport } from "../transports/transport.ts";

/** What the outer carrier does in its own way. */
export type Outer = Pick<Transport, "exchange" | "send" | "incoming" | "close">;

/** Makes a carrier of the outer one's four parts, with whatever else the inner one has. */
export function around(inner: Transport, outer: Outer): Transport {
  const { incoming, ...rest } = outer;
  return {
    ...rest,
    // Carriers of other authors may have nothing but exchanges.
    ...(inner.incoming === undefined ? {} as Pick<Transport, "incoming"> : { incoming }),
    get sessionId() {
      return inner.sessionId;
    },
    // A part that is absent means that there is no such thing, so it must stay absent.
    ...(inner.agreed === undefined ? {} : { agreed: (headers) => inner.agreed?.(headers) }),
    ...(inner.listen === undefined ? {} : { listen: (options) => inner.listen?.(options) }),
  };
}
