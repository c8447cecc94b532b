/** `logging`: a middleware that writes one line per request. */
import { isMcpError } from "../../protocol/errors.ts";
import { reportTo } from "../../protocol/report_to.ts";
import type { JsonObject } from "../../protocol/types.ts";
import { shown } from "../../protocol/shown.ts";
import { checkFunction } from "../../protocol/unknown_option.ts";
import type { HandlerContext } from "../context.ts";
import type { Call, Middleware } from "./middleware_types.ts";

/**
 * Makes a middleware that writes one line per request, and per round of a request that asks for input: revision, carrier,
 * method, the name or URI, milliseconds, and what came of it. Arguments, results and tokens are never written; what the client
 * gave as a name is quoted and cut.
 *
 * @example Lines on standard error
 * ```ts
 * import { defineServer, logging, tool } from "@causeway/mcp/server";
 *
 * const server = defineServer({
 *   name: "logged",
 *   version: "1.0.0",
 *   use: [logging(console.error)], // 2026-07-28 http tools/call "greet" 1.3 ms ok
 *   tools: [tool({ name: "greet", handler: () => "Hello!" })],
 * });
 * console.log(server.info.name);
 * ```
 *
 * @param write Takes a line, without its end. What it throws changes nothing.
 * @throws {TypeError} When it is not a function.
 */
export function logging(write: (line: string) => void): Middleware {
  checkFunction(write, "logging.write");
  return (call, next) =>
    observed(call, next, (ms, outcome) => {
      const { info: { protocolVersion, transport }, method, params } = call;
      return write(`${protocolVersion} ${transport} ${method}${nameOf(params)} ${ms.toFixed(1)} ms ${outcome}`);
    });
}

/**
 * Runs what is inside, and reports once how long that took and what the client got: also when the request is given up, or
 * answered with an error, while a handler still runs.
 */
export async function observed(
  { info }: Call,
  next: () => Promise<JsonObject>,
  report: (ms: number, outcome: string) => unknown,
): Promise<JsonObject> {
  const since = performance.now();
  let open = true;
  const end = (outcome: string): void => {
    if (!open) return;
    open = false;
    leave?.();
    reportTo(report, performance.now() - since, outcome);
  };
  // The signal of a request costs as much as the request: it is touched only when no answer came from inside.
  const leave = (info as Partial<HandlerContext>).whenSettled?.(() =>
    queueMicrotask(() => {
      if (info.signal.aborted) end(faultOf(info.signal.reason, "cancelled"));
    })
  );
  try {
    const result = await next();
    end(outcomeOf(result));
    return result;
  } catch (error) {
    end(faultOf(error, "failed"));
    throw error;
  }
}

function outcomeOf({ resultType, isError }: JsonObject): string {
  if (resultType === "input_required") return "input required";
  return isError === true ? "tool error" : "ok";
}

function faultOf(error: unknown, other: string): string {
  if (isMcpError(error)) {
    if (error.kind === "protocol") return `error ${error.code}`;
    if (error.kind === "tool") return "tool error";
  }
  return other;
}

/** Quoted, so that no name ends a line or looks like another one. */
function nameOf({ name, uri }: JsonObject): string {
  const named = typeof name === "string" ? name : uri;
  return typeof named === "string" ? ` ${JSON.stringify(shown(named))}` : "";
}
