/** Answers the requests of a view: what the host does itself, and what goes on to the server. */
import { ERROR_CODES, ProtocolError } from "../../protocol/errors.ts";
import { openLinkFault } from "../../protocol/extensions/app_link.ts";
import { displayModeFor } from "../../protocol/extensions/bridge/display_mode.ts";
import type { DisplayMode, HostContext } from "../../protocol/extensions/bridge/bridge_types.ts";
import { INVALID_BRIDGE_PARAMS } from "../../protocol/extensions/bridge/read_bridge_message.ts";
import type { JsonObject, Progress } from "../../protocol/types.ts";
import { Allowance } from "./allowance.ts";
import type { Agreed, AppHostOptions } from "./app_host_types.ts";
import { AppRelay, DECLINED } from "./app_relay.ts";
import type { ViewRequest } from "./app_relay.ts";

/** What the answers need of the host. */
export interface AnsweringHost {
  /** The context in force. */
  readonly context: () => HostContext;
  /** The modes that the view announced, if it did. */
  readonly announced: () => readonly string[] | undefined;
  /** Puts a mode in force and tells the view. */
  readonly switchTo: (mode: DisplayMode) => void;
}

/** Answers requests. */
export class AppAnswers {
  /** What goes to the server. */
  readonly relay: AppRelay;
  readonly #options: AppHostOptions;
  readonly #host: AnsweringHost;
  readonly #updates: Allowance;

  /** Answers for one view. */
  constructor(options: AppHostOptions, host: AnsweringHost, perSecond: number) {
    this.relay = new AppRelay(options.client);
    this.#options = options;
    this.#host = host;
    this.#updates = new Allowance(perSecond);
  }

  /**
   * Answers one request.
   *
   * @param signal Aborts when nobody waits for the answer any more.
   * @param onProgress Takes the progress of a call.
   * @returns The result.
   * @throws {ProtocolError} The error of the answer.
   */
  async answer(request: ViewRequest, signal: AbortSignal, onProgress: (progress: Progress) => void): Promise<JsonObject> {
    const { handlers = {} } = this.#options;
    const ctx = { signal };
    switch (request.method) {
      case "ui/open-link": {
        const { url } = request.params;
        if (handlers.openLink === undefined) break;
        const fault = openLinkFault(url, { schemes: this.#options.openLinkSchemes });
        if (fault !== undefined) throw ProtocolError.invalidParams(fault, { data: { reason: INVALID_BRIDGE_PARAMS } });
        return await agreed(request.method, handlers.openLink(url, ctx));
      }
      case "ui/message":
        if (handlers.message === undefined) break;
        return await agreed(request.method, handlers.message(request.params, ctx));
      case "ui/update-model-context": {
        if (handlers.updateModelContext === undefined) break;
        if (!this.#updates.take()) throw new ProtocolError(DECLINED, "Updating the context: too many updates in one second");
        const { content, structuredContent } = request.params;
        return await agreed(request.method, handlers.updateModelContext({ content, structuredContent }, ctx));
      }
      case "ui/download-file":
        if (handlers.downloadFile === undefined) break;
        return await agreed(request.method, handlers.downloadFile(request.params, ctx));
      case "ui/request-display-mode":
        return { mode: await this.#displayMode(request.params.mode, signal) };
      case "sampling/createMessage":
        if (handlers.sample === undefined) break;
        return await handlers.sample(request.params, ctx);
      case "ping":
        return {};
      default: {
        const answer = this.relay.send(request, signal, onProgress);
        if (answer !== undefined) return await answer;
      }
    }
    throw new ProtocolError(ERROR_CODES.method_not_found, `Answering ${request.method}: the host does not offer it`);
  }

  /** The mode in force afterwards, whatever was asked for. */
  async #displayMode(wanted: DisplayMode, signal: AbortSignal): Promise<DisplayMode> {
    const change = this.#options.handlers?.displayMode;
    const before = currentMode(this.#host);
    const { availableDisplayModes: offered = [] } = this.#host.context();
    const mode = displayModeFor(wanted, { current: before, announced: this.#host.announced(), offered });
    if (mode === before || change === undefined) return before;
    if (await change(mode, { signal }) !== false) this.#host.switchTo(mode);
    return currentMode(this.#host);
  }
}

function currentMode({ context }: AnsweringHost): DisplayMode {
  return context().displayMode ?? "inline";
}

async function agreed(method: string, answer: Agreed): Promise<JsonObject> {
  if (await answer === false) throw new ProtocolError(DECLINED, `Answering ${method}: the host or its user declined`);
  return {};
}
