/** What a server says about itself: its capabilities, and `server/discover`. */
import type { ResultFrame } from "../protocol/dialect.ts";
import { prepareResult } from "../protocol/json_rpc.ts";
import type { JsonObject, ServerCapabilities } from "../protocol/types.ts";
import { frozenCopy } from "../protocol/frozen_copy.ts";
import type { CatalogueIndex } from "./components/catalogue.ts";
import type { Core, Method } from "./core.ts";

/** What a server says it can do, from what it offers. */
export function capabilitiesOf(
  catalogue: CatalogueIndex,
): ServerCapabilities {
  return {
    ...(catalogue.tools === undefined ? {} : { tools: { listChanged: true } }),
    ...(catalogue.resources === undefined ? {} : { resources: { subscribe: true, listChanged: true } }),
    ...(catalogue.prompts === undefined ? {} : { prompts: { listChanged: true } }),
    ...(catalogue.completes ? { completions: {} } : {}),
    logging: {},
    ...catalogue.declared,
  };
}

/** The method `server/discover`; its answer is written once per dialect that has it. */
export function discoverMethods(core: Omit<Core, "methods">, capabilities: ServerCapabilities): [string, Method][] {
  const facts = {
    supportedVersions: core.dialects.map((dialect) => dialect.version),
    capabilities: capabilities as JsonObject,
    instructions: core.options.instructions,
  };
  const cache = core.options.cache?.discover;
  const discoverable = core.dialects.filter((dialect) => dialect.hasRequest("server/discover", "client"));
  const prepared = new Map(discoverable.map((dialect) => {
    const frame = core.frames.get(dialect) as ResultFrame;
    return [dialect.version, prepareResult(dialect.writeDiscover(facts, frame, cache))];
  }));
  const { supportedVersions, instructions } = facts;
  const plain = frozenCopy({ supportedVersions, capabilities: facts.capabilities, instructions });
  return [["server/discover", {
    runsHandler: false,
    answer: (exchange) => exchange.layered ? exchange.write(plain, cache) : prepared.get(exchange.dialect.version) as JsonObject,
    write: (exchange, result, { cacheScope }) => exchange.write(result, { cacheScope }),
  }]];
}
