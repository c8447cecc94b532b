/** A channel of messages or bytes with faults. */
import type { JsonRpcMessage } from "../protocol/types.ts";
import { disturbed } from "./disturbed.ts";
import type { FaultPlan, Way } from "./fault_plan.ts";
import { sizeOf } from "./size_of.ts";

/** Two ends of a channel. */
export interface Ends<T> {
  /** What comes from the peer. */
  readonly readable: ReadableStream<T>;
  /** What goes to the peer. */
  readonly writable: WritableStream<T>;
}

/** Puts faults between a channel and whoever uses it. Both streams of the channel are locked from now on. */
export function faultyChannel<T extends JsonRpcMessage | Uint8Array>(inner: Ends<T>, plan: FaultPlan): Ends<T> {
  const readable = faultyReadable(inner.readable, plan);
  const { writable, readable: written } = new TransformStream<T, T>();
  pump(written, inner.writable, plan).catch(() => undefined);
  return { readable, writable };
}

function faultyReadable<T extends JsonRpcMessage | Uint8Array>(source: ReadableStream<T>, plan: FaultPlan): ReadableStream<T> {
  const reader = source.getReader();
  plan.cut.addEventListener("abort", () => void reader.cancel(plan.cut.reason).catch(() => undefined));
  const chunks = harmed(reader, plan, "in");
  return new ReadableStream<T>({
    async pull(controller) {
      const step = await chunks.next();
      if (step.done === true) controller.close();
      else controller.enqueue(step.value);
    },
    cancel: (reason) => reader.cancel(reason),
  }, { highWaterMark: 0 });
}

async function pump<T extends JsonRpcMessage | Uint8Array>(
  source: ReadableStream<T>,
  sink: WritableStream<T>,
  plan: FaultPlan,
): Promise<void> {
  const reader = source.getReader();
  const writer = sink.getWriter();
  const end = (reason: unknown): void => {
    writer.abort(reason).catch(() => undefined);
    reader.cancel(reason).catch(() => undefined);
  };
  plan.cut.addEventListener("abort", () => end(plan.cut.reason));
  // A sink that fails, or is closed by the other end, has to be seen by whoever writes.
  writer.closed.catch(end);
  try {
    for await (const chunk of harmed(reader, plan, "out")) await writer.write(chunk);
    if (!plan.cut.aborted) await writer.close();
  } catch (error) {
    end(error);
  }
}

function harmed<T extends JsonRpcMessage | Uint8Array>(
  reader: ReadableStreamDefaultReader<T>,
  plan: FaultPlan,
  way: Way,
): AsyncGenerator<T, undefined> {
  const source: AsyncIterator<T> = { next: () => reader.read() as Promise<IteratorResult<T, undefined>> };
  const over = new AbortController();
  const end = (): void => over.abort();
  plan.cut.addEventListener("abort", end);
  reader.closed.then(end, end);
  return disturbed<T>({ source, plan, way, size: sizeOf, part, endsWithPart: false, signal: over.signal });
}

/** Bytes can be cut anywhere; a message cannot. */
function part<T>(chunk: T, bytes: number): T | undefined {
  return chunk instanceof Uint8Array && bytes > 0 ? chunk.subarray(0, bytes) as T : undefined;
}
