import assert from "node:assert/strict";
import { readReply } from "../wire.ts";
import type { Json, Reply } from "../wire.ts";
import { makeKey, RESOURCE, seconds, withAuthorizationServer } from "./authorization_server.ts";
import { challenged, protectedServer, said } from "./protected.ts";

Deno.test("a session needs a token with every request, and serves its own principal only, over new tokens too (M-AUTH-078, M-AUTH-083)", async () => {
  await withAuthorizationServer(async (as) => {
    const { server, runs } = protectedServer(as, { server: { sessions: true } });
    let session: string | undefined;
    const send = async (token: string | undefined, method: string, message?: Json): Promise<Reply> => {
      const headers = new Headers({ accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-11-25" });
      if (message !== undefined) headers.set("content-type", "application/json");
      if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
      if (session !== undefined) headers.set("mcp-session-id", session);
      const body = message === undefined ? null : JSON.stringify({ jsonrpc: "2.0", ...message });
      const response = await server.fetch(new Request(RESOURCE, { method, headers, body }));
      session ??= response.headers.get("mcp-session-id") ?? undefined;
      return await readReply(response);
    };
    const hello = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "c", version: "1" } };
    const initialize = { id: 1, method: "initialize", params: hello };
    const whoami = { id: 2, method: "tools/call", params: { name: "whoami", arguments: {} } };
    challenged(await send(undefined, "POST", initialize), 401, undefined);
    const alice = await as.issue();
    assert.equal((await send(alice, "POST", initialize)).status, 200);
    assert.ok(session !== undefined);
    assert.equal((await send(alice, "POST", { method: "notifications/initialized" })).status, 202);
    for (const [method, message] of [["POST", whoami], ["GET"], ["DELETE"], ["POST", { method: "notifications/x" }]] as const) {
      challenged(await send(undefined, method, message), 401, undefined);
      const eve = await as.issue({}, { key: await makeKey("first") });
      challenged(await send(eve, method, message), 401, "invalid_token");
      assert.equal((await send(await as.issue({ sub: "bob" }), method, message)).status, 404);
      assert.equal((await send(await as.issue({ client_id: "other" }), method, message)).status, 404);
    }
    assert.equal(runs.count, 0);
    const renewed = await as.issue({ jti: "second", exp: seconds() + 900 });
    assert.equal(said(await send(renewed, "POST", whoami)).auth.claims.jti, "second");
    assert.equal((await send(renewed, "DELETE")).status, 204);
  });
});
