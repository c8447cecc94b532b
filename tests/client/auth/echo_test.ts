/** Errors of MCP servers that repeat the credentials of their caller: no error, log or event has them. */
import assert from "node:assert/strict";
import { connect } from "../../../client/mod.ts";
import type { Client, HttpConnectOptions, JsonObject } from "../../../client/mod.ts";
import type { AuthProvider } from "../../../client/auth/mod.ts";
import { assertSilent, connected, echoing, everywhere, fits, refusal, SHAPES, URL } from "./echoing.ts";
import type { Answer, Asked, Heard } from "./echoing.ts";
import { assertNoSecret, MARK, shownOf } from "./shown_of.ts";

/** Every kind of request. */
const REQUESTS:
  readonly (readonly [method: string, run: (client: Client) => Promise<unknown>, only?: "stateless" | "handshake"])[] = [
    ["tools/call", (client) => client.callTool("x")],
    ["tools/call", (client) => (client.tools as Record<string, () => Promise<unknown>>).x?.() ?? Promise.resolve()],
    ["tools/list", (client) => client.listTools()],
    ["resources/list", (client) => client.listPage("resources")],
    ["resources/read", (client) => client.readResource("a:b")],
    ["prompts/get", (client) => client.getPrompt("x")],
    ["completion/complete", (client) => client.complete({ prompt: "x" }, { name: "a", value: "" })],
    ["server/discover", (client) => client.discover(), "stateless"],
    ["subscriptions/listen", (client) => client.listen({ toolsListChanged: true }), "stateless"],
    ["ping", (client) => client.ping(), "handshake"],
    ["logging/setLevel", (client) => client.request("logging/setLevel", { level: "info" }), "handshake"],
    ["resources/subscribe", (client) => client.watch({ resourceSubscriptions: ["a:b"] }).open(), "handshake"],
    ["x/own", (client) => client.request("x/own")],
  ];

Deno.test("a server's error that repeats credentials tells none, whatever was asked, with whatever status (M-AUTH-114)", async (t) => {
  await everywhere(t, async (version, carrier, shape) => {
    for (const [method, run, only] of REQUESTS) {
      if (!fits(version, only)) continue;
      for (
        const [status, code] of [[200, -32000], [200, -32020], [200, -32022], [200, -32602], [400, -32602], [
          500,
          -32603,
        ]] as const
      ) {
        const heard: Heard = { told: [], seen: [] };
        let open = false;
        const answer: Answer = (asked) => open && asked.method === method ? shape([refusal(asked, code)], status) : undefined;
        const client = await connected(version, carrier, answer, heard);
        open = true;
        await assertSilent(run(client), heard, true);
        open = false;
        await client.close();
      }
    }
  });
});

Deno.test("a challenge that repeats credentials, earlier ones too, tells none (M-AUTH-114)", async (t) => {
  await everywhere(t, async (version, carrier) => {
    for (const status of [401, 403]) {
      const heard: Heard = { told: [], seen: [] };
      const answer: Answer = ({ method, said }) => {
        if (method !== "tools/call") return undefined;
        const challenge = `Bearer error="invalid_token", scope="${said}", error_description="${
          said.split(" ").reverse().join(" ")
        }"`;
        return new Response(said, { status, headers: { "www-authenticate": challenge } });
      };
      const client = await connected(version, carrier, answer, heard);
      await client.listTools();
      await assertSilent(client.callTool("x"), heard, true);
      await client.close();
    }
  });
});

Deno.test("a connection that fails with an error that repeats credentials tells none (M-AUTH-114)", async (t) => {
  await everywhere(t, async (version, carrier, shape) => {
    for (const protocol of [undefined, version]) {
      for (const code of [-32000, -32022, -32602]) {
        const heard: Heard = { told: [], seen: [] };
        const versions = ({ said }: Asked): JsonObject => ({ supported: [said, said.split(" ")[0] ?? ""], [said]: said });
        const answer: Answer = (asked) => {
          if (asked.method !== "initialize" && asked.method !== "server/discover") return undefined;
          return shape([
            { jsonrpc: "2.0", id: asked.id, error: { code, message: asked.said, data: versions(asked) } } as JsonObject,
          ]);
        };
        const options: HttpConnectOptions = {
          ...carrier,
          ...(protocol === undefined ? {} : { protocol: protocol === "2026-07-28" ? [protocol, "2025-11-25"] : protocol }),
          fetch: echoing(version, answer),
          onError: (error) => void heard.told.push(error),
        };
        await assertSilent(connect(URL, options), heard, true);
      }
    }
  });
});

