/** Parts of the program that are loaded at their first use. */

/** A part that is loaded at its first use. */
export interface OnDemand<T> {
  /** The part; undefined before it is loaded. */
  readonly loaded: T | undefined;
  /** Loads the part, once: every caller gets the same promise. When it fails, the next call tries again. */
  load(): Promise<T>;
}

/**
 * Makes a part that is loaded at its first use, so that programs that never come to it do not pay for it at their start.
 *
 * @param load Loads it.
 */
export function onDemand<T>(load: () => Promise<T>): OnDemand<T> {
  let loaded: T | undefined;
  let loading: Promise<T> | undefined;
  const settle = (part: T): T => loaded = part;
  const forget = (error: unknown): never => {
    loading = undefined;
    throw error;
  };
  return {
    get loaded() {
      return loaded;
    },
    load: () => loading ??= load().then(settle, forget),
  };
}
