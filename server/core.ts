/** What the parts of one server share. */
import type { Dialect, RequestIn, ResultFrame } from "../protocol/dialect.ts";
import type { ListenExtras, ServedTogether } from "../protocol/extensions/extension_serving.ts";
import type { Validator } from "../protocol/json_schema.ts";
import type { ResolvedLimits } from "../protocol/limits.ts";
import type { MessageInfo } from "../transports/transport.ts";
import type { Notify } from "../protocol/context.ts";
import type { CacheHint, Implementation, JsonObject, JsonRpcNotification, JsonRpcRequest, RequestId } from "../protocol/types.ts";
import type { Admission } from "./requests/admission.ts";
import type { Change } from "./changes/changes.ts";
import type { StateSealer } from "./input/request_state.ts";
import type { Running } from "./requests/running.ts";
import type { Questions } from "./input/questions.ts";
import type { ServerOptions } from "./options/server_options.ts";
import type { SessionMail } from "./session_mail.ts";
import type { Sessions } from "./sessions.ts";
import type { EventBus } from "./stores/event_bus.ts";

/** One request on its way through the server, as its method sees it. */
export interface Exchange {
  /** What the server's parts share. */
  readonly core: Core;
  /** The dialect that the request is spoken in. */
  readonly dialect: Dialect;
  /** The request. */
  readonly request: RequestIn;
  /** What is known about how it came. */
  readonly info: MessageInfo;
  /** What the dialect adds to every result. */
  readonly frame: ResultFrame;
  /** Aborted by cancel, disconnect, deadline and shutdown. Made when it is first asked for. */
  readonly signal: AbortSignal;
  /** Has the request been answered, cancelled or given up? */
  readonly done: boolean;
  /** Is there middleware around it? Then `write` leaves results in the form of the newest revision. */
  readonly layered?: true;
  /** Milliseconds that the handler has; the server's own limit unless the component sets another. */
  deadline: number;
  /** Sends what is held back, right before the answer. */
  beforeAnswer: (() => void) | undefined;
  /** Sent after the answer, where the answer is a stream. */
  afterAnswer: JsonRpcNotification | undefined;
  /** Called once when the request is answered, cancelled or given up. */
  onSettled: (() => void) | undefined;
  /** Writes a complete result as the dialect has it. */
  write(result: JsonObject, cache?: CacheHint): JsonObject;
  /** Sends a notification, or a question to the client, on the stream of this request; resolves when there is room for more. */
  emit(message: JsonRpcNotification | JsonRpcRequest): Promise<void>;
  /**
   * Waits for something that is not this server's work: meanwhile the deadline stands still and the handler's slot is free. It then
   * gets a slot ahead of calls that wait for their first one.
   */
  aside<T>(wait: () => Promise<T>): Promise<T>;
  /**
   * Registers a listener that is called once when the request is answered, cancelled or given up.
   *
   * @returns Takes the listener back.
   */
  whenSettled(listener: () => void): () => void;
  /** Gives the request up without an answer. */
  cancel(reason: unknown): void;
}

/** The open change streams, as the other parts see them. */
export interface OpenSubscriptions {
  /** Opens a stream, which is told first of what it missed; resolves with its result when the server ends it. */
  open(exchange: Exchange, wanted: JsonObject, extras?: ListenExtras, missed?: Iterable<Change>): Promise<JsonObject>;
  /** Ends every stream with its result. */
  endAll(): void;
}

/** How one method is answered. */
export interface Method {
  /** Does it run code of the application? Then it needs a slot and has a deadline. */
  readonly runsHandler: boolean;
  /** Does it exist in a dialect? Undefined for methods of the protocol. */
  readonly isIn?: (dialect: Dialect) => boolean;
  /** Does the answer come when a stream ends? Meanwhile it needs neither slot nor deadline. */
  readonly lasts?: true;
  /** Refuses callers, before anything runs or waits and before a stream begins: throws what becomes an error. */
  guard?(exchange: Exchange): void;
  /** Answers with a result that `exchange.write` has written; throws what becomes an error. */
  answer(exchange: Exchange): JsonObject | Promise<JsonObject>;
  /** Checks the request as the client sent it, before middleware that may change it. `answer` does that itself otherwise. */
  check?(exchange: Exchange): void;
  /** Writes a result that came through middleware for the client; it goes out as it is when absent. */
  write?(exchange: Exchange, result: JsonObject, facts: LayeredResult): JsonObject;
  /** Makes a result of what middleware threw, or throws it again. */
  recover?(exchange: Exchange, error: unknown): JsonObject;
}

/** What is known about a result that came through middleware. */
export interface LayeredResult {
  /** Is it another one than `answer` gave? */
  readonly changed: boolean;
  /** For whom an unchanged one may be kept. */
  readonly cacheScope: CacheHint["cacheScope"];
}

/** Options of a server without a fault. */
export interface CheckedOptions extends Omit<ServerOptions, "extensions"> {
  /** The extensions, and what serves them; undefined when there are none. */
  readonly extensions: ServedTogether<Exchange> | undefined;
}

/** What the parts of one server share; made once, when the server is defined. */
export interface Core {
  /** The options that the server was defined with. */
  readonly options: CheckedOptions;
  /** Every bound. */
  readonly limits: ResolvedLimits;
  /** The dialects that are served, newest first. */
  readonly dialects: readonly Dialect[];
  /** What each dialect adds to every result. */
  readonly frames: ReadonlyMap<Dialect, ResultFrame>;
  /** The server, as it names itself. */
  readonly info: Implementation;
  /** How each method is answered, in each dialect that is served. Swapped as a whole when the catalogue is. */
  methods: ReadonlyMap<Dialect, ReadonlyMap<string, Method>>;
  /** Requests that run. */
  readonly running: Running;
  /** Requests that run in sessions and on duplex connections, by id, so that they can be cancelled. */
  readonly inFlight: WeakMap<object, Map<RequestId, Exchange>>;
  /** Slots for handlers. */
  readonly admission: Admission;
  /** Carries changes between instances. */
  readonly bus: EventBus;
  /** Open change streams; undefined before the first one. */
  subscriptions: OpenSubscriptions | undefined;
  /** The sessions that are told of changes. */
  readonly sessions: Sessions;
  /** Questions to clients that wait for their answers; undefined before the first one. */
  questions: Questions | undefined;
  /** Answers that arrive on another instance than the one that asked. */
  readonly mail: SessionMail;
  /** Publishes changes. */
  readonly notify: Notify;
  /** Seals request state; undefined before the first one. */
  sealer: StateSealer | undefined;
  /** The validator; its library is loaded on first use. */
  readonly validator: () => Promise<Validator>;
  /** Reports what must not go to the peer, and the request that led to it; returns the id that the peer is told instead. */
  readonly report: (error: unknown, request?: Pick<RequestIn, "method" | "params">) => string;
  /** Set when the server takes nothing new. */
  closed: boolean;
}
