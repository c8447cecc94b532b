/** What a connection is made of, and what it is asked to send. */
import type { Dialect, ResultIn } from "../protocol/dialect.ts";
import type { LIST } from "../protocol/extensions/extension_list.ts";
import type { MirroredParam } from "../protocol/headers.ts";
import type { ResolvedLimits } from "../protocol/limits.ts";
import type { ClientCapabilities, Implementation, InputResponses, JsonObject } from "../protocol/types.ts";
import type { Transport } from "../transports/transport.ts";
import type { AskingCall, InputSettings } from "./input/asking_call.ts";
import type { AnswerCache, CacheHost } from "./cache/cache_types.ts";
import type { DeadlineWatch } from "./waits/deadline_watch.ts";
import type { CallOptions, ClientMiddleware, InputHandlers, LogMessage, RequestOptions } from "./options.ts";
import type { CacheMode, CallTimes } from "./request_settings.ts";
import type { SentSecrets } from "./secrets/sent_secrets.ts";

/** What a connection is made of. */
export interface ConnectionSettings {
  /** The carrier. */
  readonly transport: Transport;
  /** Starts the server again, where the client started it: once, when it did not survive a probe. */
  readonly reopen?: (() => Promise<Transport>) | undefined;
  /** Watches all deadlines; one of its own by default. */
  readonly watch?: DeadlineWatch | undefined;
  /** Has the server sent something that is not a message? */
  readonly confused?: (() => boolean) | undefined;
  /** The dialects that may be spoken, newest first. */
  readonly dialects: readonly Dialect[];
  /** How this client names itself. */
  readonly info: Implementation;
  /** What it declares. */
  readonly capabilities: ClientCapabilities;
  /** Who answers the server's questions. */
  readonly inputs: InputHandlers;
  /** May the stream for what belongs to no call be opened? */
  readonly getStream: boolean;
  /** All bounds. */
  readonly limits: ResolvedLimits;
  /** The carrier has HTTP headers. */
  readonly overHttp: boolean;
  /** The credentials that have left, where there are any: errors are told without them. */
  readonly secrets?: SentSecrets | undefined;
  /** The extensions that are spoken, where there are any. */
  readonly extensions?: SpokenExtensions | undefined;
  /** Runs around every request, outermost first. */
  readonly use: readonly ClientMiddleware[];
  /** Makes the cache of answers; absent when nothing is cached. */
  readonly cache?: ((host: CacheHost) => AnswerCache) | undefined;
  /** Takes log messages. */
  readonly onLog: ((message: LogMessage) => void) | undefined;
  /** Told of faults that belong to no call. */
  readonly onError: ((error: unknown) => void) | undefined;
}

/** The extensions of one client, as its parts use them. */
export interface SpokenExtensions {
  /** What is declared in revisions with a handshake, by identifier; undefined when nothing is. */
  readonly inHandshake: JsonObject | undefined;
  /** The member of the params of a method that a header repeats; undefined when none does. */
  header(method: string): string | undefined;
  /** Notes what client and server agreed on. */
  agree(opened: Agreed): void;
  /** The types that results of a method may have. */
  types(method: string): ReadonlySet<string>;
  /** Tells each of them of its client. */
  attach(client: object, connection: Sending, inputs: InputSettings): void;
  /** What sends the rounds of a call after a result of one of their types; undefined when that result is the call's own. */
  follow(
    connection: Sending,
    method: string,
    options: CallOptions,
    answer: Extract<ResultIn, { readonly type: "extension" }>,
  ): AskingCall<unknown>["send"] | undefined;
}

/** What client and server agreed on, as far as extensions depend on it. */
export interface Agreed {
  /** The dialect. */
  readonly dialect: Pick<Dialect, "handshake">;
  /** What is known about the server. */
  readonly facts: { readonly capabilities: { readonly extensions?: object | undefined } };
  /** Has the server said so itself? */
  readonly confirmed: boolean;
}

/** A connection, as calls and extensions use it. */
export interface Sending {
  /** What it is made of. */
  readonly settings: ConnectionSettings;
  /** Deadlines of whatever waits. */
  readonly watch: DeadlineWatch;
  /** Sends a request, and reads its result. */
  request(call: Call): Promise<ResultIn>;
  /** An error without the credentials that the server may have repeated. */
  cleaned<T>(error: T): T;
}

/** One request as the client's methods want it sent. */
export interface Call {
  /** The method. */
  readonly method: string;
  /** The params without the dialect's own members. */
  readonly params: JsonObject;
  /** The options of the call. */
  readonly options: RequestOptions & { readonly [LIST]?: string | undefined };
  /** Its times; they outlast single rounds and pages. */
  readonly times: CallTimes;
  /** Entries for `_meta`. */
  readonly meta: JsonObject | undefined;
  /** Answers to an earlier round. */
  readonly inputResponses?: InputResponses | undefined;
  /** The state of an earlier round. */
  readonly requestState?: string | undefined;
  /** Arguments that travel in headers too. */
  readonly mirrored?: readonly MirroredParam[] | undefined;
  /** How the cache takes part; absent where it never does. "bypass" asks and keeps nothing. */
  readonly cache?: CacheMode | undefined;
  /** What happens when the session is lost before it ran: by default it is repeated in a new one. */
  readonly onSessionLost?: "repeat" | "fail" | undefined;
}

/** Something that ends with the connection. */
export interface Closable {
  /** Ends it. */
  close(): Promise<void>;
}
