/** What a server is defined with, beside its components. */
import type { Validator } from "../protocol/json_schema.ts";
import type { CacheHint, Icon, LimitOptions, ProtocolVersion } from "../protocol/types.ts";
import type { EventBus } from "./stores/event_bus.ts";

/** Everything about a server but its components. */
export interface ServerOptions {
  /** For programs. */
  readonly name: string;
  /** The version of the server. */
  readonly version: string;
  /** For people. */
  readonly title?: string | undefined;
  /** What the server is for. */
  readonly description?: string | undefined;
  /** Icons that a host may draw. */
  readonly icons?: readonly Icon[] | undefined;
  /** Where people find out more. */
  readonly websiteUrl?: string | undefined;
  /** Told to the model by the client. */
  readonly instructions?: string | undefined;
  /** Revisions to serve; all by default. */
  readonly versions?: readonly ProtocolVersion[] | undefined;
  /** Carries changes between instances; in memory by default. */
  readonly bus?: EventBus | undefined;
  /** Answer under this path only; under every path by default, so that a router may decide. */
  readonly path?: string | undefined;
  /** Hosts this server is reached under; loopback is always allowed. */
  readonly hosts?: readonly string[] | undefined;
  /** Web origins that may call; port-exact. */
  readonly origins?: readonly string[] | undefined;
  /** Time, size and count limits. */
  readonly limits?: LimitOptions | undefined;
  /** Items on one page of a list. */
  readonly pageSize?: number | undefined;
  /** How long lists and discovery may be kept. */
  readonly cache?:
    | { readonly [K in "discover" | "tools" | "prompts" | "resources" | "templates" | "read"]?: CacheHint }
    | undefined;
  /** Keys that seal request state, newest first. 32 bytes each, or text from which a key is derived. */
  readonly stateKeys?: readonly (Uint8Array | string)[] | undefined;
  /** Instead of the one that fits the runtime. */
  readonly validator?: Validator | undefined;
  /** Where warnings and masked errors go; silent without it. */
  readonly onError?: ((error: unknown, details: { readonly id: string; readonly method: string }) => void) | undefined;
}
