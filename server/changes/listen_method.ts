/** The method `subscriptions/listen`; what keeps the streams is loaded with the first one. */
import { onDemand } from "../../protocol/on_demand.ts";
import type { JsonObject, ServerCapabilities } from "../../protocol/types.ts";
import type { Core, Exchange, Method } from "../core.ts";
import type { IsVisible } from "../access/is_visible.ts";
import { missedChanges } from "./missed_changes.ts";
import type { Listening } from "./subscriptions.ts";

const SUBSCRIPTIONS = onDemand(() => import("./subscriptions.ts"));

/** The method `subscriptions/listen`; none when the server offers nothing that changes. */
export function listenMethod(
  { options }: Omit<Core, "methods">,
  capabilities: ServerCapabilities,
  isVisible: IsVisible,
): [string, Method][] {
  const { tools, prompts, resources } = capabilities;
  if ((tools ?? prompts ?? resources) === undefined && !options.extensions?.listens) return [];
  const listening: Listening = { capabilities, isVisible };
  return [["subscriptions/listen", {
    runsHandler: false,
    lasts: true,
    answer: (exchange) => SUBSCRIPTIONS.loaded?.listen(exchange, listening) ?? listenFirst(exchange, listening),
  }]];
}

/** What changes between the request and the first stream is told on that stream, too. */
async function listenFirst(exchange: Exchange, listening: Listening): Promise<JsonObject> {
  const missed = missedChanges(exchange);
  const { listen } = await SUBSCRIPTIONS.load();
  return await listen(exchange, listening, missed);
}
