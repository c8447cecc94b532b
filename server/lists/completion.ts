/** Completion: answers `completion/complete`; what does so is loaded with the first request. */
import type { CatalogueIndex } from "../components/catalogue.ts";
import type { Method } from "../core.ts";
import { PROGRAM_LISTS } from "./program_lists_on_demand.ts";

/** The method of completion, for one catalogue. */
export function completionMethods(catalogue: CatalogueIndex): [string, Method][] {
  return [["completion/complete", {
    runsHandler: true,
    answer: async (exchange) => await (PROGRAM_LISTS.loaded ?? await PROGRAM_LISTS.load()).complete(exchange, catalogue),
    write: (exchange, result) => exchange.write(result),
  }]];
}
