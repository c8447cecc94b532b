/** Tests of `server/http/fetch.ts`. */
import assert from "node:assert/strict";
import { tool } from "../../../server/components/tool.ts";
import { headersFor, httpRequest, request, serverOf, toolCall } from "../calls.ts";

const CALL = toolCall("who");

function whoServer(options = {}) {
  return serverOf({
    tools: [tool({ name: "who", handler: (_args, { auth, headers }) => `${auth?.principal} ${headers.get("x-own")}` })],
  }, options);
}

/** A POST of the call to a URL. */
function post(url: string, headers: { readonly [name: string]: string } = {}): Request {
  return new Request(url, { method: "POST", headers: headersFor(CALL, headers), body: JSON.stringify(CALL) });
}

Deno.test("fetch needs no this, and takes nothing from further arguments", async () => {
  const { fetch } = whoServer();
  const unbound = fetch as (request: Request, env: unknown) => Promise<Response>;
  const response = await unbound(httpRequest(CALL), { auth: { principal: "mallory", scopes: [] } });
  assert.match(await response.text(), /undefined null/);
});

Deno.test("respond tells the handler the verified caller, never the headers", async () => {
  const auth = { principal: "anna", scopes: [] } as never;
  const response = await whoServer().respond(httpRequest(CALL, { "x-own": "x" }), { auth });
  assert.match(await response.text(), /anna x/);
});

Deno.test("path is matched exactly, without the query; every path is served without it (M-HTTP-001)", async () => {
  const server = whoServer({ path: "/mcp" });
  for (
    const [url, status] of [
      ["http://localhost/mcp", 200],
      ["http://localhost/mcp?a=/mcp", 200],
      ["http://localhost/mcp#x", 200],
      ["http://localhost/mcp/", 404],
      ["http://localhost/MCP", 404],
      ["http://localhost/", 404],
      ["http://localhost/x?/mcp", 404],
      ["http://localhost", 404],
    ] as const
  ) assert.equal((await server.fetch(post(url))).status, status, url);
  const { error } = await (await server.fetch(post("http://localhost/"))).json();
  assert.equal(error.message, "Not found: the path is not the option path of this server");
  assert.equal((await whoServer().fetch(post("http://localhost/any/where"))).status, 200);
});

Deno.test("a request without a Host header goes where its URL says", async () => {
  assert.equal((await whoServer().fetch(post("http://127.0.0.1:8000/mcp"))).status, 200);
  assert.equal((await whoServer().fetch(post("http://[::1]:8000/mcp"))).status, 200);
  const refused = await whoServer().fetch(post("https://mcp.example.com/mcp"));
  assert.equal(refused.status, 403);
  const { id, error } = await refused.json();
  assert.deepEqual([id, error.code], [undefined, -32600]);
  assert.equal((await whoServer({ hosts: ["mcp.example.com"] }).fetch(post("https://mcp.example.com/mcp"))).status, 200);
});

Deno.test("the Host header is decided on rather than the URL", async () => {
  assert.equal((await whoServer().fetch(post("http://localhost/mcp", { host: "evil.example" }))).status, 403);
});

Deno.test("an allowed origin may read what it gets, a foreign one gets 403 without permission (M-HTTP-002, M-HTTP-003)", async () => {
  const server = whoServer({ origins: ["https://app.example.com"] });
  const allowed = await server.fetch(httpRequest(CALL, { origin: "https://app.example.com" }));
  assert.equal(allowed.headers.get("access-control-allow-origin"), "https://app.example.com");
  const failed = await server.fetch(httpRequest(toolCall("nope"), { origin: "https://app.example.com", "mcp-name": "other" }));
  assert.deepEqual([failed.status, failed.headers.get("access-control-allow-origin")], [400, "https://app.example.com"]);
  const foreign = await server.fetch(httpRequest(CALL, { origin: "https://evil.example" }));
  assert.deepEqual([foreign.status, foreign.headers.get("access-control-allow-origin")], [403, null]);
  const plain = await server.fetch(httpRequest(CALL));
  assert.equal(plain.headers.get("access-control-allow-origin"), null);
});

