/** The contract of a dialect: every question whose answer depends on the protocol revision. */
import type { JsonObject, JsonValue } from "./json.ts";
import type { JsonRpcErrorObject } from "./json_rpc.ts";
import type { ErrorReason } from "./errors.ts";
import type { MirroredParam, StandardHeaders } from "./headers.ts";
import type {
  CacheHint,
  ClientCapabilities,
  Era,
  Implementation,
  InputRequest,
  InputRequests,
  InputResponses,
  JsonRpcNotification,
  JsonRpcRequest,
  LogLevel,
  Progress,
  RequestId,
} from "./types.ts";

/** From whom a message comes. */
export type Side = "client" | "server";

/** A value, or the error that stands for it. */
export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: JsonRpcErrorObject };

/** A request as it was read. */
export interface RequestIn {
  /** The JSON-RPC id. */
  readonly id: RequestId;
  /** The method. */
  readonly method: string;
  /** The params; an empty object when there are none. */
  readonly params: JsonObject;
  /** The params' `_meta`. */
  readonly meta: JsonObject;
  /** What the client says about itself. */
  readonly clientInfo: Implementation | undefined;
  /** What the client declared for this request. */
  readonly clientCapabilities: ClientCapabilities;
  /** Under which token progress is reported; nobody asked when it is absent. */
  readonly progressToken: string | number | undefined;
  /** From which level on the client wants log messages; none when it is absent. */
  readonly logLevel: LogLevel | undefined;
}

/** What is known about a client beside its request: what it said when it shook hands, and what it set since. */
export interface KnownClient {
  /** The client, as it names itself. */
  readonly clientInfo: Implementation | undefined;
  /** What it declared for the whole connection. */
  readonly clientCapabilities: ClientCapabilities;
  /** From which level on it wants log messages; the server's choice when it is absent. */
  readonly logLevel: LogLevel | undefined;
}

/** A request as it is to be written. */
export interface RequestOut {
  /** The JSON-RPC id. */
  readonly id: RequestId;
  /** The method. */
  readonly method: string;
  /** The params without the dialect's own members. */
  readonly params: JsonObject;
  /** The client, as it names itself. */
  readonly clientInfo: Implementation;
  /** What the client declares. */
  readonly clientCapabilities: ClientCapabilities;
  /** Under which token progress is wanted. */
  readonly progressToken: string | number | undefined;
  /** From which level on log messages are wanted. */
  readonly logLevel: LogLevel | undefined;
  /** Entries added to `_meta`. */
  readonly meta: JsonObject | undefined;
  /** Answers to an earlier round's questions. */
  readonly inputResponses: InputResponses | undefined;
  /** The state of an earlier round, unchanged. */
  readonly requestState: string | undefined;
  /** Arguments of the called tool that travel in headers too. */
  readonly mirrored: readonly MirroredParam[];
  /** The member of the params that `Mcp-Name` repeats, for a method of an extension; none when absent. */
  readonly header?: string | undefined;
}

