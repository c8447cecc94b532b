/** How many sessions may be open, in all and for one caller. */
import type { ResolvedLimits } from "../../protocol/limits.ts";

/** A place that was taken, or the sentence that says why there is none, and the limit with its value where that is known. */
export type Place = { readonly ok: true; readonly give: () => void } | {
  readonly ok: false;
  readonly sentence: string;
  readonly limit: { readonly name: string; readonly value: number | undefined };
};

/** Counts sessions; callers that nobody knows count in total only. */
export class SessionCapacity {
  readonly #limits: ResolvedLimits;
  readonly #perPrincipal = new Map<string, number>();
  #total = 0;

  /** Takes the limits `sessions` and `sessionsPerPrincipal`. */
  constructor(limits: ResolvedLimits) {
    this.#limits = limits;
  }

  /** Takes a place, which is given back once. */
  take(principal: string | undefined): Place {
    const { sessions, sessionsPerPrincipal } = this.#limits;
    const own = principal === undefined ? 0 : this.#perPrincipal.get(principal) ?? 0;
    if (principal !== undefined && own >= sessionsPerPrincipal) {
      const sentence =
        `Capacity reached: the caller has ${own} sessions open (limit sessionsPerPrincipal ${sessionsPerPrincipal})`;
      return { ok: false, sentence, limit: { name: "sessionsPerPrincipal", value: sessionsPerPrincipal } };
    }
    // Last, because another session may make room where only this one is reached.
    if (this.#total >= sessions) {
      const sentence = `Capacity reached: ${this.#total} sessions are open (limit sessions ${sessions})`;
      return { ok: false, sentence, limit: { name: "sessions", value: sessions } };
    }
    this.#total++;
    if (principal !== undefined) this.#perPrincipal.set(principal, own + 1);
    let taken = true;
    return {
      ok: true,
      give: () => {
        if (!taken) return;
        taken = false;
        this.#total--;
        if (principal === undefined) return;
        const left = (this.#perPrincipal.get(principal) ?? 1) - 1;
        if (left === 0) this.#perPrincipal.delete(principal);
        else this.#perPrincipal.set(principal, left);
      },
    };
  }
}
