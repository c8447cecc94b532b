/** Tests of `server/http_sessions.ts`: when a server loads what serves sessions, and what comes meanwhile. */
import assert from "node:assert/strict";
import { ROOT, runDeno } from "../../scripts/command.ts";
import type { ServerOptions } from "../../server/options/server_options.ts";
import type { Server } from "../../server/server_types.ts";
import { memoryStore } from "../../server/stores/memory.ts";
import { tool } from "../../server/components/tool.ts";
import { call, hello, refusedWith } from "../transports/session_site.ts";
import type { Json } from "../transports/session_site.ts";
import { serverOf } from "./calls.ts";

const KEYS = ["a key that other instances have too"];

function server(options: Partial<ServerOptions> = {}): Server {
  return serverOf({
    tools: [
      tool({ name: "echo", args: { text: { type: "string" } }, handler: ({ text = "" }) => text }),
      tool({
        name: "wait",
        handler: (_args, { signal }) =>
          new Promise<string>((_, reject) => signal.addEventListener("abort", () => reject(signal))),
      }),
    ],
  }, { sessions: true, ...options });
}

/** A POST as a client makes it. */
function post(message: Json, headers: { readonly [name: string]: string } = {}): Request {
  return new Request("http://localhost/mcp", {
    method: "POST",
    body: JSON.stringify(message),
    headers: { "content-type": "application/json", "accept": "application/json, text/event-stream", ...headers },
  });
}

const echo = (text: string): Json => call("tools/call", { name: "echo", arguments: { text } }, text);

/** Opens a session; gives the header that names it. */
async function open({ fetch }: Server): Promise<{ readonly "mcp-session-id": string }> {
  const response = await fetch(post(hello()));
  const id = response.headers.get("mcp-session-id") ?? assert.fail(await response.text());
  assert.equal((await response.json()).result.protocolVersion, "2025-11-25");
  const headers = { "mcp-session-id": id };
  assert.equal((await fetch(post({ jsonrpc: "2.0", method: "notifications/initialized" }, headers))).status, 202);
  return headers;
}

Deno.test("the door of the server loads nothing that only sessions need", async () => {
  const { code, output } = await runDeno(["info", "--json", `${ROOT}/server/mod.ts`], { env: { NO_COLOR: "1" } });
  assert.equal(code, 0, output);
  const { roots, modules } = JSON.parse(output.slice(output.indexOf("{"))) as Json;
  const known = new Map<string, Json>(modules.map((one: Json) => [one.specifier, one]));
  const loaded = new Set<string>(roots);
  // A set that grows is walked to its end.
  for (const specifier of loaded) {
    for (const { code, isDynamic } of known.get(specifier)?.dependencies ?? []) {
      if (code?.specifier !== undefined && isDynamic !== true) loaded.add(code.specifier);
    }
  }
  const names = [...loaded].map((specifier) => specifier.slice(`file://${ROOT}/`.length));
  assert.ok(names.includes("server/http_sessions.ts"));
  const rooms =
    /^(?:transports\/(?:http_session|session_|standing_|follow_|notice_|event_budget|streamable_http_session)|server\/(?:open_sessions|session_tokens|stores\/(?!memory_bus)))/;
  assert.deepEqual(names.filter((name) => rooms.test(name)), []);
  assert.ok(known.has(`file://${ROOT}/transports/sessions/session_registry.ts`), "the rooms have other names now");
});

Deno.test("a fresh server opens a session for each of two clients at once (L-SES-001)", async () => {
  const fresh = server();
  const [one, other] = await Promise.all([open(fresh), open(fresh)]);
  assert.notEqual(one["mcp-session-id"], other["mcp-session-id"]);
  for (const [headers, text] of [[one, "a"], [other, "b"]] as const) {
    const { id, result } = await (await fresh.fetch(post(echo(text), { ...headers, accept: "application/json" }))).json();
    assert.deepEqual([id, result.content[0].text], [text, text]);
  }
  await fresh.close();
});

Deno.test("a fresh instance hears what cancels a call right after the call, in a session of another one (L-HTTP-017)", async () => {
  const first = server({ stateKeys: KEYS });
  const fresh = server({ stateKeys: KEYS });
  const headers = await open(first);
  const running = fresh.fetch(post(call("tools/call", { name: "wait" }, 5), headers));
  const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 5 } };
  assert.equal((await fresh.fetch(post(cancelled, headers))).status, 202);
  await refusedWith(await running, 499, /was cancelled/);
  await Promise.all([first.close(), fresh.close()]);
});

Deno.test("a server that is closed before or while the first client opens a session gives none (L-SES-008)", async () => {
  for (const early of [true, false]) {
    const fresh = server();
    if (early) await fresh.close();
    const opening = fresh.fetch(post(hello()));
    const closing = fresh.close();
    const response = await opening;
    assert.deepEqual([response.status, response.headers.get("mcp-session-id")], [503, null]);
    assert.deepEqual((await response.json()).error.data, { reason: "closing" });
    await closing;
    await refusedWith(await fresh.fetch(post(echo("a"), { "mcp-session-id": "x" })), 404, /unknown or has ended/);
  }
});

Deno.test("a server with a store and no key tells so with the first session, and only once", async () => {
  const told: string[] = [];
  const fresh = server({ sessions: { store: memoryStore() }, onError: (error) => void told.push(String(error)) });
  assert.deepEqual(told, []);
  await open(fresh);
  await open(fresh);
  assert.equal(told.length, 1);
  assert.match(
    String(told[0]),
    /^Warning: stateKeys: No key is set, so that no other process can serve the sessions of this one; give /,
  );
  await fresh.close();
});

Deno.test("a page may ask what an endpoint with sessions takes before anybody opened one", async () => {
  const fresh = server({ origins: ["https://app.example.com"] });
  const headers = { "origin": "https://app.example.com", "access-control-request-method": "DELETE" };
  const response = await fresh.fetch(new Request("http://localhost/mcp", { method: "OPTIONS", headers }));
  assert.equal(response.headers.get("access-control-allow-methods"), "GET, POST, DELETE");
});
