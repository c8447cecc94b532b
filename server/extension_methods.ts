/** The methods of extensions: refused without a declaration, checked by their schemas, answered by their functions. */
import { ERROR_CODES, ProtocolError } from "../protocol/errors.ts";
import type { ServedMethod, ServerExtension } from "../protocol/extensions/extension_types.ts";
import { headerEquals, HEADERS } from "../protocol/headers.ts";
import { isJsonObject, ownMember } from "../protocol/json.ts";
import { readSchema } from "../protocol/standard_schema.ts";
import type { JsonObject } from "../protocol/types.ts";
import { argumentChecker } from "./argument_checker.ts";
import { HandlerContext } from "./context.ts";
import type { Core, Exchange, Method } from "./core.ts";
import { mustDeclare } from "./declared.ts";
import { jsonFault } from "./json_safe.ts";

/** The methods of a server's extensions, by name. */
export function extensionMethods({ options, validator }: Omit<Core, "methods">): [string, Method][] {
  return (options.extensions ?? []).flatMap((extension) =>
    Object.entries(extension.methods).map(([name, served]): [string, Method] => [
      name,
      extensionMethod(extension, name, served, validator),
    ])
  );
}

/** Those of them that exist only where there is no handshake. */
export function statelessMethods({ options }: Omit<Core, "methods">): ReadonlySet<string> {
  return new Set((options.extensions ?? []).flatMap(({ handshake, methods }) => handshake ? [] : Object.keys(methods)));
}

function extensionMethod(
  extension: ServerExtension,
  name: string,
  { params, result, header, cacheable, handler }: ServedMethod,
  validator: Core["validator"],
): Method {
  const given = argumentChecker(readSchema(params, "input", `extensions.${name}.params`), validator, "params");
  const write = (exchange: Exchange, result: JsonObject): JsonObject =>
    exchange.write(cacheable ? hinted(exchange, result) : result);
  const returned = argumentChecker(readSchema(result, "output", `extensions.${name}.result`), validator, "result");
  return {
    runsHandler: true,
    guard: (exchange) => {
      if (header !== undefined) checkName(exchange, header);
      if (!extension.undeclared) mustDeclare(exchange, extension);
    },
    answer: async (exchange) => {
      const { _meta, ...own } = exchange.request.params;
      await given.load();
      const checked = await given.check(own);
      if (!checked.ok) throw ProtocolError.invalidParams(checked.sentence);
      const value = await handler(checked.value as never, new HandlerContext(exchange));
      await returned.load();
      const found = await returned.check(value);
      if (!found.ok) throw new TypeError(`${name}: What the handler returned does not fit. ${found.sentence}`);
      return write(exchange, checkResult(extension, name, found.value));
    },
    write: (exchange, result) => write(exchange, checkResult(extension, name, result)),
  };
}

/** Hints are members of results only where there is no handshake (MCP 2026-07-28, Caching). */
function hinted({ dialect }: Exchange, { ttlMs = 0, cacheScope = "private", ...result }: JsonObject): JsonObject {
  return dialect.handshake === undefined ? { ttlMs, cacheScope, ...result } : result;
}

/** MCP 2026-07-28, Streamable HTTP § Request metadata: an intermediary may have routed by the header. */
function checkName({ dialect, info, request }: Exchange, member: string): void {
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
  const fault = jsonFault(result, name);
  if (fault !== undefined) throw new TypeError(fault);
  return result;
}
