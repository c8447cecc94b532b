/** One session over HTTP: answers its POSTs, and holds its streams. */
import type { Dialect } from "../../protocol/dialect.ts";
import type { HeaderReader } from "../../protocol/headers.ts";
import { ERROR_CODES } from "../../protocol/errors.ts";
import { errorResponse, isNotification, isRequest } from "../../protocol/json_rpc.ts";
import type { HandshakeState } from "../../protocol/lifecycle.ts";
import type { ResolvedLimits } from "../../protocol/limits.ts";
import type { JsonRpcMessage, RequestId } from "../../protocol/types.ts";
import { encodeEvent } from "../../protocol/framing/sse.ts";
import { eventText } from "../event_text.ts";
import { followStream } from "./follow_stream.ts";
import type { Follower } from "./follow_stream.ts";
import { httpError, jsonResponse, lastOf } from "../http_response.ts";
import type { EventBudget } from "./event_budget.ts";
import type { NoticeBox } from "./notice_box.ts";
import { createSession } from "../session.ts";
import type { OpenSession } from "../session.ts";
import { SessionEvents } from "./session_events.ts";
import type { EventStore } from "./session_stores.ts";
import { SessionStream } from "./session_stream.ts";
import { StandingStream } from "./standing_stream.ts";
import type { SseResponses } from "../sse_response.ts";
import type { Connection, MessageHandler, MessageInfo, Principal } from "../transport.ts";

/** What all sessions of a server share. */
export interface HttpSessionParts {
  /** Answers messages. */
  readonly handle: MessageHandler;
  /** Bounds of streams, events and times. */
  readonly limits: ResolvedLimits;
  /** The dialects that are served. */
  readonly dialects: readonly Dialect[];
  /** Keeps the events of streams. */
  readonly events: EventStore;
  /** Bounds the responses and questions that are kept for all sessions. */
  readonly vital: EventBudget;
  /** Writes streams. */
  readonly streams: SseResponses;
  /** Told what a store or a handler throws. */
  readonly onError: (error: unknown) => void;
}

/** What one session begins with. */
export interface HttpSessionOptions {
  /** Random; names the session. */
  readonly key: string;
  /** May other instances serve it? */
  readonly shared: boolean;
  /** When it was opened, in milliseconds since 1970. */
  readonly issuedAt: number;
  /** The caller that it belongs to; undefined for anonymous ones. */
  readonly principal: string | undefined;
  /** Shares with other instances what all of them hear of; absent when there is nothing that they share. */
  readonly notices: NoticeBox | undefined;
  /** What an earlier instance agreed on. */
  readonly state: HandshakeState | undefined;
  /** Told of every new state; what it gives is waited for before the answer to the message that set it. Never rejects. */
  readonly onUpdate: (state: HandshakeState) => Promise<void> | undefined;
}

const CANCELLED = "notifications/cancelled";

/** An event id: the stream, with a mark of the process that began it, and the place. */
const EVENT_ID = /^([0-9a-f]{8}\.(?:g|[0-9]{1,15}))-([0-9]{1,15})$/;

/** One session over HTTP. */
export class HttpSession {
  /** Random; names the session. */
  readonly key: string;
  /** The caller that it belongs to; undefined for anonymous ones. */
  readonly principal: string | undefined;
  /** When it was opened, in milliseconds since 1970. */
  readonly issuedAt: number;
  /** The session as the server sees it. */
  readonly session: OpenSession;
  /** When it was last used, in milliseconds since 1970. */
  seenAt: number = Date.now();
  readonly #parts: HttpSessionParts;
  readonly #connection: Connection;
  readonly #events: SessionEvents | undefined;
  readonly #mark: string = crypto.randomUUID().slice(0, 8);
  readonly #standing: StandingStream;
  readonly #open = new Map<string, SessionStream>();
  /** Readers of streams that other instances write. */
  readonly #followers = new Map<string, Follower>();
  /** Answers that are being written. */
  readonly #writing = new Set<Promise<unknown>>();
  #finished: string[] = [];
  #counter = 0;
  #busy = 0;
  #updated: Promise<void> | undefined;

