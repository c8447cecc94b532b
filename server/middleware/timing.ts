/** `timing`: a middleware that reports how long requests take. */
import { checkFunction } from "../../protocol/unknown_option.ts";
import { observed } from "./logging.ts";
import type { Middleware } from "./middleware_types.ts";

/**
 * Makes a middleware that calls back with the duration of each request, failed ones included, and of each round of a request
 * that asks for input. Only what stands behind it in `use` is measured.
 *
 * @example Durations by method
 * ```ts
 * import { defineServer, timing, tool } from "@causeway/mcp/server";
 *
 * const spent = new Map<string, number>();
 * const server = defineServer({
 *   name: "measured",
 *   version: "1.0.0",
 *   use: [timing((method, ms) => spent.set(method, (spent.get(method) ?? 0) + ms))],
 *   tools: [tool({ name: "greet", handler: () => "Hello!" })],
 * });
 * console.log(server.info.name);
 * ```
 *
 * @param report Takes the method and the milliseconds. What it throws changes nothing.
 * @throws {TypeError} When it is not a function.
 */
export function timing(report: (method: string, ms: number) => void): Middleware {
  checkFunction(report, "timing.report");
  return (call, next) => observed(call, next, (ms) => report(call.method, ms));
}
