/** Fuzz targets that strangers would like to forge: request state and session ids. */
import { createSealer } from "../../server/input/request_state.ts";
import type { StateBinding } from "../../server/input/request_state.ts";
import { createSessionTokens } from "../../server/http/session_tokens.ts";
import { mutateText, randomJson, randomText } from "./random.ts";
import type { Random } from "./random.ts";
import { growth, must, sameJson, target } from "./target.ts";

const KEYS = ["a key of this run, long enough", "an older key of this run"] as const;
const OTHER = ["a key of somebody else entirely"] as const;
const terms = { lifetime: 60_000, maxBytes: 4096, onProcessKey: () => undefined };
const sealer = createSealer({ keys: KEYS, ...terms });
const older = createSealer({ keys: [KEYS[1]], ...terms });
const stranger = createSealer({ keys: OTHER, ...terms });

interface StateInput {
  readonly state: unknown;
  readonly by: "newest" | "older" | "stranger" | "expired";
  readonly bound: StateBinding;
  readonly asked: StateBinding;
  /** What is done to the text: how many random changes, and where they begin. */
  readonly text: string | undefined;
  readonly flips: readonly number[];
}

function binding(random: Random): StateBinding {
  return {
    principal: random.pick(["", "ada", '","', "a"]),
    method: random.pick(["tools/call", "prompts/get", "Mcp-Session-Id"]),
    request: random.pick(["", "x", '["x"]', "anonymous"]),
  };
}

const SEALERS = { newest: sealer, older, stranger, expired: createSealer({ keys: KEYS, ...terms, lifetime: -1 }) } as const;

/** The sealed `requestState`. */
export const STATE = target<StateInput>({
  name: "sealed state",
  weight: 2,
  make(random) {
    const bound = binding(random);
    return {
      state: randomJson(random, 2),
      by: random.pick(["newest", "newest", "newest", "older", "stranger", "expired"]),
      bound,
      asked: random.oneIn(2) ? bound : binding(random),
      text: random.oneIn(10) ? randomText(random, 40) : undefined,
      flips: Array.from({ length: random.below(4) }, () => random.below(2 ** 30)),
    };
  },
  async check({ state, by, bound, asked, text, flips }) {
    const sealed = await SEALERS[by].seal(state, bound);
    const sent = text ?? flipped(sealed, flips);
    const opened = await sealer.open(sent, asked);
    const honest = sent === sealed && (by === "newest" || by === "older") && sameJson(bound, asked);
    if (honest) must(opened !== undefined && sameJson(opened.state, state), "an honest state opens as it was sealed");
    else must(opened === undefined, "no other state opens");
  },
  growth: [
    growth(
      "a long text",
      (size) => "A".repeat(size * 4),
      (text) => createSealer({ keys: KEYS, ...terms, maxBytes: 2 ** 30 }).open(text, binding0),
    ),
  ],
});

const binding0: StateBinding = { principal: "", method: "", request: "" };

/** Changes characters, lengthens or shortens a text; each number is one change. */
function flipped(text: string, flips: readonly number[]): string {
  let changed = text;
  for (const flip of flips) {
    const at = flip % (changed.length + 1);
    const char = ALPHABET[(flip >>> 8) % ALPHABET.length] ?? "";
    const how = (flip >>> 16) % 8;
    if (how === 0) changed = changed.slice(0, at);
    else if (how === 1) changed = changed.slice(0, at) + char + changed.slice(at);
    // The last characters hold bits that count for nothing, and padding.
    else if (how === 2) changed = changed.slice(0, -1 - (at % 3)) + char + changed.slice(changed.length - (at % 3));
    else changed = changed.slice(0, at) + char + changed.slice(at + 1);
  }
  return changed;
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_= \n";

const tokens = createSessionTokens({ keys: KEYS, lifetime: 60_000, onProcessKey: () => undefined });
const strangers = createSessionTokens({ keys: OTHER, lifetime: 60_000, onProcessKey: () => undefined });

interface TokenInput {
  readonly owner: string | undefined;
  readonly asked: string | undefined;
  readonly foreign: boolean;
  readonly asState: boolean;
  readonly text: string | undefined;
  readonly flips: readonly number[];
}

/** The sealed ids of sessions. */
export const SESSION_IDS = target<TokenInput>({
  name: "session ids",
  weight: 2,
  make(random) {
    const owner = random.pick([undefined, "ada", "", "anonymous", "named"]);
    return {
      owner,
      asked: random.oneIn(2) ? owner : random.pick([undefined, "ada", "", "bob"]),
      foreign: random.oneIn(6),
      asState: random.oneIn(8),
      text: random.oneIn(10) ? mutateText(random, randomText(random, 80), 2) : undefined,
      flips: Array.from({ length: random.below(4) }, () => random.below(2 ** 30)),
    };
  },
  async check({ owner, asked, foreign, asState, text, flips }) {
    const claims = { key: "k", instance: "i", issuedAt: 1 };
    const sealed = asState
      ? (await sealer.seal(claims, {
        principal: owner ?? "",
        method: "tools/call",
        request: owner === undefined ? "anonymous" : "named",
      }))
      : await (foreign ? strangers : tokens).seal(claims, owner);
    const sent = text ?? flipped(sealed, flips);
    const opened = await tokens.open(sent, asked);
    const honest = sent === sealed && !foreign && !asState && owner === asked;
    if (honest) must(opened !== undefined && sameJson(opened, claims), "an honest id opens as it was sealed");
    else must(opened === undefined, "no other id opens");
    if (!asState) must(/^[\x21-\x7e]+$/.test(sealed), "an id is visible ASCII");
  },
  growth: [
    growth("a long id", (size) => "A".repeat(size * 4), (text) => tokens.open(text, undefined)),
  ],
});