  /** Opens a session, or goes on with one. */
  constructor(parts: HttpSessionParts, options: HttpSessionOptions) {
    const { limits } = parts;
    const { key, shared, state, onUpdate } = options;
    this.key = key;
    this.principal = options.principal;
    this.issuedAt = options.issuedAt;
    this.#parts = parts;
    this.session = createSession({
      send: (message, everywhere) => this.#standing.send(message, everywhere),
      key: shared ? key : undefined,
      state,
      onUpdate: (next) => this.#updated = onUpdate(next),
    });
    this.#connection = Object.freeze({ transport: "http", session: this.session });
    this.#events = limits.sessionEvents === 0 || limits.sessionEventBytes === 0
      ? undefined
      : new SessionEvents({ store: parts.events, session: key, limits, vital: parts.vital, onError: parts.onError });
    const { notices } = options;
    this.#standing = new StandingStream({ id: `${this.#mark}.g`, events: this.#events, notices, limits, onReader: this.#count });
  }

  /** Is a request answered, or a stream read? */
  get busy(): boolean {
    return this.#busy > 0;
  }

  /** Resolves when the answers that are being written are; undefined when there is none. */
  get written(): Promise<unknown> | undefined {
    return this.#writing.size === 0 ? undefined : Promise.allSettled([...this.#writing]);
  }

  /** Answers a message that came by POST; `events` says whether the client takes a stream. */
  answer(
    message: JsonRpcMessage,
    headers: HeaderReader,
    principal: Principal | undefined,
    events: boolean,
  ): Promise<Response> {
    return this.#written(this.#answer(message, this.#info(headers, principal), events));
  }

  /** Answers a GET with what belongs to no request (MCP 2025-11-25, Streamable HTTP § Listening for Messages from the Server). */
  async listen(until?: number): Promise<Response> {
    return this.#parts.streams.events(await this.#standing.listen(), { until });
  }

  /** The session goes on listening here: other instances shall know. */
  renew(): void {
    this.#standing.renew();
  }

  /** Answers a GET that takes up a stream after an event; undefined when that cannot be done. */
  async resume(lastEventId: string, until?: number): Promise<Response | undefined> {
    const [, id, place] = EVENT_ID.exec(lastEventId) ?? [];
    if (id === undefined) return undefined;
    const after = Number(place);
    const own = id === this.#standing.id ? this.#standing : this.#open.get(id);
    if (own === undefined) return await this.#resumeForeign(id, after, until);
    const reader = await own.resume(after);
    if (reader === undefined) return undefined;
    return own instanceof StandingStream ? this.#parts.streams.events(reader, { until }) : this.#polled(own, reader, until);
  }

