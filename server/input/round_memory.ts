/** What a call remembers from round to round, and how it is written into the sealed state. */
import { isJsonObject } from "../../protocol/json.ts";

/** An answer as it came, with the digest of its question. */
export interface KeptAnswer {
  /** Tells the question from others. */
  readonly digest: string;
  /** The answer as the client sent it. */
  readonly answer: unknown;
  /** The run that it came to did not ask for it. */
  readonly passed?: true | undefined;
}

/** What a call remembers from round to round. */
export interface RoundMemory {
  /** The state that the handler gave by hand; undefined when there is none. */
  readonly state: unknown;
  /** The digests of the questions that the round before asked, by key. */
  readonly asked: ReadonlyMap<string, string>;
  /** The answers to the questions of all rounds, by key. */
  readonly answers: ReadonlyMap<string, KeptAnswer>;
  /** The results of what runs once, by key. */
  readonly results: ReadonlyMap<string, unknown>;
}

/** What a first round remembers. */
export function emptyMemory(): RoundMemory {
  return { state: undefined, asked: new Map(), answers: new Map(), results: new Map() };
}

/** Writes a memory as JSON; undefined when there is nothing to remember. */
export function writeMemory(memory: RoundMemory): unknown {
  const { state, asked, answers, results } = memory;
  if (state === undefined && asked.size + answers.size + results.size === 0) return undefined;
  return {
    ...(state === undefined ? {} : { state }),
    ...(asked.size === 0 ? {} : { asked: [...asked] }),
    ...(answers.size === 0 ? {} : {
      answers: [...answers].map(([key, { digest, answer, passed }]) =>
        passed ? [key, digest, answer, passed] : [key, digest, answer]
      ),
    }),
    // What gave no value is an entry without one.
    ...(results.size === 0 ? {} : { results: [...results].map(([key, value]) => value === undefined ? [key] : [key, value]) }),
  };
}

/** Reads what {@linkcode writeMemory} wrote. Only this server can have sealed it. */
export function readMemory(written: unknown): RoundMemory {
  if (!isJsonObject(written)) return emptyMemory();
  const { state, asked = [], answers = [], results = [] } = written as {
    readonly state?: unknown;
    readonly asked?: readonly [string, string][];
    readonly answers?: readonly [string, string, unknown, true?][];
    readonly results?: readonly [string, unknown][];
  };
  return {
    state,
    asked: new Map(asked),
    answers: new Map(answers.map(([key, digest, answer, passed]) => [key, { digest, answer, passed }])),
    results: new Map(results.map(([key, value]) => [key, value])),
  };
}