/** A request ready to be sent. */
export interface WrittenRequest {
  /** The message. */
  readonly message: JsonRpcRequest;
  /** The headers for carriers that have them. */
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** A result as it was read. */
export type ResultIn =
  | { readonly type: "complete"; readonly result: JsonObject }
  | {
    readonly type: "input_required";
    readonly requests: InputRequests;
    readonly requestState: string | undefined;
    readonly result: JsonObject;
  }
  | { readonly type: "extension"; readonly resultType: string; readonly result: JsonObject };

/** What a server adds to every result; made once by {@linkcode Dialect.frame}. */
export interface ResultFrame {
  /** The `_meta` of a result that has none of its own. */
  readonly meta: JsonObject;
}

/** What a discover answer is made of. */
export interface DiscoverFacts {
  /** The versions that are served. */
  readonly supportedVersions: readonly string[];
  /** The server's capabilities. */
  readonly capabilities: JsonObject;
  /** What the server tells the model. */
  readonly instructions: string | undefined;
}

/** What `initialize` says. */
export interface Hello {
  /** The revision that the client proposes; any string when it was read. */
  readonly version: string;
  /** The client, as it names itself. */
  readonly clientInfo: Implementation;
  /** What it declares. */
  readonly clientCapabilities: ClientCapabilities;
  /** The extensions to declare that exist in revisions with a handshake, by identifier; only when it is written. */
  readonly extensions?: JsonObject | undefined;
}

/** What the answer to `initialize` is made of. */
export interface WelcomeFacts {
  /** The server, as it names itself. */
  readonly serverInfo: Implementation;
  /** The server's capabilities, as the newest revision has them. */
  readonly capabilities: JsonObject;
  /** What the server tells the model. */
  readonly instructions: string | undefined;
  /** The extensions to declare that exist in revisions with a handshake, by identifier. */
  readonly extensions?: JsonObject | undefined;
  /** Does the connection outlast this exchange? Otherwise nothing is declared that needs that: subscriptions, list changes. */
  readonly lasting: boolean;
}

/** The answer to `initialize`, as it was read. */
export interface Welcome {
  /** The revision that the server chose; any string. */
  readonly version: string;
  /** The server, as it names itself. */
  readonly serverInfo: Implementation | undefined;
  /** What it declares. */
  readonly capabilities: JsonObject;
  /** What it tells the model. */
  readonly instructions: string | undefined;
}

/** How a server asks a client in the middle of a call. */
export interface QuestionOut {
  /** The JSON-RPC id, of the server's own counting. */
  readonly id: RequestId;
  /** The question, as the newest revision has it. */
  readonly question: InputRequest;
  /** Under which token the client may report progress. */
  readonly progressToken: string | number | undefined;
  /** Unguessable; names a visit to a URL where the revision wants it named. */
  readonly elicitationId: string;
}

/** What is known of a revision that begins with a handshake before a word is spoken in it. */
export interface HandshakeFacts {
  /** May a stream begin with an event that has an id and no data, and be left by the server, to be polled for the rest? */
  readonly polls: boolean;
}

/** What only revisions that begin with a handshake know (MCP 2025-11-25, Lifecycle; MCP 2025-06-18, Lifecycle). */
export interface Handshake extends HandshakeFacts {
  /** Writes `initialize`; `hello.version` is this revision. */
  writeHello(id: RequestId, hello: Omit<Hello, "version">): WrittenRequest;
  /** Reads the params of `initialize`. */
  readHello(params: JsonObject): Outcome<Hello>;
  /** Writes the result of `initialize`. */
  writeWelcome(facts: WelcomeFacts): JsonObject;
  /** Reads the result of `initialize`. */
  readWelcome(result: JsonObject): Outcome<Welcome>;
  /** Server: which capability the client lacks for a question, in the form of `requiredCapabilities`; undefined when none. */
  missingCapability(question: InputRequest, declared: ClientCapabilities): JsonObject | undefined;
  /** Server: writes a question as a request; an error when the revision has no such question. */
  writeQuestion(question: QuestionOut): Outcome<JsonRpcRequest>;
  /** Server: reads the client's result as the newest revision has the answer. */
  readAnswer(question: InputRequest, result: JsonObject): Outcome<JsonObject>;
  /** Client: reads a request of the server as a question; -32601 for another method, -32602 for params that lack their keys. */
  readQuestion(message: JsonRpcRequest): Outcome<InputRequest>;
  /** Client: writes an answer as the result of that request. */
  writeAnswer(question: InputRequest, answer: JsonObject): JsonObject;
  /** Server: writes a notification of a change, which belongs to no request here. */
  writeChange(method: string, params: JsonObject): JsonRpcNotification;
}

/** Structured content as a revision has it. */
export interface StructuredOut {
  /** What goes into `structuredContent`. */
  readonly value: JsonValue;
  /** What is added to the `_meta` of the result; nothing when the value is as it was given. */
  readonly meta: JsonObject | undefined;
}

/** What is known of a revision before a word is spoken in it. Nothing here performs I/O or throws. */
export interface DialectFacts {
  /** The revision, as it is spelled on the wire. */
  readonly version: string;
  /** Stateless revisions are "modern"; those that begin with a handshake are "legacy". */
  readonly era: Era;
  /**
   * How a client cancels over HTTP. With "notification" its hanging up means nothing: the work goes on
   * (MCP 2025-11-25, Streamable HTTP § Sending Messages).
   */
  readonly cancelBy: "notification" | "closing-the-stream";
  /** How arguments that do not fit a tool's schema are reported. */
  readonly argumentFaults: "protocol_error" | "tool_result";
  /** Is this a request of the revision's core protocol? */
  hasRequest(method: string, from: Side): boolean;
  /** Is this a notification of the revision's core protocol? */
  hasNotification(method: string, from: Side): boolean;
  /** Is this method answered with a stream in any case? */
  answersWithStream(method: string): boolean;
  /** May an answer to this method ask for input? */
  mayAskForInput(method: string): boolean;
  /** Why the HTTP headers do not go with the message, or undefined; before the params are looked at. */
  missingHeader(request: JsonRpcRequest, headers: StandardHeaders): string | undefined;
  /** Which HTTP header differs from the message, as a sentence, or undefined. */
  headerMismatch(request: JsonRpcRequest, headers: StandardHeaders): string | undefined;
  /** What a server adds to every result. */
  frame(serverInfo: Implementation): ResultFrame;
  /** May an error with this code be sent? The protocol keeps some codes for itself. */
  allowsErrorCode(code: number): boolean;
  /** The JSON-RPC code for a reason. */
  errorCode(reason: ErrorReason): number;
  /**
   * The reason for a code that this revision alone has for it, in the answer to a request of that method; undefined for codes that
   * mean the same in every revision. Whoever throws such an error on can then answer with the code of another revision.
   */
  errorReason(code: number, method: string): ErrorReason | undefined;
  /** The HTTP status of a response that holds this error code after the request was accepted. */
  httpStatus(code: number): number;
}

/** Every question whose answer depends on the revision. Nothing here performs I/O or throws. */
export interface Dialect extends DialectFacts {
  /** There when the revision begins with a handshake. */
  readonly handshake: Handshake | undefined;
  /**
   * Loads what else is here. It is there until that is done: before, only the facts are known, and `handshake.polls`. Whoever is
   * to read or write in the dialect loads it first.
   */
  readonly load?: (() => Promise<void>) | undefined;
  /** Reads a request: its params, its `_meta`. `known` is what a handshake said; revisions without one do not look at it. */
  readRequest(message: JsonRpcRequest, known?: KnownClient): Outcome<RequestIn>;
  /** Writes a request, with the headers that go with it. */
  writeRequest(request: RequestOut): WrittenRequest;
  /** The headers that go with a notification, for carriers that have them. */
  notificationHeaders(method: string): readonly (readonly [name: string, value: string])[];
  /** The headers that go with everything else that a client sends: answers, streams, the end of a session. */
  readonly sessionHeaders: readonly (readonly [name: string, value: string])[];
  /** Reads a result: complete, asking for input, or of an extension's type. */
  readResult(method: string, result: JsonObject, extensionTypes: ReadonlySet<string>): Outcome<ResultIn>;
  /** Writes a result: what the revision demands is added, what it does not know is left out. */
  writeResult(method: string, result: JsonObject, frame: ResultFrame, cache?: CacheHint): JsonObject;
  /** Writes a result that asks for input. */
  writeInputRequired(requests: InputRequests | undefined, requestState: string | undefined, frame: ResultFrame): JsonObject;
  /**
   * Writes the structured content of a tool's result. Where it must be an object, a tool whose `outputSchema` has another
   * root gets both wrapped alike, `{ "result": value }`, and the result is marked in its `_meta`.
   */
  writeStructured(value: JsonValue, outputSchema: JsonObject | undefined): StructuredOut;
  /** Reads the structured content of a tool's result as the tool gave it; undefined when there is none. */
  readStructured(result: JsonObject): JsonValue | undefined;
  /** Writes the definition of a tool, resource, template or prompt as the revision lists it. */
  writeDefinition(kind: "tool" | "resource" | "template" | "prompt", definition: JsonObject): JsonObject;
  /** Writes the answer about the server itself. */
  writeDiscover(facts: DiscoverFacts, frame: ResultFrame, cache?: CacheHint): JsonObject;
  /** Writes a progress notification. */
  writeProgress(token: string | number, progress: Progress): JsonRpcNotification;
  /** Writes a log notification. */
  writeLog(level: LogLevel, data: JsonValue, logger: string | undefined): JsonRpcNotification;
  /** Writes a notification of a change stream. */
  writeChange(method: string, params: JsonObject, subscription: RequestId): JsonRpcNotification;
  /** Writes the answer to a change stream that the server ends. */
  writeStreamEnd(subscription: RequestId, frame: ResultFrame): JsonObject;
  /** Writes what follows that answer on duplex carriers; nothing when the revision has no such notice. */
  writeStreamCancelled(subscription: RequestId): JsonRpcNotification | undefined;
}

/** How a revision that begins with a handshake reads and writes. */
export interface HandshakeWords extends Omit<Dialect, keyof DialectFacts | "handshake" | "load"> {
  /** The handshake, but for what is known of it at once. */
  readonly handshake: Omit<Handshake, keyof HandshakeFacts>;
}
