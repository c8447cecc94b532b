/** Runs the program's function that completes an argument of a prompt or a variable of a template. */
import type { CallInfo } from "../../protocol/context.ts";
import { ProtocolError } from "../../protocol/errors.ts";
import { isJsonObject, ownMember } from "../../protocol/json.ts";
import { COMPLETION_VALUES } from "../../protocol/limits.ts";
import type { JsonObject } from "../../protocol/types.ts";
import { shown } from "../../protocol/shown.ts";
import { kindOf } from "../../protocol/kind_of.ts";
import type { CatalogueIndex } from "../components/catalogue.ts";
import { callInfo } from "../context.ts";
import type { Exchange } from "../core.ts";
import type { Complete } from "../components/resource.ts";
import { isVisible } from "../access/is_visible.ts";
import { requireScopes } from "../access/require_scopes.ts";

/** The function that completes, and the component that it belongs to, for errors. */
interface Completer {
  readonly path: string;
  readonly run: Complete<string>;
}

/** Who asks. Middleware may have changed what is asked for since scopes were checked first. */
interface Caller {
  readonly exchange: Exchange;
  readonly info: CallInfo;
}

type Found = Awaited<ReturnType<Complete<string>>>;

/**
 * Answers one request.
 *
 * @throws {TypeError} When the function of the program gave no values; the message begins with the path of that function.
 */
export async function complete(exchange: Exchange, catalogue: CatalogueIndex): Promise<JsonObject> {
  const { params } = exchange.request;
  const argument = ownMember(params, "argument");
  if (!isJsonObject(argument) || typeof argument.name !== "string" || typeof argument.value !== "string") {
    throw ProtocolError.invalidParams("Invalid params: argument must have a name and a value that are strings");
  }
  const info = callInfo(exchange);
  const completer = find(catalogue, ownMember(params, "ref"), argument.name, { exchange, info });
  if (completer === undefined) return exchange.write({ completion: write([]) });
  const path = `${completer.path}.complete.${argument.name}`;
  const values: unknown = await completer.run(argument.value, readOthers(params), info);
  const fault = valuesFault(values, path);
  if (fault !== undefined) throw new TypeError(fault);
  return exchange.write({ completion: write(values as Found) });
}

/** The completer of an argument or variable; undefined when it has none. What the caller does not see is unknown. */
function find(catalogue: CatalogueIndex, ref: unknown, name: string, { exchange, info }: Caller): Completer | undefined {
  if (!isJsonObject(ref)) throw ProtocolError.invalidParams("Invalid params: ref must be an object");
  if (ref.type === "ref/prompt" && typeof ref.name === "string") {
    const prompt = catalogue.promptsByName.get(ref.name);
    if (prompt === undefined || !isVisible(prompt.parts.options, () => info)) {
      throw ProtocolError.invalidParams(`Unknown prompt: ${shown(ref.name)}`);
    }
    requireScopes(exchange, prompt.parts.options);
    if (!prompt.parts.arguments.has(name)) {
      throw ProtocolError.invalidParams(`Unknown argument of the prompt: ${shown(name)}`);
    }
    return own(prompt.parts.options.complete, name, `prompts.${ref.name}`);
  }
  if (ref.type === "ref/resource" && typeof ref.uri === "string") {
    const uri = ref.uri;
    const template = catalogue.templates.find(({ key }) => key === uri);
    if (template === undefined || !isVisible(template.parts.options, () => info)) {
      const exact = catalogue.resourcesByUri.get(uri);
      if (exact !== undefined && isVisible(exact.parts.options, () => info)) return undefined;
      throw ProtocolError.invalidParams("Unknown resource template: ref.uri names none");
    }
    requireScopes(exchange, template.parts.options);
    const names = template.parts.template?.names;
    if (names !== undefined && !names.includes(name)) {
      throw ProtocolError.invalidParams(`Unknown variable of the template: ${shown(name)}`);
    }
    return own(template.parts.options.complete, name, `resources.${template.parts.options.name}`);
  }
  throw ProtocolError.invalidParams("Invalid params: ref must be a ref/prompt with a name or a ref/resource with a uri");
}

function own(completers: object | undefined, name: string, path: string): Completer | undefined {
  if (completers === undefined || !Object.hasOwn(completers, name)) return undefined;
  return { path, run: (completers as { readonly [name: string]: Complete<string> })[name] as Complete<string> };
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

/** Says what is wrong with what the function gave: where, and which rule, never the value. */
function valuesFault(found: unknown, path: string): string | undefined {
  const { values, total, hasMore }: JsonObject = Array.isArray(found) ? { values: found } : isJsonObject(found) ? found : {};
  if (!Array.isArray(values)) {
    return isJsonObject(found)
      ? `${path}: Expected values to be a list of strings, found ${kindOf(values)}`
      : `${path}: Expected a list of strings, or an object with values, found ${kindOf(found)}`;
  }
  const at = values.findIndex((value) => typeof value !== "string");
  if (at >= 0) return `${path}: Expected values[${at}] to be a string, found ${kindOf(values[at])}`;
  if (total !== undefined && !(Number.isSafeInteger(total) && total as number >= 0)) {
    return `${path}: Expected total to be an integer of at least 0, found ${kindOf(total)}`;
  }
  if (hasMore === undefined || typeof hasMore === "boolean") return undefined;
  return `${path}: Expected hasMore to be true or false, found ${kindOf(hasMore)}`;
}

/** At most so many values; what is cut is counted (MCP 2026-07-28, Completion § Completion results). */
function write(found: Found): JsonObject {
  const { values, total, hasMore }: Exclude<Found, readonly string[]> = Array.isArray(found)
    ? { values: found }
    : found as Exclude<Found, readonly string[]>;
  const cut = values.length > COMPLETION_VALUES;
  return {
    values: values.slice(0, COMPLETION_VALUES),
    total: total ?? values.length,
    hasMore: hasMore ?? (cut || (total !== undefined && total > values.length)),
  };
}
