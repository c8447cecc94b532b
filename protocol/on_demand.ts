/** Parts of the program that are loaded at their first use. */

/** A part that is loaded at its first use. */
export interface OnDemand<T> {
  /** The part; undefined before it is loaded. */
  readonly loaded: T | undefined;
  /** Settles with the part; undefined before it is asked for, and after it failed. */
  readonly loading: Promise<T> | undefined;
  /** Loads the part, once: every caller gets the same promise. When it fails, the next call tries again. */
  load(): Promise<T>;
}

/**
 * Makes a part that is loaded at its first use, so that programs that never come to it do not pay for it at their start.
 *
 * @param load Loads it.
 */
export function onDemand<T>(load: () => Promise<T>): OnDemand<T> {
  const part: { -readonly [key in keyof OnDemand<T>]: OnDemand<T>[key] } = {
    loaded: undefined,
    loading: undefined,
    load: () =>
      part.loading ??= load().then((loaded) => part.loaded = loaded, (error) => {
        part.loading = undefined;
        throw error;
      }),
  };
  return part;
}
