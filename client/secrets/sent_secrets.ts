/** The credentials that were sent over a connection: none of its errors shows them, whatever the server repeats. */
import { SENT_SECRETS } from "../../protocol/limits.ts";
import { secretCleaner } from "./secret_cleaner.ts";
import type { SecretCleaner } from "./secret_cleaner.ts";
import { secretForms } from "./secret_forms.ts";

/** What errors hold beside their message. */
const TOLD = ["data", "challenge", "trace", "cause", "errors"] as const;

/** Remembers credentials, the last `SENT_SECRETS.remembered` of them, and takes them out of errors. Results stay as they came. */
export class SentSecrets {
  readonly #always: ReadonlySet<string>;
  /** Values → their forms, which are made when they are first looked for. */
  readonly #forms = new Map<string, readonly string[] | undefined>();
  #cleaner: SecretCleaner | undefined;

  /** Knows what goes with every request. */
  constructor(always: Iterable<string> = []) {
    this.#always = new Set(always);
    for (const value of this.#always) this.#forms.set(value, undefined);
  }

  /** What takes the credentials out of texts. */
  get cleaner(): SecretCleaner {
    if (this.#cleaner !== undefined) return this.#cleaner;
    for (const [value, forms] of this.#forms) if (forms === undefined) this.#forms.set(value, secretForms(value));
    return this.#cleaner = secretCleaner([...this.#forms.values()].map((forms) => forms ?? []));
  }

  /** A request leaves with these values in its headers. */
  sent(values: readonly string[]): void {
    for (const value of values) {
      if (this.#always.has(value)) continue;
      if (!this.#forms.has(value)) this.#cleaner = undefined;
      // Set anew, so that what is still sent is never the oldest.
      const forms = this.#forms.get(value);
      this.#forms.delete(value);
      this.#forms.set(value, forms);
    }
    for (const oldest of this.#forms.keys()) {
      if (this.#forms.size <= this.#always.size + SENT_SECRETS.remembered) break;
      if (!this.#always.has(oldest)) this.#forms.delete(oldest);
    }
  }

  /**
   * Takes the credentials out of an error and of whatever led to it: out of texts, and out of the texts and names in what else it
   * tells (`data`, `challenge`, `trace`).
   *
   * @returns The same error.
   */
  hide<T>(error: T): T {
    if (!(error instanceof Error)) return error;
    const { longest, clean } = this.cleaner;
    try {
      if (longest > 0) hideIn(error, clean, new Map());
    } catch {
      // What a program throws may have members that can't be read: it is told all the same.
    }
    return error;
  }
}

type Clean = SecretCleaner["clean"];

/** Takes secrets out of an error. `done` holds what was looked at, with what stands for it: one value may be in two places. */
function hideIn(error: Error, clean: Clean, done: Map<unknown, unknown>): void {
  done.set(error, error);
  const { message, stack } = error;
  const safe = typeof message === "string" ? clean(message) : message;
  if (safe !== message) {
    replace(error, "message", safe);
    if (typeof stack === "string") Reflect.set(error, "stack", clean(stack));
  }
  for (const name of TOLD) {
    const value: unknown = (error as { readonly [name in typeof TOLD[number]]?: unknown })[name];
    const told = without(value, clean, done);
    if (told !== value) replace(error, name, told);
  }
}

/** What cannot be changed, as in an error that a program has frozen, stays. */
function replace(error: Error, name: string, value: unknown): void {
  const enumerable = Object.prototype.propertyIsEnumerable.call(error, name);
  Reflect.defineProperty(error, name, { value, enumerable, writable: true, configurable: true });
}

/** A copy of JSON whose texts and names are clean; the same value when they are so already, and when it is not JSON. */
function without(value: unknown, clean: Clean, done: Map<unknown, unknown>): unknown {
  if (typeof value === "string") return clean(value);
  if (typeof value !== "object" || value === null) return value;
  if (done.has(value)) return done.get(value);
  done.set(value, value);
  if (value instanceof Error) hideIn(value, clean, done);
  const list = Array.isArray(value);
  const prototype: unknown = Object.getPrototypeOf(value);
  // Others are the program's: a copy would be less than they are.
  if (!list && prototype !== Object.prototype && prototype !== null) return value;
  const names = Object.keys(value);
  const items = names.map((name) => (value as Record<string, unknown>)[name]);
  const after = items.map((item) => without(item, clean, done));
  if (names.every((name, at) => after[at] === items[at] && clean(name) === name)) return value;
  const safe = list ? after : Object.fromEntries(names.map((name, at) => [clean(name), after[at]]));
  done.set(value, safe);
  return safe;
}
