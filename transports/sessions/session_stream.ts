/** One stream of a session: its events have ids, it outlives its reader, and a reader may take it up again. */
import { encodeEvent } from "../../protocol/framing/sse.ts";
import { STREAM_RETRY } from "../../protocol/limits.ts";
import { ReaderQueue } from "../reader_queue.ts";
import type { SessionEvents } from "./session_events.ts";
import type { StoredEvent } from "./session_stores.ts";

/** Tells the client when to come back (MCP 2025-11-25, Streamable HTTP § Sending Messages). */
const RETRY = `retry: ${STREAM_RETRY}\n`;

/** One stream of a session (MCP 2025-11-25, Streamable HTTP § Resumability and Redelivery). */
export class SessionStream {
  /** The name of the stream, with which the ids of its events begin. */
  readonly id: string;
  readonly #events: SessionEvents | undefined;
  readonly #onReader: (change: 1 | -1) => void;
  readonly #gaps: boolean;
  /** The places of what must not be missing. */
  readonly #vital: number[] = [];
  #allotted = 0;
  #pushed = 0;
  #taken = 0;
  #floor = 0;
  #tail: Promise<void> = Promise.resolve();
  #reader: ReaderQueue<string> | undefined;
  #finished = false;

  /**
   * Begins a stream.
   *
   * @param id Unique in the session.
   * @param events Keeps the events; without it they have no ids, and what comes while nobody reads is lost.
   * @param onReader Told of a reader's coming and going.
   * @param gaps May a reader take it up again although events that are not vital are not kept any more?
   */
  constructor(id: string, events: SessionEvents | undefined, onReader: (change: 1 | -1) => void, gaps = false) {
    this.id = id;
    this.#events = events;
    this.#onReader = onReader;
    this.#gaps = gaps;
  }

  /** Has it a reader? */
  get read(): boolean {
    return this.#reader !== undefined;
  }

  /** Has everything been written? */
  get finished(): boolean {
    return this.#finished;
  }

  /**
   * Writes a message, or nothing but an id for the empty text; resolves when there is room for more. In the order of the calls.
   *
   * @param vital Must not be lost, as a response and a question must not.
   */
  write(text: string, vital = false): Promise<void> {
    return this.#tail = this.#tail.then(() => this.#write(text, vital));
  }

  /** Ends the stream: its reader gets what was written and the end. */
  finish(): void {
    if (this.#finished) return;
    this.#finished = true;
    this.#reader?.end();
    this.#forget(this.#reader);
  }

  /** Reads from now on, without what came before; in place of any other reader. */
  open(): ReaderQueue<string> {
    return this.#attach([]);
  }

  /**
   * Reads what no reader has taken yet, as far as it is kept, and goes on; in place of any other reader.
   *
   * @param before Events of another stream that go first.
   */
  async openUntaken(before: readonly string[] = []): Promise<ReaderQueue<string>> {
    return await this.#inTurn(async () => this.#attach(await this.#keptFrom(this.#taken), before));
  }

  /**
   * Reads what followed an event, and goes on; in place of any other reader.
   *
   * @returns Undefined when the event was never sent, or when what followed, or what counts of it, is not kept any more.
   */
  async resume(after: number): Promise<ReaderQueue<string> | undefined> {
    if (this.#events === undefined || after >= this.#pushed) return undefined;
    return await this.#inTurn(async () => {
      const kept = await this.#keptFrom(after + 1);
      return this.#suffices(kept, after) ? this.#attach(kept) : undefined;
    });
  }

  /** Sends the reader away; it may come back for the rest. */
  pause(): void {
    const reader = this.#reader;
    if (reader === undefined || this.#finished) return;
    this.#forget(reader);
    reader.push(`${RETRY}\n`);
    reader.end();
  }

  async #write(text: string, vital: boolean): Promise<void> {
    if (this.#finished) return;
    const sequence = this.#allotted++;
    if (vital) this.#vital.push(sequence);
    await this.#events?.append(this.id, { sequence, text }, vital);
    this.#pushed = sequence + 1;
    const reader = this.#reader;
    if (reader === undefined) return;
    this.#taken = this.#pushed;
    await reader.push(this.#encode({ sequence, text }));
  }

  /** Sends any reader away, and runs when what was written before is kept, and before more is: so nothing falls in between. */
  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const leave = (): void => this.#leave(this.#reader, this.#reader?.size ?? 0);
    // A reader that takes nothing would hold the turn up.
    leave();
    const turn = this.#tail.then(() => {
      leave();
      return run();
    });
    this.#tail = turn.then(() => undefined, () => undefined);
    return turn;
  }

  /** What was written from a place on, as far as it is kept. */
  async #keptFrom(from: number): Promise<readonly StoredEvent[]> {
    const kept = from < this.#pushed ? await this.#events?.read(this.id, from) ?? [] : [];
    return kept.filter(({ sequence }) => sequence < this.#pushed);
  }

  /** Is everything there that followed an event, or what counts of it? */
  #suffices(kept: readonly StoredEvent[], after: number): boolean {
    if (!this.#gaps) return kept.length === this.#pushed - after - 1;
    const places = new Set(kept.map(({ sequence }) => sequence));
    return this.#vital.every((place) => place <= after || places.has(place));
  }

  #attach(kept: readonly StoredEvent[], before: readonly string[] = []): ReaderQueue<string> {
    this.#leave(this.#reader, this.#reader?.size ?? 0);
    const waiting = [...before, ...kept.map((event) => this.#encode(event))];
    const reader = new ReaderQueue<string>(waiting, (unread) => this.#leave(reader, unread));
    if (this.#finished) {
      reader.end();
      return reader;
    }
    this.#reader = reader;
    this.#floor = this.#pushed - kept.length;
    this.#taken = this.#pushed;
    this.#onReader(1);
    return reader;
  }

  /** A reader goes, or has to: what it has not taken is for the next one. */
  #leave(reader: ReaderQueue<string> | undefined, unread: number): void {
    if (reader === undefined || reader !== this.#reader) return;
    this.#taken = Math.max(this.#floor, this.#pushed - unread);
    this.#forget(reader);
    reader.drop();
  }

  #forget(reader: ReaderQueue<string> | undefined): void {
    if (reader === undefined || reader !== this.#reader) return;
    this.#reader = undefined;
    this.#onReader(-1);
  }

  #encode({ sequence, text }: StoredEvent): string {
    if (this.#events === undefined) return encodeEvent(text);
    const event = encodeEvent(text, { id: `${this.id}-${sequence}` });
    return text === "" ? RETRY + event : event;
  }
}
