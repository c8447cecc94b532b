/** The contract of fuzz targets. */
import type { Random } from "./random.ts";

/** Something that reads what strangers send. */
export interface FuzzTarget<Input = unknown> {
  /** Its name. */
  readonly name: string;
  /** Its part of all inputs, against the parts of the others. */
  readonly weight: number;
  /** Makes an input; the same from the same numbers. */
  make(random: Random): Input;
  /** Reads the input, and throws when that is not as it has to be. */
  check(input: Input): void | Promise<void>;
  /** Inputs that grow with a number and are meant to cost much, for the check that work grows in proportion. */
  readonly growth?: readonly Growth[] | undefined;
}

/** One kind of input that grows. */
export interface Growth {
  /** What it is. */
  readonly name: string;
  /** Makes the input of a size; what is not to be measured happens here. */
  make(size: number): unknown;
  /** Reads it. */
  read(input: never): unknown;
  /** Twice this size is the largest that is read at all; unlimited by default. */
  readonly largest?: number | undefined;
}

/** Makes a growth with the types of its parts checked. */
export function growth<T>(name: string, make: (size: number) => T, read: (input: T) => unknown, largest?: number): Growth {
  return { name, make, read, largest };
}

/** Makes a target; its input's type stays inside. */
export function target<Input>(definition: FuzzTarget<Input>): FuzzTarget {
  return definition as FuzzTarget;
}

/** Throws when something that has to be so is not. */
export function must(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(`This must hold: ${what}`);
}

/** Are two values the same JSON? */
export function sameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
