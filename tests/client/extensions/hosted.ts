/** A host of a view over a real server, and the view's end of the bridge in the test's hands. */
import assert from "node:assert/strict";
import { connect } from "../../../client/mod.ts";
import { type AppHost, appHost, type AppHostOptions, apps } from "../../../client/extensions/apps.ts";
import { app, appTool } from "../../../server/extensions/apps.ts";
import { defineServer, ProtocolError, resource, tool } from "../../../server/mod.ts";
import type { Client } from "../../../client/mod.ts";
import type { JsonObject } from "../../../protocol/types.ts";

/** Everything that a test has in its hands. */
export interface Hosted {
  readonly client: Client;
  readonly host: AppHost;
  /** What the host posted, oldest first. */
  readonly posted: JsonObject[];
  /** What the host reported. */
  readonly reports: unknown[];
  /** The names of the tools that ran on the server. */
  readonly ran: string[];
  /** Posts as the view. */
  say(message: object): void;
  /** Asks as the view, and waits for the answer. */
  ask(method: string, params?: object): Promise<JsonObject>;
  /** Introduces the view, and says that it is initialized. */
  begin(capabilities?: object): Promise<JsonObject>;
}

/** A server with a view, and tools for whom they are. */
export function weatherServer(name: string, ran: string[] = []) {
  const weather = app({
    tool: {
      name: "weather",
      args: { city: { type: "string", required: true } },
      handler({ city }) {
        ran.push("weather");
        return {
          structured: { city, degrees: 12, server: name },
          content: `12 °C in ${city}`,
          meta: { "example.com/source": "mast" },
        };
      },
    },
    resource: { uri: "ui://weather/card", name: "card", html: "<!doctype html><title>Weather</title>" },
  });
  const secret = appTool({ name: "forecast", visibility: ["model"], handler: () => void ran.push("forecast") });
  const refresh = appTool({ name: "refresh", visibility: ["app"], handler: () => `${ran.push("refresh")}` });
  const slow = tool({
    name: "slow",
    async handler(_args, ctx) {
      ran.push("slow");
      await ctx.progress(1, 2, "half");
      await new Promise((resolve) => ctx.signal.addEventListener("abort", resolve));
      ran.push("stopped");
    },
  });
  const failing = tool({
    name: "failing",
    handler(): string {
      throw new ProtocolError(-31_999, "The mast fell", { data: { mast: 7 } });
    },
  });
  const log = resource({ uri: "log://today", name: "log", mimeType: "text/plain", read: () => "calm" });
  return defineServer({
    name,
    version: "1.0.0",
    tools: [weather.tool, secret, refresh, slow, failing],
    resources: [weather.resource, log],
  });
}

/** Hosts the view of `weather`, and ends it and the client when the test is through. */
export async function hosted(
  options: Partial<AppHostOptions>,
  test: (hosted: Hosted) => Promise<unknown>,
): Promise<void> {
  const ran: string[] = [];
  const client = await connect(weatherServer("mast", ran), { extensions: [apps] }) as unknown as Client;
  const view = await apps.on(client).resolve("weather");
  assert.ok(view !== undefined);
  const posted: JsonObject[] = [];
  const reports: unknown[] = [];
  const waiting = new Map<unknown, (message: JsonObject) => void>();
  const host = appHost({
    client,
    tool: view.tool,
    app: view,
    info: { name: "test-host", version: "1.0.0" },
    post(message) {
      posted.push(message);
      if (!("method" in message)) waiting.get(message.id)?.(message);
    },
    report: (fault) => reports.push(fault),
    ...options,
  });
  const say = (message: object): void => host.receive({ jsonrpc: "2.0", ...message });
  let id = 100;
  const ask = (method: string, params: object = {}): Promise<JsonObject> => {
    const own = ++id;
    return new Promise((resolve) => {
      waiting.set(own, resolve);
      say({ id: own, method, params });
    });
  };
  const begin = async (appCapabilities: object = {}): Promise<JsonObject> => {
    const appInfo = { name: "card", version: "1.0.0" };
    const { result } = await ask("ui/initialize", { appInfo, appCapabilities, protocolVersion: "2026-01-26" });
    say({ method: "ui/notifications/initialized" });
    await host.ready;
    return result as JsonObject;
  };
  try {
    await test({ client, host, posted, reports, ran, say, ask, begin });
  } finally {
    await host.teardown({ timeout: 1 });
    await client.close();
  }
}

/** The methods and answers in what was posted. */
export function outline(posted: readonly JsonObject[]): unknown[] {
  return posted.map(({ method, error, id }) => method ?? (error === undefined ? `answer ${id}` : (error as JsonObject).code));
}
