/** Hears of the end of a signal that many calls may share: Node warns of a leak where one signal has more than ten listeners. */

interface Heard {
  readonly acts: Set<() => void>;
  readonly all: () => void;
}

const HEARD = new WeakMap<AbortSignal, Heard>();

/**
 * Acts when a signal aborts; a signal that has aborted already does nothing more. There is one listener for all who hear of the
 * same signal, and none once nobody does.
 *
 * @param signal The signal; nothing is heard of when there is none.
 * @param act Called once at most. Must not throw. Each who listens has one of its own.
 * @returns Hears no longer. A second call does nothing.
 */
export function onAbort(signal: AbortSignal | undefined, act: () => void): () => void {
  if (signal === undefined) return nothing;
  const heard = HEARD.get(signal) ?? begin(signal);
  const { acts, all } = heard;
  if (acts.size === 0) signal.addEventListener("abort", all);
  acts.add(act);
  return () => {
    if (acts.delete(act) && acts.size === 0) signal.removeEventListener("abort", all);
  };
}

function begin(signal: AbortSignal): Heard {
  const acts = new Set<() => void>();
  const all = (): void => {
    // Whoever leaves meanwhile is not told, and whoever comes meanwhile knows.
    for (const act of [...acts]) if (acts.delete(act)) act();
    // It happens once.
    if (acts.size === 0) signal.removeEventListener("abort", all);
  };
  const heard = { acts, all };
  HEARD.set(signal, heard);
  return heard;
}

function nothing(): void {}
