/** What the parts of one server share. */
import type { Dialect, ResultFrame } from "../protocol/dialect.ts";
import type { Validator } from "../protocol/json_schema.ts";
import type { ResolvedLimits } from "../protocol/limits.ts";
import type { RequestId } from "../protocol/types.ts";
import type { Connection } from "../transports/transport.ts";
import type { Admission } from "./admission.ts";
import type { Exchange } from "./exchange.ts";
import type { Notify } from "../protocol/context.ts";
import type { StateSealer } from "./request_state.ts";
import type { Running } from "./running.ts";
import type { ServerOptions } from "./server_options.ts";
import type { Subscriptions } from "./subscriptions.ts";
import type { Implementation, JsonObject } from "../protocol/types.ts";

/** How one method is answered. */
export interface Method {
  /** Does it run code of the application? Then it needs a slot and has a deadline. */
  readonly runsHandler: boolean;
  /** Answers with a result that the dialect has written; throws what becomes an error. */
  answer(exchange: Exchange): JsonObject | Promise<JsonObject>;
}

/** What the parts of one server share; made once, when the server is defined. */
export interface Core {
  /** The options that the server was defined with. */
  readonly options: ServerOptions;
  /** Every bound. */
  readonly limits: ResolvedLimits;
  /** The dialects that are served, newest first. */
  readonly dialects: readonly Dialect[];
  /** What each dialect adds to every result. */
  readonly frames: ReadonlyMap<Dialect, ResultFrame>;
  /** The server, as it names itself. */
  readonly info: Implementation;
  /** How each method is answered. */
  readonly methods: ReadonlyMap<string, Method>;
  /** Requests that run. */
  readonly running: Running;
  /** Requests that run on duplex connections, by id, so that they can be cancelled. */
  readonly inFlight: WeakMap<Connection, Map<RequestId, Exchange>>;
  /** Slots for handlers. */
  readonly admission: Admission;
  /** Open change streams. */
  readonly subscriptions: Subscriptions;
  /** Publishes changes. */
  readonly notify: Notify;
  /** Seals request state. */
  readonly sealer: StateSealer;
  /** The validator; its library is loaded on first use. */
  readonly validator: () => Promise<Validator>;
  /** Reports what must not go to the peer; returns the id that the peer is told instead. */
  readonly report: (error: unknown, method: string) => string;
  /** Set when the server takes nothing new. */
  closed: boolean;
}
