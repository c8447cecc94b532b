/** The life of a bridge as a table: what each side may send when. */
import { checkObject } from "../../unknown_option.ts";
import type { BridgeSide } from "./bridge_types.ts";

/**
 * How far a bridge is. "created": nothing came. "initializing": the view introduced itself. "ready": it said that it listens.
 * "input": it has the arguments. "settled": it has the result, or knows that there is none. "closing": it was asked to end.
 */
export type BridgeState = "created" | "initializing" | "ready" | "input" | "settled" | "closing" | "closed";

/** Something that one side sends, or the end of a bridge for whatever reason. */
export type BridgeEvent =
  | {
    /** Who sends. */
    readonly from: BridgeSide;
    /** What it is. */
    readonly kind: "request" | "notification" | "response";
    /** Its method; of a response that of its request. */
    readonly method: string;
  }
  | { readonly kind: "end" };

/** The next state, or why the event is refused. */
export type BridgeStep =
  | { readonly ok: true; readonly state: BridgeState }
  | { readonly ok: false; readonly refusal: string };

/** The states in which the view listens. */
const OPEN: readonly BridgeState[] = ["ready", "input", "settled"];

/** Where the messages that change the state lead, by the state that they come in. Everywhere else they are refused. */
const MOVES: ReadonlyMap<string, ReadonlyMap<BridgeState, BridgeState>> = new Map([
  ["view request ui/initialize", new Map([["created", "initializing"]])],
  ["view notification ui/notifications/initialized", new Map([["initializing", "ready"]])],
  ["host notification ui/notifications/tool-input-partial", new Map([["ready", "ready"]])],
  ["host notification ui/notifications/tool-input", new Map([["ready", "input"]])],
  ["host notification ui/notifications/tool-result", new Map([["input", "settled"]])],
  // The model may be stopped while it still writes the arguments.
  ["host notification ui/notifications/tool-cancelled", new Map([["ready", "settled"], ["input", "settled"]])],
  ["host request ui/resource-teardown", new Map(OPEN.map((state) => [state, "closing"]))],
  ["view response ui/resource-teardown", new Map([["closing", "closed"]])],
] as [string, Map<BridgeState, BridgeState>][]);

/**
 * Moves on by one event (MCP Apps § Lifecycle). The host sends no request and no notification before the view said that it is
 * initialized; partial arguments come before the arguments, those once and before the result; nothing comes after the end.
 *
 * @param state Where the bridge is.
 * @param event What one side sends.
 * @returns The next state, or the reason of the refusal as a sentence.
 */
export function bridgeStep(state: BridgeState, event: BridgeEvent): BridgeStep {
  checkObject(event, "bridgeStep.event");
  if (event.kind === "end") return { ok: true, state: "closed" };
  const { from, kind, method } = event;
  const moves = MOVES.get(`${from} ${kind} ${method}`);
  const next = moves === undefined ? stays(state, from, kind, method) : moves.get(state);
  if (next !== undefined) return { ok: true, state: next };
  return { ok: false, refusal: `Sending ${method}: the ${from} cannot do that while the bridge is ${state}` };
}

function stays(state: BridgeState, from: BridgeSide, kind: string, method: string): BridgeState | undefined {
  if (state === "closed") return undefined;
  if (OPEN.includes(state)) return state;
  if (kind === "response") return from === "host" || state === "closing" ? state : undefined;
  if (from !== "view") return undefined;
  // While it ends, a view may still save what it has; before it listens it may tell what needs no answer, such as its size.
  if (state === "closing") return state;
  return state === "initializing" && (kind === "notification" || method === "ping") ? state : undefined;
}
