/** A connection within a process, as its exchanges see it. */
import type { ResolvedLimits } from "../protocol/limits.ts";
import type { StrayMessages } from "./stray_messages.ts";
import type { Connection, Principal, Served } from "./transport.ts";

/** Options of {@linkcode connectInMemory}. */
export interface InMemoryOptions {
  /** Who the server is told is calling; nobody by default. */
  readonly principal?: Principal | undefined;
  /**
   * `jsonDepth`: what nests too deep to be copied is refused under this limit, and of a list only the items that pass it are left
   * out; that of `default`.
   */
  readonly limits?: Pick<ResolvedLimits, "jsonDepth"> | undefined;
  /** Told of items of a list that are left out, and of notifications that nest too deep to be copied. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** The connection that an exchange belongs to. */
export interface MemoryOwner {
  /** The server. */
  readonly server: Served;
  /** Who is calling, a bound, and who hears of items that are left out. */
  readonly options: InMemoryOptions;
  /** The connection that the server is told of. */
  readonly connection: Connection;
  /** What the server sends beside answers. */
  readonly incoming: StrayMessages;
  /** The exchanges that are open, or listened to. */
  readonly open: Set<object>;
  /** Is it closed? */
  readonly closed: boolean;
}