  /** Ends the session in this process; with `forget` its events are forgotten too. */
  async end(forget: boolean): Promise<void> {
    this.session.end();
    this.#standing.finish();
    for (const stream of this.#open.values()) stream.finish();
    this.#open.clear();
    if (forget) await this.#events?.clear();
    else this.#events?.release();
  }

  async #answer(message: JsonRpcMessage, info: MessageInfo, events: boolean): Promise<Response> {
    this.#busy++;
    try {
      const answer = await this.#parts.handle(message, info);
      // Another instance may serve what the client sends next.
      await this.#updated;
      if (!isRequest(message)) return accepted(answer, this.#parts.limits);
      if (answer === undefined) {
        return httpError(499, "Request given up: it was cancelled, or its session has ended", { id: message.id });
      }
      if (!(Symbol.asyncIterator in answer)) return jsonResponse(answer, this.#parts.limits);
      return events ? this.#streamed(answer) : await lastOf(this.#askedElsewhere(answer, info), message.id, this.#parts.limits);
    } finally {
      this.#busy--;
      this.seenAt = Date.now();
    }
  }

  #written<T>(writing: Promise<T>): Promise<T> {
    this.#writing.add(writing);
    const done = (): void => void this.#writing.delete(writing);
    writing.then(done, done);
    return writing;
  }

  #info(headers: HeaderReader, principal: Principal | undefined): MessageInfo {
    const { session } = this;
    return { principal, headers, connection: this.#connection, onDisconnect: (listener) => session.onEnd(listener) };
  }

  /** Answers a request with a stream that goes on without its reader (MCP 2025-11-25, Streamable HTTP § Resumability and Redelivery). */
  #streamed(answer: AsyncIterable<JsonRpcMessage>): Response {
    const stream = new SessionStream(`${this.#mark}.${++this.#counter}`, this.#events, this.#count, true);
    this.#open.set(stream.id, stream);
    const reader = stream.open();
    this.#busy++;
    void this.#written(this.#pump(answer, stream)).finally(() => {
      this.#busy--;
      this.seenAt = Date.now();
      this.#finish(stream);
    });
    return this.#polled(stream, reader);
  }

  /** What a client that takes no stream is asked goes on its GET stream; without one nobody waits for an answer in vain. */
  async *#askedElsewhere(answer: AsyncIterable<JsonRpcMessage>, info: MessageInfo): AsyncGenerator<JsonRpcMessage> {
    for await (const message of answer) {
      if (isRequest(message) && !this.#standing.read) {
        Promise.resolve(this.#parts.handle(unheard(message.id), info)).catch(this.#parts.onError);
      } else if ("method" in message && ("id" in message || message.method === CANCELLED)) void this.session.send(message);
      else yield message;
    }
  }

  async #pump(answer: AsyncIterable<JsonRpcMessage>, stream: SessionStream): Promise<void> {
    const { sseEvent } = this.#parts.limits;
    try {
      if (this.#polls) await stream.write("", true);
      for await (const message of answer) {
        if (stream.finished) return;
        const text = eventText(message, sseEvent);
        if (text !== undefined) await stream.write(text, !isNotification(message));
      }
    } catch (error) {
      this.#parts.onError(error);
    }
  }

  /** A finished stream may still be taken up, as long as the number of events that are kept allows any of it to be there. */
  #finish(stream: SessionStream): void {
    stream.finish();
    if (this.session.ended) return;
    this.#finished.push(stream.id);
    while (this.#finished.length > this.#parts.limits.sessionEvents) this.#open.delete(this.#finished.shift() as string);
  }

  /** The stream is closed after a while, and its client comes back for the rest, where the revision has that. */
  #polled(stream: SessionStream, reader: AsyncIterable<string>, until?: number): Response {
    const { streams, limits } = this.#parts;
    const polls = this.#polls && limits.streamAge > 0;
    return streams.events(reader, { onAge: polls ? () => stream.pause() : undefined, until });
  }

  /** A stream that another instance began: what is kept of it, and what that instance adds. */
  async #resumeForeign(id: string, after: number, until: number | undefined): Promise<Response | undefined> {
    const { streams, limits } = this.#parts;
    if (this.#events === undefined) return undefined;
    if (!id.endsWith(".g")) {
      // Notifications may be missing: what the call comes to is not lost for them.
      if ((await this.#events.read(id, 0)).length === 0) return undefined;
      const { session } = this;
      const age = this.#polls ? limits.streamAge : 0;
      // A stream has one reader, whichever instance writes it.
      this.#followers.get(id)?.stop();
      const onReader = (change: 1 | -1): void => {
        this.#count(change);
        if (change < 0 && this.#followers.get(id) === follower) this.#followers.delete(id);
      };
      const follower = followStream(this.#events, { id, after, session, age, onReader });
      this.#followers.set(id, follower);
      return streams.events(follower.queue, { until });
    }
    const kept = await this.#events.read(id, after);
    const first = kept[0]?.sequence;
    if (first !== after && first !== after + 1) return undefined;
    const missed = kept.filter(({ sequence }) => sequence > after);
    const written = missed.map(({ sequence, text }) => encodeEvent(text, { id: `${id}-${sequence}` }));
    return streams.events(await this.#standing.listen(written), { until });
  }

  get #polls(): boolean {
    const version = this.session.state?.version;
    const dialect = this.#parts.dialects.find((one) => one.version === version);
    return this.#events !== undefined && dialect?.handshake?.polls === true;
  }

  readonly #count = (change: 1 | -1): void => {
    this.#busy += change;
    this.seenAt = Date.now();
  };
}

/** Stands for the answer that a client cannot give to what it does not hear of. */
function unheard(id: RequestId): JsonRpcMessage {
  const sentence = "Asking the client: it takes no text/event-stream with this request, and has no GET stream open here";
  return errorResponse(id, ERROR_CODES.internal_error, sentence, { reason: "no_stream" });
}

/** A notification or a response is accepted without a body (MCP 2025-11-25, Streamable HTTP § Sending Messages), or refused. */
function accepted(answer: JsonRpcMessage | undefined | AsyncIterable<JsonRpcMessage>, limits: ResolvedLimits): Response {
  if (answer === undefined || Symbol.asyncIterator in answer) return new Response(null, { status: 202 });
  return jsonResponse(answer, limits);
}