Deno.test("a preflight is answered for allowed origins alone, under the path alone", async () => {
  const server = whoServer({ origins: ["https://app.example.com"], path: "/mcp" });
  const ask = (origin: string | undefined, url = "http://localhost/mcp") =>
    server.fetch(
      new Request(url, {
        method: "OPTIONS",
        headers: { "access-control-request-method": "POST", ...(origin === undefined ? {} : { origin }) },
      }),
    );
  assert.deepEqual((await ask("https://app.example.com")).status, 204);
  assert.deepEqual((await ask("https://evil.example")).status, 403);
  assert.deepEqual((await ask(undefined)).status, 405);
  assert.deepEqual((await ask("https://app.example.com", "http://localhost/other")).status, 404);
});

Deno.test("OPTIONS that is no preflight is answered like any other method, for pages that may call and without an origin", async () => {
  const server = whoServer({ origins: ["https://app.example.com"] });
  for (const headers of [{ origin: "https://app.example.com" }, { "access-control-request-method": "POST" }, {}]) {
    const { status, headers: answered } = await server.fetch(new Request("http://localhost/mcp", { method: "OPTIONS", headers }));
    assert.deepEqual([status, answered.get("allow")], [405, "POST"], JSON.stringify(headers));
  }
});

Deno.test("a preflight of an origin that is none gets no permission", async () => {
  for (const origin of ["null", "", "https://app.example.com, https://app.example.com"]) {
    const response = await whoServer({ origins: ["https://app.example.com"] }).fetch(
      new Request("http://localhost/mcp", { method: "OPTIONS", headers: { origin, "access-control-request-method": "POST" } }),
    );
    assert.deepEqual([response.status, response.headers.get("access-control-allow-origin")], [403, null], origin);
  }
});

Deno.test("a Host header that is no host is a bad request, a foreign one is forbidden (RFC 9112 § 3.2)", async () => {
  for (
    const [host, status] of [["localhost:", 200], ["a b", 400], ["localhost, evil.example", 400], ["evil.example:", 403]] as const
  ) {
    assert.equal((await whoServer().fetch(post("http://localhost/mcp", { host }))).status, status, host);
  }
});

Deno.test("session ids and event ids of older clients are ignored (M-HTTP-036, M-HTTP-037, M-HTTP-038)", async () => {
  const response = await whoServer().fetch(httpRequest(CALL, { "mcp-session-id": "s", "last-event-id": "7" }));
  assert.deepEqual([response.status, response.headers.get("mcp-session-id")], [200, null]);
});

Deno.test("two callers with the same id get each their own answer (B027, M-BASE-026)", async () => {
  const server = serverOf({
    tools: [tool({
      name: "wait",
      args: { value: { type: "string" }, turns: { type: "integer" } },
      handler: async ({ value, turns = 0 }, ctx) => {
        if (turns > 5) await ctx.progress(1);
        for (let turn = 0; turn < turns; turn++) await Promise.resolve();
        return value ?? "";
      },
    })],
  });
  const call = (value: string, turns: number) =>
    server.fetch(httpRequest(toolCall("wait", { value, turns }, 1))).then((answer) => answer.text());
  const [slow, fast] = await Promise.all([call("slow", 50), call("fast", 1)]);
  assert.ok(slow.includes('"slow"') && !slow.includes('"fast"'), slow);
  assert.ok(fast.includes('"fast"') && !fast.includes('"slow"'), fast);
});

Deno.test("server.fetch() refuses a stream to a client that takes JSON only with 406", async () => {
  const server = serverOf({ tools: [] });
  const listen = request("subscriptions/listen", { notifications: { toolsListChanged: true } });
  const response = await server.fetch(httpRequest(listen, { accept: "application/json" }));
  assert.equal(response.status, 406);
  assert.match((await response.json()).error.message, /text\/event-stream/);
});
