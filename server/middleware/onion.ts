/** Runs one request through layers of middleware. */
import { isJsonObject } from "../../protocol/json.ts";
import type { Awaitable, JsonObject } from "../../protocol/types.ts";
import type { Exchange } from "../core.ts";
import { quiet } from "../quiet.ts";
import type { Call, CallFacts, Middleware } from "./middleware_types.ts";

/** One request, and what is around it. */
export interface Onion {
  /** The request. */
  readonly exchange: Exchange;
  /** The method. */
  readonly method: string;
  /** The layers, outermost first. */
  readonly layers: readonly Middleware[];
  /** The params that the outermost layer sees. */
  readonly params: JsonObject;
  /** What every layer is told about the request. */
  readonly info: CallFacts;
  /** What is inside; called at most once, with the params that came through. */
  readonly core: (params: JsonObject) => Awaitable<JsonObject>;
}

/**
 * Runs a request through all layers.
 *
 * @returns The result of the outermost layer.
 * @throws {TypeError} When a layer gives no object, or breaks a rule of `next`.
 */
export function runOnion(onion: Onion): Promise<JsonObject> {
  return enter(onion, 0, onion.params);
}

async function enter(onion: Onion, index: number, params: JsonObject): Promise<JsonObject> {
  const layer = onion.layers[index];
  if (layer === undefined) return await onion.core(params);
  const { method, info, exchange } = onion;
  const call: Call = Object.freeze({ method, params, info });
  let open = true;
  let used = false;
  const goOn = async (changed: Call): Promise<JsonObject> => {
    if (used) throw fault(method, "next was called before");
    if (!open) throw fault(method, "next was called after the middleware had settled");
    if (exchange.done) throw new DOMException("The request was answered or given up", "AbortError");
    used = true;
    if (changed === call) return await enter(onion, index + 1, params);
    if (!isJsonObject(changed) || changed.method !== method || changed.info !== info) {
      throw fault(method, "next was given another method or another info, only params can be changed");
    }
    if (!isJsonObject(changed.params)) throw fault(method, "next was given params that are not an object");
    return await enter(onion, index + 1, changed.params as JsonObject);
  };
  try {
    // Nobody has to wait for `next`.
    const result = await layer(call, (changed = call) => quiet(goOn(changed)));
    if (!isJsonObject(result)) throw fault(method, "Expected a result object");
    return result;
  } finally {
    open = false;
  }
}

function fault(method: string, found: string): TypeError {
  return new TypeError(`use: A middleware around ${method} broke a rule: ${found}`);
}
