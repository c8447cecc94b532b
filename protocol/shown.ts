/** Names from the peer, made fit for a message. */
import { SHOWN_LENGTH } from "./limits.ts";

/** A name from the peer, short enough for a message. */
export function shown(name: string): string {
  return name.length <= SHOWN_LENGTH ? name : `${name.slice(0, SHOWN_LENGTH)}…`;
}
