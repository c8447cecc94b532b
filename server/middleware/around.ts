/** `around`: a middleware for one method, typed. */
import type { Awaitable } from "../../protocol/types.ts";
import { checkFunction } from "../../protocol/unknown_option.ts";
import type { Call, Middleware, ResultOf, ServerMethods } from "./middleware_types.ts";

const METHODS: { readonly [M in keyof ServerMethods]: true } = {
  "tools/list": true,
  "tools/call": true,
  "resources/list": true,
  "resources/templates/list": true,
  "resources/read": true,
  "prompts/list": true,
  "prompts/get": true,
};

const METHOD: unique symbol = Symbol("method of a middleware");

/**
 * Makes a middleware for one method, typed by it. Other methods never pass through it.
 *
 * @example An authorization policy
 * ```ts
 * import { around, defineServer, ProtocolError, tool } from "@causeway/mcp/server";
 *
 * const guard = around("tools/call", (call, next) => {
 *   if (call.params.name.startsWith("admin_") && !call.info.auth?.scopes.includes("admin")) {
 *     throw ProtocolError.invalidParams("This tool is for administrators");
 *   }
 *   return next();
 * });
 * const server = defineServer({
 *   name: "guarded",
 *   version: "1.0.0",
 *   use: [guard],
 *   tools: [tool({ name: "admin_reset", handler: () => "done" })],
 * });
 * console.log(server.info.name);
 * ```
 *
 * @param method The method.
 * @param middleware Runs around it; the rules are those of {@linkcode Middleware}.
 * @throws {TypeError} When there is no such method, or the middleware is not a function.
 */
export function around<M extends keyof ServerMethods>(
  method: M,
  middleware: (call: Call<M>, next: (call?: Call<M>) => Promise<ResultOf<M>>) => Awaitable<ResultOf<M>>,
): Middleware {
  if (!Object.hasOwn(METHODS, method)) {
    throw new TypeError(`around: Expected one of ${Object.keys(METHODS).join(", ")} as method`);
  }
  checkFunction(middleware, `around.${method}`);
  const own = middleware as unknown as Middleware;
  // Called by hand, around another method, it is not there.
  const layer: Middleware = (call, next) => call.method === method ? own(call, next) : next();
  return Object.defineProperty(layer, METHOD, { value: method });
}

/** The one method that a middleware is for; undefined when it is for all. */
export function methodOf(middleware: Middleware): string | undefined {
  return (middleware as { readonly [METHOD]?: string })[METHOD];
}
