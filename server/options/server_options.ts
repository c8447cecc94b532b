/** What a server is defined with, beside its components. */
import type { Authenticator } from "../../protocol/auth/authenticator.ts";
import type { ServerExtension } from "../../protocol/extensions/extension_types.ts";
import type { Validator } from "../../protocol/json_schema.ts";
import type { Awaitable, CacheHint, Icon, LimitOptions, ProtocolVersion } from "../../protocol/types.ts";
import type { Middleware } from "../middleware/middleware_types.ts";
import type { EventBus } from "../stores/event_bus.ts";
import type { Store } from "../stores/store.ts";

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
  /**
   * Sessions for the handshake revisions over HTTP: off by default, in the memory of this process with `true`, or in a store
   * that instances share. Keys of `stateKeys` seal their ids, which only servers of the same `name` open.
   *
   * Without a store, an instance with the same keys begins a session anew that another one opened, and the
   * end of a session (DELETE) is known only to the instance that was told: until `limits.sessionAge` is over, others still take its id.
   */
  readonly sessions?: boolean | { readonly store?: Store | undefined } | undefined;
  /** Carries changes between instances; in memory by default. */
  readonly bus?: EventBus | undefined;
  /** Answer under this path only; under every path by default, so that a router may decide. */
  readonly path?: string | undefined;
  /** Hosts this server is reached under; loopback is always allowed. */
  readonly hosts?: readonly string[] | undefined;
  /** Web origins that may call; port-exact. */
  readonly origins?: readonly string[] | undefined;
  /** Who may call over HTTP; see `@causeway/mcp/server/auth`. */
  readonly auth?: Authenticator | undefined;
  /** Time, size and count limits; the preset "default" when absent. */
  readonly limits?: LimitOptions | undefined;
  /** Items on one page of a list; the limit `pageSize` (100) when absent. */
  readonly pageSize?: number | undefined;
  /** How long, and for whom, lists, discovery and what is read may be kept; not at all when absent. */
  readonly cache?:
    | { readonly [K in "discover" | "tools" | "prompts" | "resources" | "templates" | "read"]?: CacheHint }
    | undefined;
  /**
   * Keys that seal request state and ids of sessions, newest first. 32 bytes each, or text from which a key is derived. What is
   * sealed opens on servers of the same `name` alone.
   */
  readonly stateKeys?: readonly (Uint8Array | string)[] | undefined;
  /**
   * Lets each sealed request state be used once: called with the id of a state that came back, and the time in milliseconds
   * since 1970 until which it opens. It keeps the id, on all instances, and says true if it was new; otherwise the request
   * is refused, also when a client sends it again because the answer was lost (MCP 2026-07-28, Multi Round-Trip Requests §
   * Server requirements). By default a state opens as often as it is sent.
   */
  readonly consumeState?: ((id: string, until: number) => Awaitable<boolean>) | undefined;
  /** Checks arguments and outputs in place of the validator that fits the runtime. */
  readonly validator?: Validator | undefined;
  /** Runs around every request, outermost first; see {@linkcode Middleware} for the rules. */
  readonly use?: readonly Middleware[] | undefined;
  /** What `serve` of extensions returns. A client reaches their methods when its request declares them, or they are `undeclared`. */
  readonly extensions?: readonly ServerExtension[] | undefined;
  /**
   * Where warnings, masked errors and handlers that ran longer than `handlerDeadline` go; silent without it. The `id` is what the
   * client of a masked error is told; `method` is empty for what belongs to no request, and `name` is the tool, prompt or
   * resource that the request names, as the client wrote it, and cut when it is long.
   */
  readonly onError?:
    | ((
      error: unknown,
      details: { readonly id: string; readonly method: string; readonly name?: string | undefined },
    ) => void)
    | undefined;
}
