/** Streams that last end with the token that they were opened with, and clients open them again with the next one. */
import assert from "node:assert/strict";
import { connect } from "../../../client/mod.ts";
import type { ChangeEvent, Watch } from "../../../client/mod.ts";
import { TOKEN_LIMITS } from "../../../protocol/limits.ts";
import { bearer } from "../../../server/auth/mod.ts";
import { defineServer, tool } from "../../../server/mod.ts";
import { httpRequest, metaWith, request } from "../wire.ts";
import type { Json } from "../wire.ts";
import { until } from "../../until.ts";

const RESOURCE = "http://localhost/mcp";
const LIST = { toolsListChanged: true } as const;

/** A token says when it ends. The server takes it for so many milliseconds more. */
function token(left: number, name = "t"): string {
  return `${name}.${Date.now() + left - TOKEN_LIMITS.clockSkew * 1000}`;
}

function protectedServer() {
  const seen: string[] = [];
  const auth = bearer({
    resource: RESOURCE,
    authorizationServers: ["https://as.example"],
    verify: (text) => ({ principal: "alice", scopes: [], claims: {}, expiresAt: Number(text.split(".")[1]) / 1000 }),
  });
  const slow = tool({
    name: "slow",
    handler: async (_args, ctx) => {
      await ctx.progress(1);
      await new Promise((resolve) => setTimeout(resolve, 1_200));
      await ctx.progress(2);
      return "done";
    },
  });
  const server = defineServer({ name: "s", version: "1", auth, tools: [slow], sessions: true });
  const fetch = (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const sent = new Request(input, init);
    const about = sent.headers.get("mcp-method") ?? sent.method;
    seen.push(`${about} ${sent.headers.get("authorization")?.split(/[ .]/)[1]}`);
    return server.fetch(sent);
  };
  return { server, fetch, seen };
}

/** A request with a token. */
function ask(method: string, params: Json, given?: string, meta?: Json): Request {
  return httpRequest(request(method, params, metaWith(meta)), { authorization: given && `Bearer ${given}` });
}

async function next(watch: Watch, type: ChangeEvent["type"]): Promise<void> {
  for (;;) {
    const { value } = await watch.next();
    if (value?.type === type) return;
    assert.notEqual(value?.type, "closed", JSON.stringify(value));
  }
}

for (const [protocol, opening] of [["2026-07-28", "subscriptions/listen"], ["2025-11-25", "GET"]] as const) {
  Deno.test(`a change stream of ${protocol} ends with its token, and is opened again with the next one (M-SUB-015)`, async () => {
    const { server, fetch, seen } = protectedServer();
    let given = "";
    const client = await connect(RESOURCE, { protocol, fetch, auth: () => given || token(3_600_000, "first") });
    given = token(1_500, "short");
    const watch = client.watch(LIST, { relisten: true });
    await watch.open();
    // The GET stream is opened on its own.
    await until(() => seen.includes(`${opening} short`));
    given = token(3_600_000, "long");
    await next(watch, "gap");
    await server.notify.toolsChanged();
    await next(watch, "toolsListChanged");
    assert.deepEqual(seen.filter((one) => one.startsWith(opening)), [`${opening} short`, `${opening} long`]);
    await watch.close();
    await client.close();
    await server.close();
  });
}

Deno.test("a change stream ends with its token by the end of its body, without a result, so that the subscription may go on (M-SUB-015)", async () => {
  const { server } = protectedServer();
  const listening = await server.fetch(ask("subscriptions/listen", { notifications: LIST }, token(800)));
  const text = await listening.text();
  assert.match(text, /notifications\/subscriptions\/acknowledged/);
  assert.doesNotMatch(text, /"result"|"error"/);
  await server.close();
});

Deno.test("a stream that the application lets in past its end, or without one, stays open", async () => {
  const { server } = protectedServer();
  const caller = { principal: "alice", scopes: [], claims: {} };
  for (const auth of [caller, { ...caller, expiresAt: 1 }]) {
    const response = await server.respond(ask("subscriptions/listen", { notifications: LIST }), { auth });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const first = new TextDecoder().decode((await reader.read()).value);
    assert.match(first, /acknowledged/);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await server.notify.toolsChanged();
    assert.match(new TextDecoder().decode((await reader.read()).value), /tools\/list_changed/);
    await reader.cancel();
  }
  await server.close();
});

Deno.test("a call that was let in is answered although its token ends meanwhile", async () => {
  const { server } = protectedServer();
  const params = { name: "slow", arguments: {} };
  const meta = { progressToken: 1 };
  const answer = await (await server.fetch(ask("tools/call", params, token(800), meta))).text();
  assert.match(answer, /notifications\/progress/);
  assert.match(answer, /"done"/);
  assert.equal((await server.fetch(ask("tools/call", params, token(-1)))).status, 401);
  await server.close();
});
