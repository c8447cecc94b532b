/** `defineServer`: checks and compiles a server, once. */
import type { RequestIn } from "../protocol/dialect.ts";
import { chooseDialects } from "../protocol/dialects/mod.ts";
import { isJsonObject } from "../protocol/json.ts";
import type { Validator } from "../protocol/json_schema.ts";
import { resolveLimits } from "../protocol/limits.ts";
import { onDemand } from "../protocol/on_demand.ts";
import { reportTo } from "../protocol/report_to.ts";
import { shown } from "../protocol/shown.ts";
import { checkObject } from "../protocol/unknown_option.ts";
import { defaultValidator } from "../protocol/validators/choose.ts";
import type { Implementation, ServerCapabilities } from "../protocol/types.ts";
import { withSettings } from "../transports/served_settings.ts";
import type { MessageHandler, Served, ServerTypes } from "../transports/transport.ts";
import { Admission } from "./requests/admission.ts";
import { createCatalogue } from "./components/catalogue.ts";
import type { CatalogueIndex, ComponentLists } from "./components/catalogue.ts";
import { createNotify } from "./changes/changes.ts";
import { checkServerOptions } from "./options/check_options.ts";
import type { AnyPrompt, AnyTool, Components, PromptMap, ToolMap } from "./components/component_types.ts";
import type { CheckedOptions, Core } from "./core.ts";
import { capabilitiesOf } from "./discover.ts";
import { createHandler } from "./dispatch.ts";
import { createFetch } from "./http/fetch.ts";
import { methodsOf } from "./methods.ts";
import { mount } from "./mount.ts";
import type { ServerResource } from "./components/resource.ts";
import { Running } from "./requests/running.ts";
import type { ServerOptions } from "./options/server_options.ts";
import { withParts } from "./server_parts.ts";
import type { Server } from "./server_types.ts";
import { SessionMail } from "./session_mail.ts";
import { Sessions } from "./sessions.ts";
import { closeServer } from "./requests/shutdown.ts";
import { memoryBus } from "./stores/memory_bus.ts";
import { changedCatalogue, changedLists } from "./update.ts";

/**
 * Checks and compiles a server. What it returns is one immutable value that answers over HTTP (`fetch`), over stdio
 * (`serveStdio`) and in process (`connect(server)`).
 *
 * @example A server with one tool
 * ```ts
 * import { defineServer, tool } from "@causeway/mcp/server";
 *
 * const server = defineServer({
 *   name: "greeter",
 *   version: "1.0.0",
 *   tools: [tool({ name: "greet", args: { name: { type: "string", required: true } }, handler: ({ name }) => `Hello, ${name}!` })],
 * });
 * console.log(server.info.name);
 * ```
 *
 * @param options Name, version, components and everything else.
 * @returns The server.
 * @throws {TypeError} When something is wrong; the message begins with the path (`tools.order.input.properties.lines`).
 */
export function defineServer<
  const T extends readonly AnyTool[] = readonly [],
  const R extends readonly ServerResource[] = readonly [],
  const P extends readonly AnyPrompt[] = readonly [],
>(options: ServerOptions & Components<T, R, P>): Server<{ readonly tools: ToolMap<T>; readonly prompts: PromptMap<P> }> {
  checkObject(options, "defineServer");
  const { tools, resources, prompts, ...rest } = options;
  const checked = checkServerOptions(rest);
  const catalogue = createCatalogue({ tools, resources, prompts } as ComponentLists);
  return compile(checked, catalogue) as Server<{ readonly tools: ToolMap<T>; readonly prompts: PromptMap<P> }>;
}

function compile(options: CheckedOptions, first: CatalogueIndex): Server {
  const extended = (own: CatalogueIndex): CatalogueIndex => options.extensions?.catalogue(own, createCatalogue) ?? own;
  let catalogue = first;
  let served = extended(first);
  let capabilities = capabilitiesOf(served);
  const core = createCore(options, served, capabilities);
  const promptly = createHandler(core);
  // Whoever calls it gets a promise, whatever the answer.
  const handle: MessageHandler = async (message, info) => await promptly(message, info);
  const onError = (error: unknown): void => {
    core.report(error);
  };
  const { fetch, respond, close } = createFetch(core, handle, promptly, onError);
  const server: Server = {
    fetch,
    respond,
    handle,
    info: core.info,
    notify: core.notify,
    with: (changes): Server => compile(checkServerOptions({ ...options, ...changes }), catalogue),
    mount: (other, given): never => compile(options, mount(server, other as Server, given)) as never,
    update: async (change) => {
      const next = changedCatalogue(catalogue, change);
      const nextServed = extended(next);
      const declared = { ...capabilitiesOf(nextServed), ...capabilities };
      const methods = methodsOf(core, nextServed, declared);
      const lists = changedLists(served, nextServed);
      [catalogue, served, capabilities, core.methods] = [next, nextServed, declared, methods];
      await Promise.all(lists.map((list) => core.notify[list]()));
    },
    close: (given) => closeServer(core, given?.drain ?? 0).then(close),
  };
  withParts(server, { core, options, catalogue: () => catalogue });
  return Object.freeze(withSettings(server, { limits: core.limits, onError })) as Server & Served<ServerTypes>;
}

function createCore(
  options: CheckedOptions,
  catalogue: CatalogueIndex,
  capabilities: ServerCapabilities,
): Core {
  const limits = resolveLimits(options.limits);
  const bus = options.bus ?? memoryBus();
  const report = createReport(options);
  const dialects = chooseDialects(options.versions, "versions");
  const info = infoOf(options);
  const loading = onDemand<Validator>(defaultValidator);
  const parts: Omit<Core, "methods"> = {
    options,
    limits,
    dialects,
    frames: new Map(dialects.map((dialect) => [dialect, dialect.frame(info)])),
    info,
    running: new Running(),
    inFlight: new WeakMap(),
    admission: new Admission(limits.handlers, limits.handlerQueue),
    bus,
    subscriptions: undefined,
    sessions: new Sessions({ bus, limits, dialects, capabilities }),
    questions: undefined,
    mail: new SessionMail(bus, (error) => report(error)),
    notify: createNotify(bus),
    sealer: undefined,
    validator: () => options.validator === undefined ? loading.load() : Promise.resolve(options.validator),
    report,
    closed: false,
  };
  return Object.assign(parts, { methods: methodsOf(parts, catalogue, capabilities) });
}

function infoOf(options: ServerOptions): Implementation {
  const { name, version, title, description, icons, websiteUrl } = options;
  return Object.freeze({
    name,
    version,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(icons === undefined ? {} : { icons }),
    ...(websiteUrl === undefined ? {} : { websiteUrl }),
  });
}

/** Errors get an id that the peer is told; a reporter that throws or rejects changes nothing. */
function createReport(options: ServerOptions): Core["report"] {
  return (error, request) => {
    const id = crypto.randomUUID();
    reportTo((fault: unknown) => options.onError?.(fault, { id, ...subjectOf(request) }), error);
    return id;
  };
}

/** What a request is about: its method, and what it names. */
function subjectOf(
  request: Pick<RequestIn, "method" | "params"> | undefined,
): { readonly method: string; readonly name?: string } {
  if (request === undefined) return { method: "" };
  const { method, params } = request;
  const { name, uri } = isJsonObject(params.ref) ? params.ref : params;
  const named = name ?? uri;
  return typeof named === "string" ? { method, name: shown(named) } : { method };
}
