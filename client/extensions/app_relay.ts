/** Passes requests of a view on to its server, as far as a view may. */
import { ERROR_CODES, isMcpError, ProtocolError } from "../../protocol/errors.ts";
import { toolVisibility } from "../../protocol/extensions/app_tool.ts";
import type { BridgeError, ViewMessage } from "../../protocol/extensions/bridge/bridge_types.ts";
import { isJsonObject, ownMember } from "../../protocol/json.ts";
import type { JsonObject, Progress } from "../../protocol/types.ts";
import type { AppHostClient } from "./app_host_types.ts";
import { ListedTools } from "./listed_tools.ts";

/** A request of a view. */
export type ViewRequest = Extract<ViewMessage, { readonly kind: "request" }>;

/** The code of an answer that says no, for a reason that is no fault of the request (MCP Apps § Requests). */
export const DECLINED = -32_000;

/** Relays to one server. */
export class AppRelay {
  readonly #client: AppHostClient;
  readonly #tools: ListedTools;

  /** Relays over a connected client. */
  constructor(client: AppHostClient) {
    this.#client = client;
    this.#tools = new ListedTools((options) => client.listTools(options));
  }

  /** Forgets the list of tools, so that the next call asks for it again. */
  forgetTools(): void {
    this.#tools.forget();
  }

  /**
   * Sends a request on.
   *
   * @param signal Cancels it.
   * @param onProgress Takes progress, when the view wants it.
   * @returns The server's result, unchanged; undefined for a method that is not passed on.
   */
  send(request: ViewRequest, signal: AbortSignal, onProgress: (progress: Progress) => void): Promise<JsonObject> | undefined {
    switch (request.method) {
      case "tools/call":
        return this.#call(request.params, { signal, onProgress: wantsProgress(request.params) ? onProgress : undefined });
      case "resources/read":
        return this.#client.readResource(request.params.uri, { signal }) as unknown as Promise<JsonObject>;
      case "resources/list":
      case "resources/templates/list":
      case "prompts/list": {
        const { cursor } = request.params;
        return this.#client.request(request.method, cursor === undefined ? {} : { cursor }, { signal });
      }
    }
    return undefined;
  }

  /**
   * Calls a tool that views may call. Their `_meta` stays here: it could say something in the name of the host.
   */
  async #call(
    { name, arguments: args }: { readonly name: string; readonly arguments?: JsonObject },
    options: { readonly signal: AbortSignal; readonly onProgress: ((progress: Progress) => void) | undefined },
  ): Promise<JsonObject> {
    const tool = await this.#tools.find(name, { signal: options.signal });
    if (tool === undefined) throw ProtocolError.invalidParams("Calling a tool: the server lists none of that name");
    if (!toolVisibility(tool).includes("app")) {
      throw ProtocolError.invalidParams("Calling a tool: this one is not for views", { data: { reason: "tool_not_visible" } });
    }
    try {
      return await this.#client.callTool(tool, args, options) as unknown as JsonObject;
    } catch (error) {
      // What the client cannot send as it is.
      if (error instanceof TypeError) {
        throw ProtocolError.invalidParams("Calling a tool: its arguments cannot be sent", { cause: error });
      }
      throw error;
    }
  }
}

/**
 * What the view is told of an error: one of the server as it is, of others only their kind. A connection's error may name
 * addresses, which are nothing to a view.
 *
 * @returns The error; undefined when it is nobody's but the host's.
 */
export function bridgeErrorOf(error: unknown): BridgeError | undefined {
  if (!isMcpError(error)) return undefined;
  switch (error.kind) {
    case "protocol": {
      const { code, message, data } = error;
      return data === undefined ? { code, message } : { code, message, data };
    }
    case "transport":
      return { code: DECLINED, message: "The connection to the server failed", data: { reason: error.reason } };
    case "authorization":
      return { code: DECLINED, message: "The server did not accept the authorization of the host" };
    case "input_required":
      return { code: DECLINED, message: "The server asked for input that nobody gave" };
    case "tool":
      return { code: ERROR_CODES.internal_error, message: error.message };
  }
}

/** The token by which a view knows the progress of its request. */
export function progressTokenOf(params: object): string | number | undefined {
  const meta = ownMember(params as JsonObject, "_meta");
  const token = isJsonObject(meta) ? ownMember(meta, "progressToken") : undefined;
  return typeof token === "string" || Number.isSafeInteger(token) ? token as string | number : undefined;
}

function wantsProgress(params: object): boolean {
  return progressTokenOf(params) !== undefined;
}
