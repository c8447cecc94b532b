/** The sizes of a view: many are thinned out, the last one always arrives. */
import type { ViewNotices } from "../../protocol/extensions/bridge/bridge_types.ts";
import { Allowance } from "./allowance.ts";

type Size = ViewNotices["ui/notifications/size-changed"];

/** Takes sizes. */
export class AppSizes {
  readonly #deliver: (size: Size) => void;
  readonly #perSecond: number;
  readonly #allowance: Allowance;
  #last: Size | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Delivers so many per second. */
  constructor(perSecond: number, deliver: (size: Size) => void) {
    this.#deliver = deliver;
    this.#perSecond = perSecond;
    this.#allowance = new Allowance(perSecond);
  }

  /** Takes one. */
  take(size: Size): void {
    if (this.#timer === undefined && this.#allowance.take()) return this.#deliver(size);
    this.#last = size;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.take(this.#last as Size);
    }, Math.ceil(1000 / this.#perSecond));
  }

  /** Delivers nothing any more. */
  end(): void {
    clearTimeout(this.#timer);
  }
}
