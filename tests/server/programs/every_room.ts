/** Enters every part of a server that is loaded at its first use, once, and prints what came of it. */
import { print } from "../../../scripts/print.ts";
import { tool } from "../../../server/components/tool.ts";
import { eventsOf, httpRequest, request, resultOf, serverOf } from "../calls.ts";

const FORMS = { _meta: { "io.modelcontextprotocol/clientCapabilities": { elicitation: {} } } };

const ask = tool({
  name: "ask",
  args: { topic: { type: "string", required: true } },
  handler: async ({ topic }, ctx) => (await ctx.elicit(topic, {})).action,
});

const stepwise = tool({
  name: "stepwise",
  handler: async (_args, ctx) => {
    await ctx.progress(1);
    return "done";
  },
});

const server = serverOf({ tools: [ask, stepwise] }, { sessions: true });

async function rounds(): Promise<unknown> {
  const params = { name: "ask", arguments: { topic: "?" }, ...FORMS };
  const { inputRequests, requestState } = await resultOf(server, request("tools/call", params));
  const inputResponses = { [Object.keys(inputRequests as object)[0] as string]: { action: "decline" } };
  const { content } = await resultOf(server, request("tools/call", { ...params, inputResponses, requestState }, 2));
  return content;
}

async function events(): Promise<unknown> {
  const call = request("tools/call", { name: "stepwise", _meta: { progressToken: 1 } });
  return (await eventsOf(await server.fetch(httpRequest(call)))).length;
}

async function changes(): Promise<unknown> {
  const listen = request("subscriptions/listen", { notifications: { toolsListChanged: true } });
  const response = await server.fetch(httpRequest(listen));
  const reader = response.body?.getReader();
  const { value } = await reader?.read() ?? {};
  await reader?.cancel();
  return new TextDecoder().decode(value).includes("notifications/subscriptions/acknowledged");
}

async function session(): Promise<unknown> {
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1.0.0" } };
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params });
  const response = await server.fetch(new Request("http://localhost/mcp", { method: "POST", headers, body }));
  await response.text();
  return response.headers.has("mcp-session-id");
}

async function everyRoom(): Promise<void> {
  print(JSON.stringify([await rounds(), await events(), await changes(), await session()]));
  await server.close();
}

void everyRoom();
