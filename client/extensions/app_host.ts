/** The host's side of an app's view: answers it, relays to its server, hands it the call. */
import { ERROR_CODES, TransportError } from "../../protocol/errors.ts";
import { bridgeStep } from "../../protocol/extensions/bridge/bridge_lifecycle.ts";
import type { BridgeEvent, BridgeState } from "../../protocol/extensions/bridge/bridge_lifecycle.ts";
import type { BridgeInitialize, HostContext, ViewMessage } from "../../protocol/extensions/bridge/bridge_types.ts";
import { BRIDGE_VERSION } from "../../protocol/extensions/bridge/bridge_version.ts";
import { plainCopy } from "../../protocol/extensions/bridge/plain_copy.ts";
import type { CopyBounds } from "../../protocol/extensions/bridge/plain_copy.ts";
import { readBridgeMessage } from "../../protocol/extensions/bridge/read_bridge_message.ts";
import { errorResponse, resultResponse } from "../../protocol/json_rpc.ts";
import { BRIDGE_LIMITS } from "../../protocol/limits.ts";
import { rarely } from "../../protocol/rarely.ts";
import type { Rarely } from "../../protocol/rarely.ts";
import type { CallToolResult, JsonObject, JsonRpcMessage, RequestId } from "../../protocol/types.ts";
import { checkAppHost } from "./check_app_host.ts";
import { Allowance } from "./allowance.ts";
import { AppAnswers } from "./app_answers.ts";
import type { AnsweringHost } from "./app_answers.ts";
import { hostCapabilities } from "./app_capabilities.ts";
import { changedContext, initialContext, nextContext } from "./app_context.ts";
import type { AppHost, AppHostOptions, AppRequestOptions, TeardownOutcome } from "./app_host_types.ts";
import { appLimits } from "./app_limits.ts";
import { AppOpenRequests } from "./app_open_requests.ts";
import { AppQuestions } from "./app_questions.ts";
import { AppSizes } from "./app_sizes.ts";

/**
 * Hosts one view of an app. What carries the messages is left to the caller, as is the sandbox of the view: `receive` takes what
 * the view posted, `post` sends. Whatever the view sends is checked; it reaches the tools for views of its own server, and what
 * the handlers offer.
 *
 * ```ts ignore
 * import { connect } from "@causeway/mcp";
 * import { appHost, apps } from "@causeway/mcp/client/apps";
 *
 * declare const frame: { readonly contentWindow: { postMessage(message: unknown, origin: string): void } };
 * const origin = "https://sandbox.example.com";
 *
 * const client = await connect("https://example.com/mcp", { extensions: [apps] });
 * const [tool] = await client.listTools();
 * if (tool === undefined) throw new Error("There is no tool");
 * const post = (message: unknown) => frame.contentWindow.postMessage(message, origin);
 * const host = appHost({ client, tool, post, info: { name: "host", version: "1.0.0" } });
 * addEventListener("message", (event) => {
 *   const { source, origin: from, data } = event as MessageEvent;
 *   if (source as unknown === frame.contentWindow && from === origin) host.receive(data);
 * });
 * await host.ready;
 * host.toolInput({ city: "Oslo" });
 * host.toolResult(await client.callTool(tool, { city: "Oslo" }));
 * ```
 *
 * @param options The connection, the tool, the way to the view, and what the host does for it.
 * @returns The host. End it with `teardown`.
 * @throws {TypeError} For an option that nobody reads, for one that is missing, and for a context of the wrong shape.
 */
export function appHost(options: AppHostOptions): AppHost {
  checkAppHost(options);
  return new Host(options);
}

class Host implements AppHost {
  state: BridgeState = "created";
  view: BridgeInitialize | undefined;
  context: HostContext;
  readonly ready: Promise<void>;
  readonly #options: AppHostOptions;
  readonly #bounds: CopyBounds;
  readonly #answers: AppAnswers;
  readonly #questions: AppQuestions;
  readonly #open: AppOpenRequests;
  readonly #logs: Allowance;
  readonly #teardowns: Allowance;
  readonly #sizes: AppSizes;
  readonly #report: Rarely;
  readonly #wait: ReturnType<typeof setTimeout>;
  readonly #settleReady: { readonly resolve: () => void; readonly reject: (error: unknown) => void };
  #told: HostContext;
  #teardown: Promise<TeardownOutcome> | undefined;

