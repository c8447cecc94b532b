/** Opens a change stream again that was lost. */
import { ProtocolError, TransportError } from "../../protocol/errors.ts";
import { isTransientStatus } from "../../protocol/is_transient_status.ts";
import { isJsonObject } from "../../protocol/json.ts";
import { httpStatusOf } from "../../protocol/json_rpc.ts";
import { RELISTEN_HELD, WATCH_INTERVAL } from "../../protocol/limits.ts";
import type { ChangeStream } from "./change_stream.ts";
import type { Connection } from "../connection.ts";
import type { Deadline } from "../waits/deadline_watch.ts";
import type { CloseReason } from "./subscription_types.ts";

/** What is opened again. */
export interface RelistenOptions {
  /** Where to. */
  readonly connection: Pick<Connection, "watch" | "settings">;
  /** Who reads it. */
  readonly stream: ChangeStream;
  /** Aborts when nobody wants it any more. */
  readonly signal: AbortSignal;
  /** Opens it once. */
  readonly open: () => Promise<unknown>;
}

/** The further openings of one change stream. */
export class Relisten {
  readonly #options: RelistenOptions;
  /** Attempts since a stream held. */
  #attempts = 0;

  /** Opens nothing yet. */
  constructor(options: RelistenOptions) {
    this.#options = options;
  }

  /**
   * Opens the stream again until it holds, the server refuses, or nobody wants it any more; what is no loss ends it. Never rejects.
   *
   * @param reason Why it has ended.
   * @param openedAt When it had begun, on the clock of `performance.now()`.
   */
  async again(reason: CloseReason, openedAt: number): Promise<void> {
    const { connection, stream, signal, open } = this.#options;
    // A server that agrees and hangs up at once would be asked without end.
    if (performance.now() - openedAt >= RELISTEN_HELD) this.#attempts = 0;
    while (!stream.ended) {
      if (!isLoss(reason)) return stream.end(reason);
      await pause(connection, this.#attempts++, signal);
      if (stream.ended) return;
      try {
        await open();
        return;
      } catch (error) {
        reason = { by: "fault", error: error instanceof Error ? error : new Error("Aborted", { cause: error }) };
      }
    }
  }
}

/** The connection went, or somebody said "not now": neither says whether the server would serve the stream again. */
function isLoss(reason: CloseReason): boolean {
  if (reason.by !== "fault") return false;
  const { error } = reason;
  if (error instanceof ProtocolError) return isTransientStatus(httpStatusOf(error));
  if (!(error instanceof TransportError)) return false;
  return LOSSES.has(error.reason) || (isJsonObject(error.data) && isTransientStatus(error.data.status));
}

const LOSSES: ReadonlySet<string> = new Set(["closed", "unreachable", "timeout", "session_lost"]);

/** Waits before an attempt: twice as long each time, up to the request timeout, with jitter. Ends early when the signal aborts. */
function pause({ watch, settings }: RelistenOptions["connection"], attempt: number, signal: AbortSignal): Promise<void> {
  const longest = Math.min(WATCH_INTERVAL * 2 ** attempt, settings.limits.requestTimeout);
  const delay = longest * (1 + Math.random()) / 2;
  return new Promise((resolve) => {
    const end = (): void => {
      watch.delete(deadline);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const deadline: Deadline = { due: performance.now() + delay, onDue: end, fail: end };
    watch.add(deadline);
    signal.addEventListener("abort", end);
  });
}
