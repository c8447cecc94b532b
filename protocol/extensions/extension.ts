/** How an extension is described: its identifier, and what it adds to the protocol, typed for both ends. */
import { TransportError } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import { extensionIdFault } from "../meta.ts";
import type { JsonSchema, Schema } from "../schema.ts";
import type { Awaitable } from "../types.ts";
import { checkObject, checkOptionNames } from "../unknown_option.ts";
import { issuesOf } from "../standard_issues.ts";
import { interpretingValidator } from "../validators/interpreting.ts";
import { LIST } from "./extension_list.ts";
import { SERVING } from "./extension_serving.ts";
import type {
  Extension,
  ExtensionHandlers,
  ExtensionMethods,
  ListenHandlers,
  Requester,
  ServedMethod,
} from "./extension_types.ts";
import { extensionsTogether } from "./extensions_together.ts";

export type * from "./extension_types.ts";

/** What {@linkcode extension} takes. */
export interface ExtensionOptions<M extends ExtensionMethods> {
  /** For example "com.example/audit" (MCP 2026-07-28, Versioning § Extension Negotiation). */
  readonly id: string;
  /** What is declared under the id in the capabilities; an empty object when absent. */
  readonly settings?: JsonObject | undefined;
  /** Its requests, from the client to the server. */
  readonly methods?: M | undefined;
  /** The notifications that it sends on change streams, with the schemas of their params. */
  readonly notifications?: { readonly [method: string]: Schema } | undefined;
  /** `resultType` values that results may have where both ends declare it; any other one is refused. */
  readonly resultTypes?: readonly string[] | undefined;
  /** The methods whose results may have these types, its own or the protocol's; all when absent. */
  readonly resultMethods?: readonly string[] | undefined;
  /** Keys that it adds to the filter of `subscriptions/listen`, with the schemas of their values. */
  readonly listenKeys?: { readonly [key: string]: JsonSchema } | undefined;
  /** Does it exist in the revisions that begin with a handshake too? There it is declared in the handshake. False when absent. */
  readonly handshake?: boolean | undefined;
  /** Does a server answer its methods to clients that declare nothing, too? Then only the server declares it. False when absent. */
  readonly undeclared?: boolean | undefined;
}

const KNOWN: ReadonlySet<string> = new Set(
  "id settings methods notifications resultTypes resultMethods listenKeys handshake undeclared".split(" "),
);

const CORE_LISTEN_KEYS: readonly string[] = [
  "toolsListChanged",
  "promptsListChanged",
  "resourcesListChanged",
  "resourceSubscriptions",
];

/**
 * Describes an extension, once, for both ends. A server gets what `serve` returns, a client gets it as it is; each request
 * declares it anew. A server refuses its methods (-32021) to clients that do not declare it, unless it is `undeclared`.
 *
 * @example An extension of your own, on both ends
 * ```ts
 * import { connect, defineServer, extension } from "@causeway/mcp";
 *
 * const audit = extension({
 *   id: "com.example/audit",
 *   methods: {
 *     "audit/list": {
 *       params: { type: "object", properties: { since: { type: "string" } }, required: ["since"] },
 *       result: {
 *         type: "object",
 *         properties: { entries: { type: "array", items: { type: "string" } } },
 *         required: ["entries"],
 *       },
 *     },
 *   },
 * });
 *
 * const server = defineServer({
 *   name: "books",
 *   version: "1.0.0",
 *   extensions: [audit.serve({ "audit/list": ({ since }) => ({ entries: [`Nothing since ${since}`] }) })],
 * });
 * const client = await connect(server, { extensions: [audit] });
 * const { entries } = await audit.on(client).request("audit/list", { since: "monday" });
 * console.log(entries);
 * await client.close();
 * ```
 *
 * @param options What the extension adds.
 * @returns The extension.
 * @throws {TypeError} For what is not an object, an option that nobody reads, an identifier without a prefix, and a key of the
 * filter that is the protocol's own.
 */