  constructor(options: AppHostOptions) {
    const { limits = {}, report = () => {}, handlers = {} } = options;
    const { openRequests, perSecond, initialize, messageBytes } = appLimits(limits);
    this.#options = options;
    this.#bounds = { ...BRIDGE_LIMITS, messageBytes };
    this.context = initialContext(options);
    this.#told = this.context;
    this.#report = rarely((fault) => this.#guarded(() => report(fault), false));
    this.#logs = new Allowance(perSecond);
    this.#teardowns = new Allowance(perSecond);
    this.#sizes = new AppSizes(perSecond, (size) => this.#guarded(() => handlers.sizeChanged?.(size)));
    this.#questions = new AppQuestions((message) => this.#send(message));
    this.#answers = new AppAnswers(options, this.#answering(), perSecond);
    this.#open = new AppOpenRequests({
      limit: openRequests,
      answers: this.#answers,
      post: (message) => this.#post(message),
      report: (error) => this.#report(() => error),
    });
    const ready = Promise.withResolvers<void>();
    // A host need not wait for it.
    ready.promise.catch(() => undefined);
    this.ready = ready.promise;
    this.#settleReady = ready;
    this.#wait = setTimeout(() => {
      this.#end(new TransportError("timeout", `Waiting for the view to begin: it was not ready within ${initialize} ms`));
    }, initialize);
  }

  receive(message: unknown): void {
    if (this.state === "closed") return;
    const read = readBridgeMessage(message, "view", { ...this.#bounds, open: this.#open, asked: this.#questions });
    if (!read.ok) {
      this.#drop(read.error.message);
      if (read.id !== undefined) this.#post(errorResponse(read.id, read.error.code, read.error.message, read.error.data));
      return;
    }
    const step = bridgeStep(this.state, { ...read.message, from: "view" });
    if (!step.ok) {
      this.#drop(step.refusal);
      if (read.message.kind === "request") this.#fail(read.message.id, ERROR_CODES.invalid_request, step.refusal);
      return;
    }
    this.state = step.state;
    this.#take(read.message);
  }

  toolInputPartial(args: JsonObject): void {
    this.#tell("ui/notifications/tool-input-partial", { arguments: args });
  }

  toolInput(args: JsonObject): void {
    this.#tell("ui/notifications/tool-input", { arguments: args });
  }

  toolResult(result: CallToolResult): void {
    const { resultType = "complete" } = result as { readonly resultType?: unknown };
    if (resultType !== "complete") throw new TypeError("appHost.toolResult: Expected the result of a call that has ended");
    this.#tell("ui/notifications/tool-result", result as unknown as JsonObject);
  }

  toolCancelled(reason?: string): void {
    this.#tell("ui/notifications/tool-cancelled", reason === undefined ? {} : { reason });
  }

  setContext(change: HostContext): void {
    const { displayMode } = change;
    const announced = this.view?.appCapabilities.availableDisplayModes;
    // MCP Apps § Display Modes: the host must not switch to a mode that the view did not announce, if it announced any.
    if (displayMode !== undefined && displayMode !== this.context.displayMode && announced?.includes(displayMode) === false) {
      throw new TypeError(`appHost.setContext: The view did not announce the display mode ${JSON.stringify(displayMode)}`);
    }
    this.#change(change);
  }

  listChanged(kind: "tools" | "resources" | "prompts"): void {
    if (kind === "tools") this.#answers.relay.forgetTools();
    this.#tell(`notifications/${kind}/list_changed`, {});
  }

  async request(method: string, params: object = {}, options: AppRequestOptions = {}): Promise<JsonObject> {
    this.#move({ from: "host", kind: "request", method });
    if (method !== "ping" && this.view?.appCapabilities.tools === undefined) {
      throw new TypeError("appHost.request: The view did not announce tools");
    }
    return await this.#questions.ask(method, params as JsonObject, options.timeout ?? BRIDGE_LIMITS.request);
  }

  teardown(given: { timeout?: number | undefined; reason?: string | undefined } = {}): Promise<TeardownOutcome> {
    return this.#teardown ??= this.#endWith(given.timeout ?? BRIDGE_LIMITS.teardown, given.reason);
  }

  async #endWith(timeout: number, reason: string | undefined): Promise<TeardownOutcome> {
    const method = "ui/resource-teardown";
    const step = bridgeStep(this.state, { from: "host", kind: "request", method });
    let outcome: TeardownOutcome = "closed";
    if (step.ok) {
      this.state = step.state;
      outcome = await this.#questions.ask(method, reason === undefined ? {} : { reason }, timeout).then(
        () => "answered" as const,
        (error) => error instanceof TransportError ? "timeout" as const : "answered" as const, // an error is an answer too
      );
    }
    this.#end(new TransportError("closed", "Hosting a view: the host ended it"));
    return outcome;
  }

  #take(message: ViewMessage): void {
    if (message.kind === "response") return this.#questions.settle(message);
    if (message.kind === "request") {
      if (message.method === "ui/initialize") return this.#introduce(message.id, message.params);
      return void this.#open.take(message);
    }
    const { handlers = {} } = this.#options;
    switch (message.method) {
      case "ui/notifications/initialized":
        clearTimeout(this.#wait);
        this.#settleReady.resolve();
        return this.#change({});
      case "ui/notifications/size-changed":
        return this.#sizes.take(message.params);
      case "ui/notifications/request-teardown":
        if (!this.#teardowns.take()) return this.#drop("Taking a request of the view to end: too many in one second");
        return this.#guarded(() => handlers.requestTeardown?.());
      case "notifications/message":
        if (!this.#logs.take()) return this.#drop("Taking a log line of the view: too many in one second");
        return this.#guarded(() => handlers.log?.(message.params));
      case "notifications/cancelled":
        return this.#open.giveUp(message.params.requestId);
    }
  }

  /** This host, as its answers see it. */
  #answering(): AnsweringHost {
    return {
      context: () => this.context,
      announced: () => this.view?.appCapabilities.availableDisplayModes,
      switchTo: (mode) => this.#change({ displayMode: mode }),
    };
  }

  #introduce(id: RequestId, view: BridgeInitialize): void {
    this.view = view;
    this.#told = this.context;
    const result = {
      protocolVersion: BRIDGE_VERSION,
      hostInfo: this.#options.info,
      hostCapabilities: hostCapabilities(this.#options),
      hostContext: this.context,
    };
    this.#post(resultResponse(id, result as unknown as JsonObject));
  }

  #change(change: HostContext): void {
    this.context = nextContext(this.context, change);
    if (!bridgeStep(this.state, { from: "host", kind: "notification", method: "ui/notifications/host-context-changed" }).ok) {
      return;
    }
    const changed = changedContext(this.#told, this.context);
    this.#told = this.context;
    if (changed !== undefined) this.#tell("ui/notifications/host-context-changed", changed as JsonObject);
  }

  /** Sends a notification of the program. */
  #tell(method: string, params: JsonObject): void {
    const message = { jsonrpc: "2.0", method, params } as const;
    const read = readBridgeMessage(message, "host", this.#bounds);
    if (!read.ok) throw new TypeError(`appHost: ${read.error.message}`);
    this.#move({ from: "host", kind: "notification", method });
    this.#post(message);
  }

  #move(event: BridgeEvent): void {
    const step = bridgeStep(this.state, event);
    if (!step.ok) throw new TypeError(`appHost: ${step.refusal}`);
    this.state = step.state;
  }

  #send(message: JsonRpcMessage): void {
    const fault = this.#post(message);
    if (fault !== undefined) throw new TypeError(`appHost.request: The params cannot be sent: ${fault}`);
  }

  #fail(id: RequestId, code: number, message: string): void {
    this.#post(errorResponse(id, code, message));
  }

  /** Posts a copy that any carrier can take; says why there can be none. */
  #post(message: JsonRpcMessage): string | undefined {
    const copy = plainCopy(message, this.#bounds);
    if (!copy.ok) return copy.fault;
    this.#guarded(() => this.#options.post(copy.value as JsonObject));
    return undefined;
  }

  #drop(sentence: string): void {
    this.#report((soFar) => new Error(`${sentence}${soFar}`));
  }

  /** What the program gives must not break the bridge. */
  #guarded(call: () => unknown, told = true): void {
    const fail = (error: unknown): void => told ? this.#report(() => error) : undefined;
    try {
      const returned = call();
      if (returned instanceof Promise) returned.catch(fail);
    } catch (error) {
      fail(error);
    }
  }

  #end(reason: TransportError): void {
    this.state = "closed";
    clearTimeout(this.#wait);
    this.#sizes.end();
    this.#settleReady.reject(reason);
    this.#questions.end(reason);
    this.#open.end();
  }
}
