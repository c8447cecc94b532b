/** A seeded generator of numbers and text for property tests. */

/** A seeded generator. */
export interface Random {
  /** An integer from 0 up to, but not including, the bound. */
  below(bound: number): number;
  /** One of several values. */
  pick<T>(values: readonly T[]): T;
  /** Text of up to a number of characters, of all planes and with those that need care. */
  text(longest: number): string;
}

const CHARS = [..."abz09-._~ /?#[]@!$&'()*+,;=%:{}|^\"<>\\`\n\t\r\u00e9\u00f1\u4e2d\ud7ff\u2028\ufeff🦊𝄞"];

/** Creates a generator from a seed (xorshift32). */
export function createRandom(seed: number): Random {
  let state = (seed | 0) || 1;
  const below = (bound: number): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % bound;
  };
  const pick = <T>(values: readonly T[]): T => values[below(values.length)] as T;
  return { below, pick, text: (longest) => Array.from({ length: below(longest + 1) }, () => pick(CHARS)).join("") };
}