export function extension<const M extends ExtensionMethods = Record<never, never>>(options: ExtensionOptions<M>): Extension<M> {
  checkOptionNames(options, KNOWN, "extension.");
  const { id, settings = {}, resultTypes = [], resultMethods, handshake = false, undeclared = false } = options;
  const { methods = {}, notifications = {}, listenKeys = {} } = options as ExtensionOptions<ExtensionMethods>;
  const fault = extensionIdFault(id);
  if (fault !== undefined) throw new TypeError(`extension.id: The identifier ${JSON.stringify(id)} ${fault}`);
  const taken = CORE_LISTEN_KEYS.find((key) => Object.hasOwn(listenKeys, key));
  if (taken !== undefined) throw new TypeError(`extension.listenKeys.${taken}: The key is the protocol's own`);
  checkSettings(settings);
  const headers = Object.entries(methods).flatMap(([name, { header }]) => header === undefined ? [] : [[name, header] as const]);
  return Object.freeze({
    id,
    settings,
    handshake,
    resultTypes,
    resultMethods,
    headers: Object.fromEntries(headers),
    serve(handlers: ExtensionHandlers<M>, listen: ListenHandlers = {}) {
      checkObject(handlers, `${id}.serve`);
      const served = Object.entries(methods).map(([name, method]): [string, ServedMethod] => {
        const handler: unknown = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
        if (typeof handler !== "function") throw new TypeError(`${id}.serve: Expected a function for ${name}`);
        return [name, { ...method, handler: handler as ServedMethod["handler"] }];
      });
      const unknown = Object.keys(listen).find((key) => !Object.hasOwn(listenKeys, key));
      if (unknown !== undefined) throw new TypeError(`${id}.serve: ${unknown} is none of its listenKeys`);
      const opened = Object.entries(listen).map(([key, open]) => [key, { schema: listenKeys[key] as JsonSchema, open }] as const);
      return Object.freeze({
        id,
        settings,
        handshake,
        undeclared,
        resultTypes,
        methods: Object.fromEntries(served),
        notifications: Object.keys(notifications),
        listen: Object.fromEntries(opened),
        // What serves it comes with it, so that a server without extensions does not carry that.
        [SERVING]: extensionsTogether,
      });
    },
    on: (client: Requester<never>) => ({
      async request(method: string, params: object, requestOptions?: never) {
        const described = Object.hasOwn(methods, method) ? methods[method] : undefined;
        if (described === undefined) throw new TypeError(`${id}: The extension has no method ${JSON.stringify(method)}`);
        const { result, list } = described;
        const options = { ...requestOptions as object | undefined, [LIST]: list } as never;
        return await checked(method, result, await client.request(method, params, options));
      },
    }),
  }) as unknown as Extension<M>;
}

/** Settings go out with every declaration: what JSON cannot carry is a fault of the definition. */
function checkSettings(settings: JsonObject): void {
  checkObject(settings, "extension.settings");
  try {
    JSON.stringify(settings);
  } catch (cause) {
    throw new TypeError("extension.settings: Expected what can be written as JSON", { cause });
  }
}

/** The result as its schema has it: what a peer sends is not what it should be by itself. */
async function checked(method: string, schema: Schema, result: JsonObject): Promise<unknown> {
  const standard = (schema as { readonly "~standard"?: { validate?(value: unknown): Awaitable<unknown> } })["~standard"];
  if (typeof standard?.validate === "function") {
    const read = await standard.validate(result);
    if (issuesOf(read, undefined) === undefined) return (read as { readonly value: unknown }).value;
  } else if ((await interpretingValidator({ trusted: true })).compile(schema as JsonObject)(result).length === 0) {
    return result;
  }
  throw new TransportError("not_mcp", `Reading the answer to ${method}: it does not fit the schema of its result`);
}
