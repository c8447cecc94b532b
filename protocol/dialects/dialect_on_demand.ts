/** A dialect that is loaded when it is spoken: until then only what is known of its revision is there. */
import type { Dialect, DialectFacts, Handshake, HandshakeFacts, HandshakeWords } from "../dialect.ts";
import { onDemand } from "../on_demand.ts";

/**
 * Makes a dialect with a handshake that programs whose peers all speak a stateless revision never load.
 *
 * @param facts What is known of its revision.
 * @param about What is known of its handshake.
 * @param load Loads the rest.
 */
export function dialectOnDemand(
  facts: DialectFacts,
  about: HandshakeFacts,
  load: () => Promise<HandshakeWords>,
): Dialect & { readonly handshake: Handshake } {
  const handshake = { ...about };
  const words = onDemand(async () => {
    const loaded = await load();
    Object.assign(handshake, loaded.handshake);
    Object.assign(dialect, loaded, { handshake, load: undefined });
  });
  // What is not there yet is asked of nobody before `load` has settled.
  const dialect = { ...facts, handshake: handshake as Handshake, load: words.load } as Dialect & {
    readonly handshake: Handshake;
  };
  return dialect;
}
