/** Claims whose type is an interface: this file does not compile when a door refuses them. */
import assert from "node:assert/strict";
import { connect } from "../../client/mod.ts";
import { defineServer, tool } from "../../server/mod.ts";
import { testClient } from "../../testing.ts";
import { toNodeHandler } from "../../transports/node_http.ts";
import type { AuthInfo, MessageInfo } from "../../transports/mod.ts";
import { httpRequest, request } from "./calls.ts";

interface Claims {
  readonly plan: string;
  readonly seats?: number;
}

const auth: AuthInfo<Claims> = { principal: "ada", scopes: [], claims: { plan: "team" } };

const plan = tool({ name: "plan", handler: (_args, ctx) => String(ctx.auth?.claims.plan) });
const server = defineServer({ name: "a", version: "1", tools: [plan] });

Deno.test("claims typed by an interface go in through every door as they are, and are read by handlers", async () => {
  const call = request("tools/call", { name: "plan" });
  const info: MessageInfo = {
    principal: auth,
    connection: { transport: "http" },
    onDisconnect: () => () => undefined,
  };
  const answer = await server.handle(call, info);
  assert.match(JSON.stringify(answer), /"team"/);
  const response = await server.respond(httpRequest(call), { auth });
  assert.match(await response.text(), /"team"/);
  const client = await connect(server, { auth });
  assert.equal(await client.tools.plan(), "team");
  await client.close();
  const tested = await testClient(server, { auth });
  assert.equal(await tested.tools.plan(), "team");
  await tested.close();
  assert.equal(typeof toNodeHandler(server, { auth: () => auth }), "function");
});
