/** The methods that only the handshake revisions have, before anybody speaks one of these. */
import { onDemand } from "../protocol/on_demand.ts";
import type { LogLevel, ServerCapabilities } from "../protocol/types.ts";
import type { Session } from "../transports/transport.ts";
import type { Core, Method } from "./core.ts";
import type { HandshakeAnswer, HandshakeMethod, HandshakeParts } from "./handshake_answers.ts";
import type { IsVisible } from "./access/is_visible.ts";

/** From which level on a handshake client gets log messages before it has set one; the choice is the server's. */
export const INITIAL_LOG_LEVEL: LogLevel = "info";

/** Are the answers to these methods loaded? */
export function answersHandshakes(): boolean {
  return ANSWERS.loaded !== undefined;
}

/** Loads the answers to these methods, and the dialects of a server that have them. */
export async function loadHandshakes(dialects: Core["dialects"]): Promise<void> {
  await Promise.all([ANSWERS.load(), ...dialects.map((dialect) => dialect.load?.())]);
}

const ANSWERS = onDemand(() => import("./handshake_answers.ts"));

/** The methods of the handshake revisions; dialects without a handshake have none of them. They are called once all is loaded. */
export function handshakeMethods(
  core: HandshakeParts,
  capabilities: ServerCapabilities,
  isVisible: IsVisible,
): [string, Method][] {
  let answers: Readonly<Record<HandshakeMethod, HandshakeAnswer>> | undefined;
  const method = (name: HandshakeMethod): [string, Method] => [name, {
    runsHandler: false,
    answer(exchange) {
      answers ??= (ANSWERS.loaded as NonNullable<typeof ANSWERS.loaded>).handshakeAnswers(core, capabilities, isVisible);
      return answers[name](exchange);
    },
  }];
  return [
    method("initialize"),
    method("ping"),
    method("logging/setLevel"),
    ...(capabilities.resources === undefined ? [] : [method("resources/subscribe"), method("resources/unsubscribe")]),
  ];
}

/** `notifications/initialized`: from now on the server may ask and tell. It means nothing before `initialize`. */
export function noteInitialized(session: Session): void {
  const { state } = session;
  if (state !== undefined && !state.initialized) session.update({ ...state, initialized: true });
}
