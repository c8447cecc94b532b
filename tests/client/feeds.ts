/** Change streams under the hand of a test. */
import type { ChangeEvent, Client, JsonObject, JsonRpcMessage, JsonRpcRequest, Subscription } from "../../client/mod.ts";
import { deferred, scripted } from "./scripted.ts";
import type { Script, ScriptedServer } from "./scripted.ts";

/** The key of `_meta` that tells streams apart. */
export const SUBSCRIPTION_ID = "io.modelcontextprotocol/subscriptionId";

/** One listen stream under the hand of a test. */
export interface Feed {
  /** The request. */
  readonly request: JsonRpcRequest;
  /** Sends a notification that carries the subscription's id. */
  notify(method: string, params?: JsonObject): void;
  /** Agrees to the filter, or to another one. */
  acknowledge(filter?: JsonObject): void;
  /** Sends any message. */
  send(message: JsonRpcMessage): void;
  /** Ends the stream with its result. */
  finish(): void;
  /** The connection breaks. */
  lose(): void;
  /** The client has gone. */
  readonly left: Promise<void>;
}

/** A server whose listen streams are fed by the test, and that answers the rest by a script; `next` waits for the next stream. */
export function feeding(rest: Script = () => undefined): { readonly server: ScriptedServer; next(): Promise<Feed> } {
  const waiting: ((feed: Feed) => void)[] = [];
  const ready: Feed[] = [];
  const server = scripted((request, info) => {
    if (request.method !== "subscriptions/listen") return rest(request, info);
    const left = deferred();
    const stream = new ReadableStream<JsonRpcMessage>({
      start(controller) {
        const notify = (method: string, params: JsonObject = {}): void =>
          controller.enqueue({ jsonrpc: "2.0", method, params: { ...params, _meta: { [SUBSCRIPTION_ID]: request.id } } });
        const feed: Feed = {
          request,
          notify,
          left: left.promise,
          acknowledge: (notifications = request.params?.notifications as JsonObject) =>
            notify("notifications/subscriptions/acknowledged", { notifications }),
          send: (message) => controller.enqueue(message),
          finish: () => {
            const _meta = { [SUBSCRIPTION_ID]: request.id };
            controller.enqueue({ jsonrpc: "2.0", id: request.id, result: { resultType: "complete", _meta } });
            controller.close();
          },
          lose: () => controller.close(),
        };
        const waiter = waiting.shift();
        if (waiter === undefined) ready.push(feed);
        else waiter(feed);
      },
    });
    info.onDisconnect(() => left.resolve());
    return stream;
  });
  return {
    server,
    next: () => {
      const feed = ready.shift();
      return feed === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(feed);
    },
  };
}

/** Opens a stream and acknowledges it. */
export async function opened(
  client: Client,
  next: () => Promise<Feed>,
  options: Parameters<Client["listen"]>[1] = {},
): Promise<readonly [Subscription, Feed]> {
  const opening = client.listen({ toolsListChanged: true, resourceSubscriptions: ["a:b"] }, options);
  const feed = await next();
  feed.acknowledge();
  return [await opening, feed];
}

/** Every event to the end. */
export async function rest(stream: AsyncIterable<ChangeEvent>): Promise<ChangeEvent[]> {
  const events: ChangeEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}
