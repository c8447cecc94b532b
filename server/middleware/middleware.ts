/** Folds middleware around the methods of a server, once. */
import { isJsonObject } from "../../protocol/json.ts";
import type { JsonObject } from "../../protocol/types.ts";
import { checkFunction, checkList } from "../../protocol/unknown_option.ts";
import { cacheHintFault } from "../components/cache_hint.ts";
import { callInfo } from "../context.ts";
import type { Exchange, Method } from "../core.ts";
import { jsonFault } from "../json/json_fault.ts";
import { methodOf } from "./around.ts";
import { LayeredExchange } from "./layered_exchange.ts";
import type { Middleware } from "./middleware_types.ts";
import { runOnion } from "./onion.ts";

/** How layers see the params of a method. */
export interface ParamsView {
  /** What the layers see. */
  show(params: JsonObject): JsonObject;
  /** What is inside sees again. */
  restore(params: JsonObject): JsonObject;
}

/**
 * Checks the option `use`.
 *
 * @throws {TypeError} For what is not a list of functions.
 */
export function checkMiddleware(use: readonly Middleware[] | undefined): void {
  checkList(use, "use");
  use?.forEach((layer, at) => {
    checkFunction(layer, `use[${at}]`);
  });
}

/** The layers around a method, outermost first. `ping` has none: it only asks whether somebody is there. */
export function layersFor(use: readonly Middleware[] | undefined, method: string): readonly Middleware[] {
  if (use === undefined || method === "ping") return [];
  return use.filter((layer) => (methodOf(layer) ?? method) === method);
}

/** A method with layers around it; the method itself when there are none. */
export function withLayers(name: string, method: Method, layers: readonly Middleware[]): Method {
  if (layers.length === 0) return method;
  return { ...method, runsHandler: true, answer: (exchange) => throughLayers(exchange, name, method, layers) };
}

/**
 * Answers a request inside of layers. Inside, results have the form of the newest revision; only the outermost level writes
 * them for the client.
 *
 * @param view Translates params where the layers know components under other names.
 */
export async function throughLayers(
  exchange: Exchange,
  name: string,
  method: Method,
  layers: readonly Middleware[],
  view: ParamsView = UNCHANGED,
): Promise<JsonObject> {
  const outermost = !(exchange instanceof LayeredExchange);
  if (outermost) method.check?.(exchange);
  const rounds = roundMembers(exchange.request.params);
  const shown = Object.freeze(view.show(rounds.without));
  let inner: LayeredExchange | undefined;
  let given: JsonObject | undefined;
  const core = async (params: JsonObject): Promise<JsonObject> => {
    const { request } = exchange;
    const changed = params === shown ? request : { ...request, params: { ...view.restore(params), ...rounds.own } };
    const own = inner = new LayeredExchange(exchange, changed);
    return given = await (method.lasts === true ? exchange.aside(async () => await method.answer(own)) : method.answer(own));
  };
  let result: JsonObject;
  try {
    result = await runOnion({ exchange, method: name, layers, params: shown, info: callInfo(exchange), core });
  } catch (error) {
    if (outermost && method.recover !== undefined) return method.recover(exchange, error);
    throw error;
  }
  const changed = result !== given;
  if (changed) checkChanged(name, result, given);
  const cacheScope = changed ? undefined : inner?.cacheScope;
  if (!outermost) {
    exchange.cacheScope = cacheScope;
    return result;
  }
  if (method.write === undefined || result.resultType === "input_required") return result;
  return method.write(exchange, result, { changed, cacheScope });
}

const UNCHANGED: ParamsView = { show: (params) => params, restore: (params) => params };

/** Members that the protocol reads and no layer sees: nothing of them may be lost when params are changed. */
const PROTOCOL_MEMBERS: readonly string[] = ["_meta", "inputResponses", "requestState"];

function roundMembers(params: JsonObject): { readonly without: JsonObject; readonly own: JsonObject } {
  const { _meta, inputResponses: _responses, requestState: _state, ...without } = params;
  return {
    without,
    own: Object.fromEntries(PROTOCOL_MEMBERS.flatMap((key) => Object.hasOwn(params, key) ? [[key, params[key]]] : [])),
  };
}

/** What a middleware made is checked just as what handlers return. */
function checkChanged(method: string, result: JsonObject, given: JsonObject | undefined): void {
  const path = `use: What a middleware gave for ${method}`;
  const { resultType = "complete" } = result;
  if (resultType !== "complete" && resultType !== given?.resultType) {
    throw new TypeError(`${path}: Only a handler can ask for input, or give a result of an extension's type`);
  }
  const fault = jsonFault(result, path);
  if (fault !== undefined) throw new TypeError(fault);
  const { ttlMs, cacheScope, _meta } = result;
  const hint = cacheHintFault({ ttlMs, cacheScope } as never);
  if (hint !== undefined) throw new TypeError(`${path}: ${hint}`);
  if (_meta !== undefined && !isJsonObject(_meta)) throw new TypeError(`${path}: Expected _meta to be an object`);
}
