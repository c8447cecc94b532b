/** A mounted server, as its components remember it: its middleware stays around them, and knows them by their own names. */
import type { Middleware } from "../middleware/middleware_types.ts";

/** A server inside of another one. */
export interface Mounted {
  /** The name of the server. */
  readonly server: string;
  /** What stands before the names of its tools and prompts, of all levels together. */
  readonly prefix: string;
  /** Its middleware. */
  readonly use: readonly Middleware[];
  /** The mounted servers around it, outermost first, and itself. */
  readonly chain: readonly Mounted[];
}

/**
 * Makes the places of components that move into another server: one for each place that they had there.
 *
 * @param server The name of the server that is mounted.
 * @param prefix What stands before its names.
 * @param use Its middleware.
 * @returns The new place for an old one; undefined when nothing has to be remembered.
 */
export function placesIn(
  server: string,
  prefix: string,
  use: readonly Middleware[],
): (before: Mounted | undefined) => Mounted | undefined {
  const own = placed({ server, prefix, use }, []);
  const moved = new Map<Mounted, Mounted>();
  const move = (before: Mounted): Mounted => {
    const known = moved.get(before);
    if (known !== undefined) return known;
    const parent = before.chain.at(-2);
    const above = parent === undefined ? own : move(parent);
    const place = placed({ server: before.server, prefix: prefix + before.prefix, use: before.use }, above.chain);
    moved.set(before, place);
    return place;
  };
  return (before) => before === undefined ? use.length === 0 ? undefined : own : move(before);
}

function placed(facts: Omit<Mounted, "chain">, above: readonly Mounted[]): Mounted {
  const chain: Mounted[] = [...above];
  const place: Mounted = { ...facts, chain };
  chain.push(place);
  return place;
}
