/** What a served extension brings along for servers, so that a server without extensions carries nothing of it. */
import type { Context } from "../context.ts";
import type { Dialect, RequestIn } from "../dialect.ts";
import type { HeaderReader } from "../headers.ts";
import type { ResolvedLimits } from "../limits.ts";
import type { Validator } from "../json_schema.ts";
import type { Schema } from "../schema.ts";
import type { CompiledSchema } from "../standard_schema.ts";
import type { Awaitable, CacheHint, JsonObject, JsonRpcNotification } from "../types.ts";
import type { ServerExtension } from "./extension_types.ts";

/** A request on its way through a server, as extensions look at it. */
export interface ServedExchange {
  /** The dialect that it is spoken in. */
  readonly dialect: Pick<Dialect, "handshake">;
  /** The request. */
  readonly request: RequestIn;
  /** How it came; no headers where there are none. */
  readonly info: { readonly headers?: HeaderReader | undefined };
  /** Writes a complete result as the dialect has it. */
  write(result: JsonObject, cache?: CacheHint): JsonObject;
}

/** The checked value, or a sentence that says what is wrong with it. */
export type CheckedValue = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly sentence: string };

/** Checks values by one schema. */
export interface ValueChecker {
  /** Gets ready. */
  load(): Promise<void>;
  /** Checks a value. */
  check(value: unknown): Awaitable<CheckedValue>;
}

/** The parts that a server lends its extensions, so that an extension alone, in a program without a server, does not load them. */
export type ServingKit<E extends ServedExchange> = readonly [
  /** What a handler sees of a request. */
  contextOf: (exchange: E) => Context,
  /** Reads a schema. Throws for what is none; `path` is where it stands. */
  readSchema: (schema: Schema, direction: "input" | "output", path: string) => CompiledSchema,
  /** Makes the checker of a schema. */
  checkerOf: (schema: CompiledSchema, validator: () => Promise<Validator>, part: "params" | "result") => ValueChecker,
  /** Says where a value is not JSON. */
  jsonFault: (value: unknown, path: string) => string | undefined,
];

/** How a server answers one method of an extension. */
export interface ServedCall<E extends ServedExchange> {
  /** It runs code of the application. */
  readonly runsHandler: true;
  /** Does it exist in a dialect? */
  isIn(dialect: Pick<Dialect, "handshake">): boolean;
  /** Refuses callers before anything runs. */
  guard(exchange: E): void;
  /** Answers with a result that is written. */
  answer(exchange: E): Promise<JsonObject>;
  /** Writes a result that came through middleware. */
  write(exchange: E, result: JsonObject): JsonObject;
}

/** A request for a change stream, as extensions look at it. */
export interface ListeningExchange extends ServedExchange {
  /** The dialect that it is spoken in. */
  readonly dialect: Pick<Dialect, "handshake" | "writeChange">;
  /** The bounds of the server, and where faults go. */
  readonly core: {
    readonly limits: Pick<ResolvedLimits, "subscriptionBuffer">;
    /** Tells the application of a fault. */
    readonly report: (error: unknown, request: RequestIn) => unknown;
  };
  /** Has it ended? */
  readonly done: boolean;
  /** Sends a notification on the stream; resolves when there is room for more. */
  emit(message: JsonRpcNotification): Promise<void>;
  /** Calls a function once, when it has ended. */
  whenSettled(listener: () => void): unknown;
}

/** What extensions add to a change stream. */
export interface ListenExtras {
  /** What they agreed to, by key of the filter. */
  readonly accepted: JsonObject;
  /** Called when the acknowledgement was sent. */
  readonly acknowledged: () => void;
}

/** What a server offers, as far as extensions add to it. */
export interface Catalogue {
  /** Its resources; undefined when it has none. */
  readonly resources?: readonly unknown[] | undefined;
  /** Its tools, by name. */
  readonly toolsByName: ReadonlyMap<string, { readonly parts: unknown }>;
  /** What it declares for extensions; undefined when it has none. */
  readonly declared?: Declared | undefined;
}

/** What a server declares for extensions, by identifier. */
export interface Declared {
  /** The settings of each. */
  readonly extensions: { readonly [id: string]: JsonObject };
}

/** The extensions of one server, checked, and what serves them. */
export interface ServedTogether<E extends ServedExchange> extends ReadonlyArray<ServerExtension> {
  /** What is declared where there is a handshake; undefined when nothing is. */
  readonly inHandshake: { readonly [id: string]: JsonObject } | undefined;
  /** Does one serve a key of filters? */
  readonly listens: boolean;
  /**
   * A catalogue together with what they declare and the resources that they bring along now, its tools as they make them.
   *
   * @param own The catalogue.
   * @param create Makes the catalogue.
   */
  catalogue<C extends Catalogue>(own: C, create: (parts: C) => C): C;
  /**
   * Refuses a mount that would leave one of them behind.
   *
   * @param name The server that is mounted.
   * @param outer What it is mounted in.
   * @throws {TypeError} Naming both servers and the extension.
   */
  checkKept(name: string, outer: { readonly name: string; readonly extensions?: readonly ServerExtension[] | undefined }): void;
  /** The methods, by name; their values are checked by the validator of the server. Throws for a schema that is none. */
  methods(server: { readonly validator: () => Promise<Validator> }, ...kit: ServingKit<E>): [string, ServedCall<E>][];
  /**
   * Opens what a filter asks of extensions; undefined when it asks for nothing of them.
   *
   * @param contextOf What a handler sees of a request.
   * @throws {ProtocolError} -32021 for a key of an extension that the client does not declare.
   */
  open(exchange: E & ListeningExchange, contextOf: (exchange: E) => Context): Promise<ListenExtras> | undefined;
}

/** The member of a served extension that serves it, together with others. */
export const SERVING: unique symbol = Symbol("extensions");

/** An extension as `serve` returns it. */
export interface Served {
  /** Checks the extensions of a server, and serves them. */
  readonly [SERVING]: <E extends ServedExchange>(extensions: readonly ServerExtension[]) => ServedTogether<E>;
}
