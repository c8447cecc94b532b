/** Runs a request through a client's middleware. */
import { isJsonObject } from "../protocol/json.ts";
import type { JsonObject, JsonRpcRequest, RequestId } from "../protocol/types.ts";
import type { ClientMiddleware } from "./options.ts";

/** One request, and how it leaves. */
export interface MiddlewareRun {
  /** The layers, outermost first. */
  readonly layers: readonly ClientMiddleware[];
  /** The request as the program made it: entries for `_meta` and nothing of the revision. */
  readonly request: JsonRpcRequest;
  /** A fresh id, for a layer that sends once more. */
  readonly nextId: () => RequestId;
  /** Sends what came through. */
  readonly send: (id: RequestId, method: string, params: JsonObject, meta: JsonObject | undefined) => Promise<JsonObject>;
}

/**
 * Runs a request through all layers. What the innermost one passes on is sent: its params, and the entries of its `_meta`.
 *
 * @returns The result as the outermost layer gives it.
 * @throws {TypeError} When a layer gives no object.
 */
export async function runMiddleware({ layers, request, nextId, send }: MiddlewareRun): Promise<JsonObject> {
  let sent = false;
  const run = async (index: number, current: JsonRpcRequest): Promise<JsonObject> => {
    const layer = layers[index];
    if (layer !== undefined) return await layer(current, (changed = current) => run(index + 1, changed));
    // Two requests of one layer may be open at once, so the second gets an id of its own.
    const id = sent ? nextId() : request.id;
    sent = true;
    const { _meta: meta, ...params } = current.params ?? {};
    return await send(id, current.method, params, isJsonObject(meta) ? meta : undefined);
  };
  const result = await run(0, request);
  if (!isJsonObject(result)) throw new TypeError("connect.use: Expected every middleware to give a result object");
  return result;
}
