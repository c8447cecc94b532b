/** A client's carrier with faults. */
import { isResponse } from "../protocol/json_rpc.ts";
import { WATCH_INTERVAL } from "../protocol/limits.ts";
import type { JsonRpcMessage, JsonRpcRequest } from "../protocol/types.ts";
import { closedError } from "../transports/closed_error.ts";
import { pause } from "../transports/pause.ts";
import type { ExchangeOptions, Transport } from "../transports/transport.ts";
import { around } from "./around.ts";
import { disturbed } from "./disturbed.ts";
import type { Fate, FaultPlan } from "./fault_plan.ts";
import { sizeOf } from "./size_of.ts";

/** Puts faults between a client and its carrier. */
export function faultyTransport(inner: Transport, plan: FaultPlan): Transport {
  const over = new AbortController();
  const close = (): Promise<void> => {
    over.abort(closedError());
    return inner.close();
  };
  plan.cut.addEventListener("abort", () => void close().catch(() => undefined));
  return around(inner, {
    exchange: (request, options) => faultyExchange(inner, plan, request, options),
    async send(message, options) {
      const fate = await goOut(plan, message, over.signal);
      if (fate.drop || fate.truncate) return;
      await inner.send(message, options);
      if (fate.duplicate) await inner.send(message, options);
    },
    incoming: disturbed({ ...MESSAGES, source: lazily(() => inner.incoming), plan, signal: over.signal, endsWithPart: false }),
    close,
  });
}

/** A message passes as a whole, or not at all. */
const MESSAGES = { way: "in", size: sizeOf, part: () => undefined } as const;

/** Lets something go out: waits as long as the plan says, and throws when the connection is cut. */
async function goOut(plan: FaultPlan, message: JsonRpcMessage, signal: AbortSignal): Promise<Fate> {
  plan.cut.throwIfAborted();
  const fate = plan.fate("out");
  const size = sizeOf(message);
  if (plan.pass("out", size) < size) plan.cutNow();
  plan.cut.throwIfAborted();
  // Whatever is sent meanwhile overtakes it.
  const wait = fate.reorder ? fate.delay + WATCH_INTERVAL : fate.delay;
  if (wait > 0) await pause(wait, signal);
  signal.throwIfAborted();
  return fate;
}

function faultyExchange(
  inner: Transport,
  plan: FaultPlan,
  request: JsonRpcRequest,
  options: ExchangeOptions,
): AsyncIterable<JsonRpcMessage> {
  const leave = new AbortController();
  const messages = exchangeMessages(inner, plan, request, options, leave);
  let left = false;
  const iterator: AsyncIterableIterator<JsonRpcMessage, undefined> = {
    next: () =>
      messages.next().catch((error) => {
        if (left) return { done: true, value: undefined };
        throw error;
      }),
    async return() {
      left = true;
      leave.abort();
      await messages.return(undefined).catch(() => undefined);
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]: () => iterator,
  };
  return iterator;
}

async function* exchangeMessages(
  inner: Transport,
  plan: FaultPlan,
  request: JsonRpcRequest,
  options: ExchangeOptions,
  leave: AbortController,
): AsyncGenerator<JsonRpcMessage, undefined> {
  const { signal } = leave;
  const onAbort = (): void => leave.abort(options.signal?.reason);
  const onCut = (): void => leave.abort(plan.cut.reason);
  options.signal?.throwIfAborted();
  options.signal?.addEventListener("abort", onAbort);
  plan.cut.addEventListener("abort", onCut);
  let dropped = false;
  let answered = false;
  const drop = (): void => void (dropped = true);
  try {
    const fate = await goOut(plan, request, signal);
    if (fate.drop || fate.truncate) return await silence(signal);
    const source = inner.exchange(request, { ...options, signal })[Symbol.asyncIterator]();
    for await (const message of disturbed({ ...MESSAGES, source, plan, signal, endsWithPart: true, onDrop: drop })) {
      answered ||= isResponse(message);
      yield message;
    }
    signal.throwIfAborted();
    return dropped && !answered ? await silence(signal) : undefined;
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    options.signal?.removeEventListener("abort", onAbort);
    plan.cut.removeEventListener("abort", onCut);
  }
}

/** What was lost is not known to be lost: nothing comes until somebody gives up. */
function silence(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const end = (): void => reject(signal.reason);
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
}

/** Streams of a carrier are opened by their first reader. */
function lazily(open: () => AsyncIterable<JsonRpcMessage>): AsyncIterator<JsonRpcMessage> {
  let source: AsyncIterator<JsonRpcMessage> | undefined;
  const opened = (): AsyncIterator<JsonRpcMessage> => source ??= open()[Symbol.asyncIterator]();
  return { next: () => opened().next(), return: async () => await source?.return?.() ?? { done: true, value: undefined } };
}
