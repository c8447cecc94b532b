/** Requests and greetings of the revisions that begin with a handshake, as far as they share them. */
import type { Dialect, Handshake, Hello, KnownClient, Outcome, RequestIn, Welcome } from "../dialect.ts";
import { ERROR_CODES } from "../errors.ts";
import { isJsonObject, ownMember } from "../json.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import { META } from "../meta.ts";
import type { ClientCapabilities, Implementation, JsonRpcRequest } from "../types.ts";
import { omit, pick } from "./members.ts";
import { invalid } from "./outcomes.ts";

/** Keys of `_meta` that only later revisions reserve for themselves. */
const LATER_META: readonly string[] = [
  META.protocolVersion,
  META.clientInfo,
  META.clientCapabilities,
  META.logLevel,
  META.serverInfo,
  META.subscriptionId,
];

/** What in these messages differs between the revisions. */
export interface MessageForms {
  /** The revision. */
  readonly version: string;
  /** Members of an implementation. */
  readonly implementation: readonly string[];
  /** Writes what a client declares. */
  clientCapabilities(declared: ClientCapabilities): JsonObject;
}

/** How requests are written: nothing of a client is repeated in them, and one header names the revision. */
export function handshakeRequests(
  version: string,
): Pick<Dialect, "version" | "writeRequest" | "notificationHeaders" | "sessionHeaders"> {
  const headers = [["MCP-Protocol-Version", version]] as const;
  return {
    version,
    notificationHeaders: () => headers,
    sessionHeaders: headers,
    writeRequest(request) {
      const meta = {
        ...omit(request.meta ?? {}, LATER_META),
        ...(request.progressToken === undefined ? {} : { progressToken: request.progressToken }),
      };
      const params = Object.keys(meta).length === 0 ? { ...request.params } : { ...request.params, _meta: meta };
      const { id, method } = request;
      return {
        message: Object.keys(params).length === 0 ? { jsonrpc: "2.0", id, method } : { jsonrpc: "2.0", id, method, params },
        headers,
      };
    },
  };
}

/** How the two sides greet each other (MCP 2025-11-25, Lifecycle § Initialization). */
export function handshakeGreetings(
  forms: MessageForms,
): Pick<Handshake, "writeHello" | "readHello" | "writeWelcome" | "readWelcome"> {
  return {
    writeHello: (id, hello) => ({
      message: {
        jsonrpc: "2.0",
        id,
        method: "initialize",
        params: {
          protocolVersion: forms.version,
          capabilities: { ...forms.clientCapabilities(hello.clientCapabilities), ...pick(hello, EXTENSIONS) },
          clientInfo: pick(hello.clientInfo, forms.implementation),
        },
      },
      // The header names what was agreed on, and nothing is yet (MCP 2025-11-25, Streamable HTTP § Protocol Version Header).
      headers: [],
    }),
    readHello,
    writeWelcome: (facts) => ({
      protocolVersion: forms.version,
      capabilities: { ...serverCapabilities(facts.capabilities, facts.lasting), ...pick(facts, EXTENSIONS) },
      serverInfo: pick(facts.serverInfo, forms.implementation),
      ...(facts.instructions === undefined ? {} : { instructions: facts.instructions }),
    }),
    readWelcome,
  };
}

/** Reads a request; what the client is and can do was said in the handshake. */
export function readHandshakeRequest(message: JsonRpcRequest, known?: KnownClient): Outcome<RequestIn> {
  const params = message.params ?? {};
  const meta = Object.hasOwn(params, "_meta") ? params._meta : {};
  if (!isJsonObject(meta)) return invalid("Invalid params: _meta must be an object");
  const progressToken = ownMember(meta, "progressToken");
  if (progressToken !== undefined && typeof progressToken !== "string" && !Number.isSafeInteger(progressToken)) {
    return invalid("Invalid params: _meta.progressToken must be a string or an integer");
  }
  return {
    ok: true,
    value: {
      id: message.id,
      method: message.method,
      params,
      meta,
      clientInfo: known?.clientInfo,
      clientCapabilities: known?.clientCapabilities ?? {},
      progressToken: progressToken as string | number | undefined,
      logLevel: known?.logLevel,
    },
  };
}

/** A result's own `_meta`, without keys of later revisions; undefined when nothing is left. */
export function resultMeta(meta: JsonValue | undefined): JsonObject | undefined {
  if (!isJsonObject(meta)) return undefined;
  const own = omit(meta, LATER_META);
  return Object.keys(own).length === 0 ? undefined : own;
}

function readHello(params: JsonObject): Outcome<Hello> {
  const version = ownMember(params, "protocolVersion");
  const clientCapabilities = ownMember(params, "capabilities");
  const clientInfo = ownMember(params, "clientInfo");
  if (typeof version !== "string") return invalid("Invalid params: protocolVersion must be a string");
  if (!isJsonObject(clientCapabilities)) return invalid("Invalid params: capabilities must be an object");
  if (!isImplementation(clientInfo)) return invalid("Invalid params: clientInfo must hold a name and a version");
  return { ok: true, value: { version, clientInfo, clientCapabilities: clientCapabilities as ClientCapabilities } };
}

function readWelcome(result: JsonObject): Outcome<Welcome> {
  const version = ownMember(result, "protocolVersion");
  const capabilities = ownMember(result, "capabilities");
  const serverInfo = ownMember(result, "serverInfo");
  const instructions = ownMember(result, "instructions");
  if (typeof version !== "string") return bad("protocolVersion must be a string");
  if (capabilities !== undefined && !isJsonObject(capabilities)) return bad("capabilities must be an object");
  return {
    ok: true,
    value: {
      version,
      capabilities: capabilities ?? {},
      serverInfo: isImplementation(serverInfo) ? serverInfo : undefined,
      instructions: typeof instructions === "string" ? instructions : undefined,
    },
  };
}

/** The revisions do not name the member, and allow it: only extensions that exist in them stand in it. */
const EXTENSIONS: readonly string[] = ["extensions"];

/** Capabilities of a server, without what needs a connection that lasts when there is none. */
function serverCapabilities(declared: JsonObject, lasting: boolean): JsonObject {
  const capabilities: Record<string, JsonValue | undefined> = {
    ...pick(declared, ["completions", "logging", "experimental"]),
  };
  for (const [name, members] of [["tools", ["listChanged"]], ["prompts", ["listChanged"]]] as const) {
    const own = ownMember(declared, name);
    if (isJsonObject(own)) capabilities[name] = lasting ? pick(own, members) : {};
  }
  const resources = ownMember(declared, "resources");
  if (isJsonObject(resources)) capabilities.resources = lasting ? pick(resources, ["subscribe", "listChanged"]) : {};
  return capabilities;
}

function isImplementation(value: JsonValue | undefined): value is JsonObject & Implementation {
  return isJsonObject(value) && typeof value.name === "string" && typeof value.version === "string";
}

function bad(fault: string): Outcome<never> {
  return { ok: false, error: { code: ERROR_CODES.invalid_request, message: `Invalid result of initialize: ${fault}` } };
}
