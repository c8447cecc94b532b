/** Tests of verifiers of tokens that take long. */
import assert from "node:assert/strict";
import { bearer } from "../../../server/auth/mod.ts";
import type { TokenVerifier } from "../../../server/auth/mod.ts";
import { defineServer, tool } from "../../../server/mod.ts";
import { request } from "../wire.ts";
import { callWith } from "./protected.ts";
import { RESOURCE } from "./authorization_server.ts";

function guarded(verify: TokenVerifier, sessions = false) {
  const told: string[] = [];
  const auth = bearer({ resource: RESOURCE, authorizationServers: ["https://as.example"], verify });
  const whoami = tool({ name: "whoami", handler: (_args, ctx) => auth.of(ctx).principal });
  const server = defineServer({
    name: "p",
    version: "1",
    auth,
    sessions,
    tools: [whoami],
    limits: { verifyTimeout: 60 },
    onError: (error) => void told.push(String(error)),
  });
  return { server, told };
}

const LATE = "Error: Letting a caller in: auth took longer than 60 ms (limit verifyTimeout)";

Deno.test("a verifier that never answers costs its request a 503, and is told (limit verifyTimeout)", async () => {
  const { server, told } = guarded(() => new Promise(() => undefined));
  const calls = await Promise.all([
    callWith(server, "a"),
    callWith(server, "b", {}, request("tools/list")),
    server.fetch(new Request("http://localhost/mcp", { headers: { authorization: "Bearer c", accept: "text/event-stream" } })),
  ]);
  assert.deepEqual(calls.map(({ status }) => status), [503, 503, 503]);
  assert.deepEqual(told, [LATE, LATE, LATE]);
  await server.close();
});

Deno.test("a verifier that answers in time lets its callers in, whatever the last one did, and one that rejects is told as before", async () => {
  const { server, told } = guarded(async (token) => {
    await new Promise((resolve) => setTimeout(resolve, 10));
    if (token === "never") return await new Promise(() => undefined);
    if (token === "broken") throw new Error("no store");
    return { principal: token, scopes: [], claims: {} };
  });
  const [never, ada, broken] = await Promise.all(["never", "ada", "broken"].map((token) => callWith(server, token)));
  assert.deepEqual([never?.status, ada?.status, broken?.status], [503, 200, 503]);
  assert.deepEqual(told, ["Error: no store", LATE]);
  await server.close();
});

Deno.test("a verifier that answers promptly costs no timer", async () => {
  const { server } = guarded((token) => Promise.resolve({ principal: token, scopes: [], claims: {} }));
  await callWith(server, "first");
  const own = globalThis.setInterval;
  let timers = 0;
  globalThis.setInterval = ((...args: Parameters<typeof own>) => {
    timers++;
    return own(...args);
  }) as typeof own;
  try {
    for (let call = 0; call < 5; call++) assert.equal((await callWith(server, "ada")).status, 200);
  } finally {
    globalThis.setInterval = own;
  }
  assert.equal(timers, 0);
  await server.close();
});

Deno.test("the end of a server does not wait for a verifier that never answers", async () => {
  const { server } = guarded(() => new Promise(() => undefined));
  const call = callWith(server, "a");
  await new Promise((resolve) => setTimeout(resolve, 0));
  await server.close();
  assert.equal((await call).status, 503);
});
