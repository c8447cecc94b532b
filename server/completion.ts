/** Completion: answers `completion/complete`. */
import type { CallInfo } from "../protocol/context.ts";
import { ProtocolError } from "../protocol/errors.ts";
import { isJsonObject, ownMember } from "../protocol/json.ts";
import { COMPLETION_VALUES } from "../protocol/limits.ts";
import type { JsonObject } from "../protocol/types.ts";
import { shown } from "../protocol/shown.ts";
import type { CatalogueIndex } from "./catalogue.ts";
import { callInfo } from "./context.ts";
import type { Exchange, Method } from "./core.ts";
import type { Complete } from "./resource.ts";
import { isVisible } from "./visible.ts";

/** The method of completion, for one catalogue. */
export function completionMethods(catalogue: CatalogueIndex): [string, Method][] {
  return [["completion/complete", {
    runsHandler: true,
    answer: (exchange) => complete(exchange, catalogue),
    write: (exchange, result) => exchange.write(result),
  }]];
}

async function complete(exchange: Exchange, catalogue: CatalogueIndex): Promise<JsonObject> {
  const { params } = exchange.request;
  const argument = ownMember(params, "argument");
  if (!isJsonObject(argument) || typeof argument.name !== "string" || typeof argument.value !== "string") {
    throw ProtocolError.invalidParams("Invalid params: argument must have a name and a value that are strings");
  }
  const info = callInfo(exchange);
  const completer = find(catalogue, ownMember(params, "ref"), argument.name, info);
  const values = completer === undefined ? [] : await completer(argument.value, readOthers(params), info);
  return exchange.write({ completion: write(values) });
}

/** The completer of an argument or variable; undefined when it has none. What the caller does not see is unknown. */
function find(catalogue: CatalogueIndex, ref: unknown, name: string, info: CallInfo): Complete<string> | undefined {
  if (!isJsonObject(ref)) throw ProtocolError.invalidParams("Invalid params: ref must be an object");
  if (ref.type === "ref/prompt" && typeof ref.name === "string") {
    const prompt = catalogue.promptsByName.get(ref.name);
    if (prompt === undefined || !isVisible(prompt.parts.options, () => info)) {
      throw ProtocolError.invalidParams(`Unknown prompt: ${shown(ref.name)}`);
    }
    if (!prompt.parts.arguments.has(name)) {
      throw ProtocolError.invalidParams(`Unknown argument of the prompt: ${shown(name)}`);
    }
    return own(prompt.parts.options.complete, name);
  }
  if (ref.type === "ref/resource" && typeof ref.uri === "string") {
    const uri = ref.uri;
    const template = catalogue.templates.find(({ key }) => key === uri);
    if (template === undefined || !isVisible(template.parts.options, () => info)) {
      const exact = catalogue.resourcesByUri.get(uri);
      if (exact !== undefined && isVisible(exact.parts.options, () => info)) return undefined;
      throw ProtocolError.invalidParams("Unknown resource template: ref.uri names none");
    }
    const names = template.parts.template?.names;
    if (names !== undefined && !names.includes(name)) {
      throw ProtocolError.invalidParams(`Unknown variable of the template: ${shown(name)}`);
    }
    return own(template.parts.options.complete, name);
  }
  throw ProtocolError.invalidParams("Invalid params: ref must be a ref/prompt with a name or a ref/resource with a uri");
}

function own(completers: object | undefined, name: string): Complete<string> | undefined {
  return completers !== undefined && Object.hasOwn(completers, name)
    ? (completers as { readonly [name: string]: Complete<string> })[name]
    : undefined;
}

/** The values chosen so far: `context.arguments`. */
function readOthers(params: JsonObject): { readonly [name: string]: string } {
  const context = ownMember(params, "context");
  const given = isJsonObject(context) ? ownMember(context, "arguments") : context;
  if (given === undefined) return {};
  if (!isJsonObject(given) || Object.values(given).some((value) => typeof value !== "string")) {
    throw ProtocolError.invalidParams("Invalid params: context.arguments must be an object of strings");
  }
  return given as { readonly [name: string]: string };
}

/** At most so many values; what is cut is counted (MCP 2026-07-28, Completion § Completion results). */
function write(found: Awaited<ReturnType<Complete<string>>>): JsonObject {
  const list = Array.isArray(found) ? { values: found as readonly string[] } : found as { readonly values: readonly string[] };
  if (!Array.isArray(list.values) || list.values.some((value) => typeof value !== "string")) {
    throw new TypeError("complete: Expected a list of strings");
  }
  const { total, hasMore } = list as { readonly total?: number; readonly hasMore?: boolean };
  const cut = list.values.length > COMPLETION_VALUES;
  return {
    values: list.values.slice(0, COMPLETION_VALUES),
    total: total ?? list.values.length,
    hasMore: hasMore ?? (cut || (total !== undefined && total > list.values.length)),
  };
}
