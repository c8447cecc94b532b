/** One direction of a carrier with its faults. */
import { WATCH_INTERVAL } from "../protocol/limits.ts";
import { pause } from "../transports/pause.ts";
import { endsWithin } from "../transports/ends_within.ts";
import type { FaultPlan, Way } from "./fault_plan.ts";

/** What passes, and how it can be harmed. */
export interface DisturbedOptions<T> {
  /** Where it comes from; it is left at the end. */
  readonly source: AsyncIterator<T>;
  /** What goes wrong. */
  readonly plan: FaultPlan;
  /** Its direction. */
  readonly way: Way;
  /** Bytes of one item. */
  readonly size: (item: T) => number;
  /** The first bytes of an item; undefined when a part of one cannot pass. */
  readonly part: (item: T, bytes: number) => T | undefined;
  /** Does everything end with an item that cannot pass in part? */
  readonly endsWithPart: boolean;
  /** Ends waits. */
  readonly signal: AbortSignal;
  /** Told of an item that is dropped. */
  readonly onDrop?: (() => void) | undefined;
}

/** Passes items on as the plan has it. */
export async function* disturbed<T>(options: DisturbedOptions<T>): AsyncGenerator<T, undefined> {
  const { source, plan, way, size, part, endsWithPart, signal, onDrop } = options;
  let held: { readonly item: T } | undefined;
  let pending: Promise<IteratorResult<T>> | undefined;
  try {
    for (;;) {
      pending ??= source.next();
      if (held !== undefined && !(await endsWithin(pending, WATCH_INTERVAL))) {
        const { item } = held;
        held = undefined;
        yield item;
      }
      const step = await pending;
      pending = undefined;
      if (step.done === true) break;
      const fate = plan.fate(way);
      if (fate.delay > 0) await pause(fate.delay, signal);
      const item = fate.truncate ? part(step.value, plan.below(size(step.value))) : step.value;
      if (fate.drop || item === undefined) {
        if (!fate.drop && endsWithPart) return undefined;
        onDrop?.();
        continue;
      }
      const wanted = size(item);
      const passing = plan.pass(way, wanted);
      if (passing < wanted) {
        const first = passing === 0 ? undefined : part(item, passing);
        if (held !== undefined) yield held.item;
        if (first !== undefined) yield first;
        plan.cutNow();
        return undefined;
      }
      if (fate.reorder && held === undefined) {
        held = { item };
        continue;
      }
      yield item;
      if (fate.duplicate) yield item;
      if (held !== undefined) yield held.item;
      held = undefined;
    }
    if (held !== undefined) yield held.item;
    return undefined;
  } finally {
    pending?.catch(() => undefined);
    source.return?.()?.catch(() => undefined);
  }
}