Deno.test("the end of a change stream, and a notification that is refused, tell no credentials (M-AUTH-114)", async (t) => {
  await everywhere(t, async (version, carrier) => {
    const heard: Heard = { told: [], seen: [] };
    const answer: Answer = (asked) => {
      if (asked.method === "x/notice") return Response.json(refusal({ id: 1, said: asked.said }), { status: 400 });
      if (asked.method !== "subscriptions/listen") return undefined;
      const meta = { "io.modelcontextprotocol/subscriptionId": asked.id };
      const begun = { notifications: { toolsListChanged: true }, _meta: meta };
      return SHAPES[1]?.[1]([
        { jsonrpc: "2.0", method: "notifications/subscriptions/acknowledged", params: begun } as JsonObject,
        refusal(asked),
      ]);
    };
    const client = await connected(version, carrier, answer, heard);
    await assertSilent(client.notify("x/notice"), heard, true);
    if (version === "2026-07-28") {
      const events: unknown[] = [];
      const subscription = await client.listen({ toolsListChanged: true });
      for await (const event of subscription) events.push(event);
      const reason = await subscription.closed;
      assert.ok(reason.by === "fault");
      assertNoSecret(reason.error);
      assert.match(shownOf(reason.error), /\*\*\*/);
      assert.doesNotMatch(Deno.inspect(events, { depth: 20, showHidden: true }), MARK);
    }
    await client.close();
  });
});

Deno.test("the end of a watch, whose stream nobody gives credentials for, tells none (M-AUTH-114)", async () => {
  for (const version of ["2025-11-25", "2025-06-18"] as const) {
    const token = "secret-watching+token/1==";
    const credentials: AuthProvider["credentials"] = ({ method }) => {
      if (method === "GET") throw new Error(`No token after ${token}`);
      return token;
    };
    const auth: AuthProvider = { credentials, challenged: () => false };
    const client = await connect(URL, { auth, protocol: version, fetch: echoing(version, () => undefined) });
    const watch = client.watch({ toolsListChanged: true });
    await watch.open().catch(() => undefined);
    const reason = await watch.closed;
    assert.ok(reason.by === "fault");
    assertNoSecret(reason.error);
    assert.match(shownOf(reason.error), /No token after \*\*\*/);
    await client.close();
  }
});

Deno.test("what a question leads to tells no credentials, but keeps the question as it came (M-AUTH-114)", async (t) => {
  await everywhere(t, async (version, carrier, shape) => {
    const heard: Heard = { told: [], seen: [] };
    const answer: Answer = (asked) => {
      if (asked.method !== "tools/call") return undefined;
      const question = {
        method: "elicitation/create",
        params: { message: "?", requestedSchema: { type: "object", properties: {} } },
      };
      if (version === "2026-07-28") {
        const result = { resultType: "input_required", inputRequests: { a: question }, requestState: asked.said };
        return shape([{ jsonrpc: "2.0", id: asked.id, result } as JsonObject]);
      }
      return SHAPES[1]?.[1]([{ jsonrpc: "2.0", id: 1, ...question } as JsonObject, refusal(asked)]);
    };
    const client = await connected(version, carrier, answer, heard);
    await assert.rejects(client.callTool("x"), (error) => {
      assert.ok(error instanceof Error && "requestState" in error);
      assert.equal(error.name, "InputRequiredError");
      assert.doesNotMatch(error.message + error.stack, MARK);
      if (version === "2026-07-28") assert.match(String(error.requestState), MARK, "it goes back byte for byte");
      else assertNoSecret(error);
      return true;
    });
    for (const error of heard.told) assertNoSecret(error);
    await client.close();
  });
});

Deno.test("a token of its own for each of many calls at once is in none of their errors (M-AUTH-114)", async () => {
  let count = 0;
  let last = new Promise((resolve) => setTimeout(resolve, 100));
  const heard: Heard = { told: [], seen: [] };
  const client = await connect(URL, {
    auth: () => `secret-call+token/${++count}==`,
    protocol: "2026-07-28",
    onError: (error) => void heard.told.push(error),
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const said = request.headers.get("authorization") ?? "";
      const { id, params } = JSON.parse(await request.text());
      // Answers come one by one when all have been asked, and some are no messages.
      const before = last;
      last = before.then(() => new Promise((resolve) => setTimeout(resolve, 1)));
      await before;
      return params.name === "x" ? Response.json(refusal({ id, said })) : new Response(said, { status: 500 });
    },
  });
  const calls = Array.from({ length: 100 }, (_, at) => assertSilent(client.callTool(at % 2 === 0 ? "x" : "y"), heard, true));
  await Promise.all(calls);
  await client.close();
});

Deno.test("what an address holds beside its path is in no error, however a server writes it (M-AUTH-114)", async () => {
  const token = "secret-address/token+1==";
  const pair = `key=${token}`;
  for (const url of [`${URL}?a=b&${pair}`, `${URL}?key=${encodeURIComponent(token)}`]) {
    for (const said of [token, encodeURIComponent(token), url, JSON.stringify(url).replaceAll("/", "\\/")]) {
      const heard: Heard = { told: [], seen: [] };
      const fetch = echoing("2026-07-28", (asked) => {
        if (asked.method === "tools/call") return Response.json(refusal({ id: asked.id, said }));
        return asked.method === "prompts/get" ? new Response(said, { status: 404 }) : undefined;
      });
      const client = await connect(url, { protocol: "2026-07-28", fetch, onError: (error) => void heard.told.push(error) });
      await assertSilent(client.callTool("x"), heard, true);
      await assertSilent(client.getPrompt("x"), heard, true);
      await client.close();
    }
  }
});
