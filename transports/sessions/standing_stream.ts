/** The GET stream of a session: what belongs to no request, and what waits for a reader of it. */
import { isRequest } from "../../protocol/json_rpc.ts";
import type { ResolvedLimits } from "../../protocol/limits.ts";
import type { JsonRpcNotification, JsonRpcRequest } from "../../protocol/types.ts";
import { eventText } from "../event_text.ts";
import type { NoticeBox } from "./notice_box.ts";
import type { ReaderQueue } from "../reader_queue.ts";
import type { SessionEvents } from "./session_events.ts";
import { SessionStream } from "./session_stream.ts";

/** What a GET stream needs. */
export interface StandingStreamOptions {
  /** Unique in the session. */
  readonly id: string;
  /** Keeps the events. */
  readonly events: SessionEvents | undefined;
  /** Shares with other instances what all of them hear of. */
  readonly notices: NoticeBox | undefined;
  /** Bounds: `sessionEvents`, `sseEvent`. */
  readonly limits: ResolvedLimits;
  /** Told of a reader's coming and going. */
  readonly onReader: (change: 1 | -1) => void;
}

/** The GET stream of a session (MCP 2025-11-25, Streamable HTTP § Listening for Messages from the Server). */
export class StandingStream {
  /** The name of the stream. */
  readonly id: string;
  readonly #stream: SessionStream;
  readonly #notices: NoticeBox | undefined;
  readonly #limits: ResolvedLimits;
  #sending = 0;

  /** Begins without a reader. */
  constructor({ id, events, notices, limits, onReader }: StandingStreamOptions) {
    this.id = id;
    this.#notices = notices;
    this.#limits = limits;
    this.#stream = new SessionStream(id, events, (change) => {
      onReader(change);
      if (change < 0) void notices?.leave(() => this.read);
    });
  }

  /** Has it a reader? */
  get read(): boolean {
    return this.#stream.read;
  }

  /**
   * Reads what no reader has taken yet, here or at any other instance, and goes on.
   *
   * @param before Events of another stream that go first.
   */
  async listen(before: readonly string[] = []): Promise<ReaderQueue<string>> {
    const reader = await this.#stream.openUntaken(before);
    await this.#held();
    return reader;
  }

  /** Reads what followed an event, and goes on; undefined when that cannot be done. */
  async resume(after: number): Promise<ReaderQueue<string> | undefined> {
    const reader = await this.#stream.resume(after);
    if (reader !== undefined) await this.#held();
    return reader;
  }

  /** Writes a message, or lets it wait for a reader; beyond `sessionEvents` it is given up. */
  async send(message: JsonRpcNotification | JsonRpcRequest, everywhere: boolean): Promise<void> {
    if (this.#sending > this.#limits.sessionEvents) return;
    this.#sending++;
    try {
      const all = everywhere ? await this.#notices?.claim(message, () => this.read) ?? [message] : [message];
      for (const each of all) await this.#write(each);
    } finally {
      this.#sending--;
    }
  }

  /** It is still read here: other instances shall know. */
  renew(): void {
    if (this.read) this.#notices?.renew();
  }

  /** Ends the stream. */
  finish(): void {
    this.#stream.finish();
  }

  /** It is read here from now on: what has waited elsewhere comes first, and the reader need not have begun. */
  async #held(): Promise<void> {
    for (const notice of await this.#notices?.hold() ?? []) void this.#write(notice);
  }

  async #write(message: JsonRpcNotification | JsonRpcRequest): Promise<void> {
    const text = eventText(message, this.#limits.sseEvent);
    if (text !== undefined) await this.#stream.write(text, isRequest(message));
  }
}
