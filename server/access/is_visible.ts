/** Who may see a component: one answer for lists, calls, completion and subscriptions. */
import { saysYes } from "../../protocol/auth/says_yes.ts";
import type { CallInfo } from "../../protocol/context.ts";
import type { ComponentOptions } from "../components/component.ts";
import type { Exchange } from "../core.ts";

/** May a caller know of a resource? */
export type IsVisible = (uri: string, exchange: Exchange) => boolean;

/**
 * Is a component there for a caller? Always without `visible`, otherwise only when that says true: a promise, or nothing at
 * all, hides it.
 *
 * @param options The options of the component.
 * @param info Gives what is known about the request; called only when `visible` is there.
 */
export function isVisible({ visible }: ComponentOptions, info: () => CallInfo): boolean {
  return visible === undefined || saysYes(visible(info()));
}
