import assert from "node:assert/strict";
import { oauth } from "../../client/auth/mod.ts";
import { connect, textOf } from "../../client/mod.ts";
import { bearer, jwt } from "../../server/auth/mod.ts";
import { defineServer, tool } from "../../server/mod.ts";
import type { Server } from "../../server/mod.ts";
import { inWorld, LOCAL } from "./authorization_world.ts";
import { later } from "./later.ts";
import { person } from "./person.ts";
import { tokenRequests } from "./token_requests.ts";

Deno.test("tokens that a real authorization server binds to a key get in, step up and are renewed with proofs, and not without", async () => {
  await inWorld(async ({ issuer, protect, count }) => {
    const http = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => undefined }, (request) => server.fetch(request));
    const url = `http://127.0.0.1:${http.addr.port}/mcp`;
    protect(url);
    const verify = jwt({ issuer, audience: url, type: "at+jwt" });
    const auth = bearer({ resource: url, authorizationServers: [issuer], scopes: ["notes:read"], dpop: "required", verify });
    const whoami = tool({ name: "whoami", handler: (_args, ctx) => String(auth.of(ctx).claims.sub) });
    const write = tool({ name: "write", scopes: ["notes:write"], handler: () => "written" });
    const server: Pick<Server, "fetch" | "close"> = defineServer({ name: "p", version: "1", auth, tools: [whoami, write] });
    const sent = tokenRequests();
    try {
      await using client = await connect(url, { auth: oauth({ ...LOCAL, dpop: true, open: person().open, fetch: sent.fetch }) });
      assert.equal(textOf(await client.callTool("whoami")), "ada");
      assert.equal(textOf(await client.callTool("write")), "written");
      assert.equal(await later(600, async () => textOf(await client.callTool("whoami"))), "ada");
      assert.deepEqual(["GET /auth", "POST /token"].map(count), [2, 3]);
      assert.deepEqual(sent.tokens.map((tokens) => tokens.token_type), ["DPoP", "DPoP", "DPoP"]);
      const token = String(sent.tokens[2]?.access_token);
      for (const scheme of ["Bearer", "DPoP"]) {
        const stolen = await fetch(url, { method: "POST", headers: { authorization: `${scheme} ${token}` } });
        await stolen.body?.cancel();
        assert.equal(stolen.status, 401);
      }
    } finally {
      await server.close();
      await http.shutdown();
    }
  });
});
