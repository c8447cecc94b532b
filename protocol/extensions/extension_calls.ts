/** The methods of extensions: refused without a declaration, checked by their schemas, answered by their functions. */
import { ERROR_CODES, ProtocolError } from "../errors.ts";
import { headerEquals, HEADERS } from "../headers.ts";
import { isJsonObject, ownMember } from "../json.ts";
import type { Validator } from "../json_schema.ts";
import type { JsonObject } from "../types.ts";
import { extensionContext } from "./extension_context.ts";
import { mustDeclare } from "./extension_declared.ts";
import type { ServedCall, ServedExchange, ServingKit } from "./extension_serving.ts";
import type { ServedMethod, ServerExtension } from "./extension_types.ts";

/** The methods of an extension, by name. */
export function extensionCalls<E extends ServedExchange>(
  extension: ServerExtension,
  validator: () => Promise<Validator>,
  kit: ServingKit<E>,
): [string, ServedCall<E>][] {
  return Object.entries(extension.methods).map(([name, served]) => [name, callOf(extension, name, served, validator, kit)]);
}

function callOf<E extends ServedExchange>(
  extension: ServerExtension,
  name: string,
  { params, result, header, cacheable, handler }: ServedMethod,
  validator: () => Promise<Validator>,
  [contextOf, readSchema, checkerOf, jsonFault]: ServingKit<E>,
): ServedCall<E> {
  const given = checkerOf(readSchema(params, "input", `extensions.${name}.params`), validator, "params");
  const returned = checkerOf(readSchema(result, "output", `extensions.${name}.result`), validator, "result");
  const write = (exchange: E, value: unknown): JsonObject => {
    const result = checkResult(extension, name, value);
    const fault = jsonFault(result, name);
    if (fault !== undefined) throw new TypeError(fault);
    return exchange.write(cacheable ? hinted(exchange, result) : result);
  };
  return {
    runsHandler: true,
    isIn: ({ handshake }) => extension.handshake || handshake === undefined,
    guard: (exchange) => {
      if (header !== undefined) checkName(exchange, header);
      if (!extension.undeclared) mustDeclare(exchange, extension);
    },
    answer: async (exchange) => {
      const { _meta, ...own } = exchange.request.params;
      await given.load();
      const checked = await given.check(own);
      if (!checked.ok) throw ProtocolError.invalidParams(checked.sentence);
      const value = await handler(checked.value as never, extensionContext(exchange, contextOf));
      await returned.load();
      const found = await returned.check(value);
      if (!found.ok) throw new TypeError(`${name}: What the handler returned does not fit. ${found.sentence}`);
      return write(exchange, found.value);
    },
    write,
  };
}

/** Hints are members of results only where there is no handshake (MCP 2026-07-28, Caching). */
function hinted({ dialect }: ServedExchange, { ttlMs = 0, cacheScope = "private", ...result }: JsonObject): JsonObject {
  return dialect.handshake === undefined ? { ttlMs, cacheScope, ...result } : result;
}

/** MCP 2026-07-28, Streamable HTTP § Request metadata: an intermediary may have routed by the header. */
function checkName({ dialect, info, request }: ServedExchange, member: string): void {
  if (info.headers === undefined || dialect.handshake !== undefined) return;
  const sent = info.headers.get(HEADERS.name);
  const value = ownMember(request.params, member);
  if (sent !== null && typeof value === "string" && headerEquals(sent, value)) return;
  const found = sent === null ? "is missing" : `differs from params.${member} of the body`;
  throw new ProtocolError(ERROR_CODES.header_mismatch, `Header Mcp-Name ${found}`);
}

function checkResult({ resultTypes }: ServerExtension, name: string, result: unknown): JsonObject {
  if (!isJsonObject(result)) throw new TypeError(`${name}: Expected a result object`);
  const type = ownMember(result, "resultType") ?? "complete";
  if (type !== "complete" && !resultTypes.includes(type as string)) {
    throw new TypeError(`${name}: The extension does not list the resultType ${JSON.stringify(type)}`);
  }
  return result;
}
