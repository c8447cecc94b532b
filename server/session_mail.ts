/** What a client sent to another instance than the one that waits for it: it goes on over the bus, under the session's key. */
import { isJsonObject } from "../protocol/json.ts";
import { isRequest, readMessage } from "../protocol/json_rpc.ts";
import type { JsonRpcNotification, JsonRpcResponse } from "../protocol/types.ts";
import type { Session } from "../transports/transport.ts";
import type { EventBus } from "./stores/event_bus.ts";

/** A message without an answer. */
export type Mail = JsonRpcNotification | JsonRpcResponse;

const TOPIC = "causeway/sessions/";

/** The mail of the sessions that have something to wait for in this process. */
export class SessionMail {
  readonly #bus: EventBus;
  readonly #onFault: (error: unknown) => void;
  readonly #boxes = new Map<Session, { users: number; readonly close: () => void }>();

  /**
   * Takes mail for no session yet.
   *
   * @param bus Connects the instances.
   * @param onFault Told what could not be published.
   */
  constructor(bus: EventBus, onFault: (error: unknown) => void) {
    this.#bus = bus;
    this.#onFault = onFault;
  }

  /** For how many sessions mail is taken. */
  get size(): number {
    return this.#boxes.size;
  }

  /**
   * Takes mail for a session until the returned function is called. A session whose carrier gave it no key gets none. The
   * receiver of the first call serves all of them.
   */
  open(session: Session, receive: (message: Mail) => void): () => void {
    if (session.key === undefined) return () => undefined;
    let box = this.#boxes.get(session);
    if (box === undefined) {
      const close = this.#bus.subscribe(TOPIC + session.key, (event) => {
        const message = readMail(event);
        if (message !== undefined) receive(message);
      });
      this.#boxes.set(session, box = { users: 0, close });
    }
    const own = box;
    own.users++;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      if (--own.users > 0) return;
      this.#boxes.delete(session);
      own.close();
    };
  }

  /** Hands a message that nobody here waits for to the other instances. */
  post(session: Session, message: Mail): void {
    if (session.key === undefined) return;
    this.#bus.publish(TOPIC + session.key, { message }).catch((error) => this.#onFault(error));
  }
}

/** Instances share the bus with whatever else uses it, so that nothing is taken on trust. */
function readMail(event: unknown): Mail | undefined {
  if (!isJsonObject(event)) return undefined;
  const read = readMessage(event.message);
  return read.ok && !isRequest(read.message) ? read.message as Mail : undefined;
}
