/** Prompts: answers `prompts/list` and `prompts/get`. */
import { ProtocolError } from "../protocol/errors.ts";
import { isJsonObject, ownMember } from "../protocol/json.ts";
import type { JsonObject } from "../protocol/types.ts";
import { shown } from "../protocol/shown.ts";
import type { CatalogueIndex } from "./components/catalogue.ts";
import { callInfo, HandlerContext } from "./context.ts";
import type { Core, Exchange, Method } from "./core.ts";
import { listMethod } from "./lists/list_method.ts";
import { listedEntry } from "./lists/listed_entry.ts";
import type { PromptParts } from "./components/prompt.ts";
import { writeRenderResult } from "./results/render_return.ts";
import { requireScopes } from "./access/require_scopes.ts";
import { isLaterRound, laterRound, runInRounds } from "./input/in_rounds.ts";
import { isVisible } from "./access/is_visible.ts";

/** The methods of prompts, for one catalogue. */
export function promptMethods(core: Omit<Core, "methods">, catalogue: CatalogueIndex): [string, Method][] {
  const list = listMethod(core, {
    method: "prompts/list",
    member: "prompts",
    kind: "prompt",
    key: "name",
    hint: "prompts",
    places: catalogue.places,
    items: () => [...catalogue.promptsByName.values()].map(listedEntry),
  });
  return [["prompts/list", list], ["prompts/get", {
    runsHandler: true,
    answer: (exchange) => get(exchange, catalogue),
    write: (exchange, result, { changed }) => {
      if (changed && !Array.isArray(result.messages)) {
        throw new TypeError("use: What a middleware gave for prompts/get: Expected messages to be a list");
      }
      return exchange.write(result);
    },
  }]];
}

async function get(exchange: Exchange, catalogue: CatalogueIndex): Promise<JsonObject> {
  const { params } = exchange.request;
  const name = ownMember(params, "name");
  if (typeof name !== "string") throw ProtocolError.invalidParams("Invalid params: name must be a string");
  const prompt = catalogue.promptsByName.get(name);
  if (prompt === undefined || !isVisible(prompt.parts.options, () => callInfo(exchange))) {
    throw ProtocolError.invalidParams(`Unknown prompt: ${shown(name)}`);
  }
  requireScopes(exchange, prompt.parts.options);
  const args = readArguments(ownMember(params, "arguments"), prompt.parts);
  const context = isLaterRound(exchange) ? await laterRound(exchange) : new HandlerContext(exchange);
  const { render, description } = prompt.parts.options;
  return await runInRounds(
    exchange,
    context,
    (ctx) => render(args, ctx),
    (value) => exchange.write(writeRenderResult(value, description)),
  );
}

/** Arguments are strings; unknown ones are refused, required ones must be there (MCP 2026-07-28, Prompts § Error handling). */
function readArguments(given: unknown, parts: PromptParts): { readonly [name: string]: string } {
  if (given !== undefined && !isJsonObject(given)) {
    throw ProtocolError.invalidParams("Invalid params: arguments must be an object");
  }
  const args: [string, string][] = [];
  for (const [name, value] of Object.entries(given ?? {})) {
    if (!parts.arguments.has(name)) throw ProtocolError.invalidParams(`Invalid params: unknown argument ${shown(name)}`);
    if (typeof value !== "string") throw ProtocolError.invalidParams(`Invalid params: argument ${name} must be a string`);
    args.push([name, value]);
  }
  const read = Object.fromEntries(args);
  for (const [name, argument] of parts.arguments) {
    if (argument.required === true && !Object.hasOwn(read, name)) {
      throw ProtocolError.invalidParams(`Invalid params: argument ${name} is required`);
    }
  }
  return read;
}
