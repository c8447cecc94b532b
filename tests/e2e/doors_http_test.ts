/** Tests of HTTP as a server speaks it, with and without sessions. */
import assert from "node:assert/strict";
import type { Server } from "../../server/server_types.ts";
import { tool } from "../../server/components/tool.ts";
import { gate, serverOf } from "../server/calls.ts";
import { until } from "../until.ts";
import { atEach, DOORS, HTTP_DOORS } from "./doors.ts";
import type { Came, Extra } from "./doors.ts";

const make = (ran: string[] = []): Server =>
  serverOf({
    tools: [tool({
      name: "echo",
      args: { text: { type: "string" } },
      handler: ({ text = "" }) => {
        ran.push(text);
        return text;
      },
    })],
  }, { sessions: true });

/** What a request with these headers comes to. */
interface Row {
  readonly headers: Extra;
  readonly status: number;
}

/** Each row must come to its status, run the tool only when that is 200, and leave the next request served. */
function rows(name: string, table: readonly Row[]): void {
  Deno.test(name, async (t) => {
    const ran: string[] = [];
    await atEach(t, HTTP_DOORS, () => make(ran), async (entry) => {
      for (const { headers, status } of table) {
        ran.length = 0;
        const came = await entry.call("tools/call", { name: "echo", arguments: { text: "x" } }, "own", headers);
        const shown = JSON.stringify(headers);
        assert.equal(came.status, status, shown);
        assert.equal(ran.length, status === 200 ? 1 : 0, shown);
        if (status === 200) assert.equal(came.response.result.content[0].text, "x", shown);
        else assert.equal(typeof came.response.error.message, "string", shown);
        assert.equal((await entry.call("tools/call", { name: "echo" })).status, 200);
      }
    });
  });
}

rows("the media type of a request is compared as a type (B019)", [
  { headers: { "content-type": "application/json; charset=utf-8" }, status: 200 },
  { headers: { "content-type": "Application/JSON" }, status: 200 },
  { headers: { "content-type": 'application/json ; profile="a;b"' }, status: 200 },
  { headers: { "content-type": "application/jsonp" }, status: 415 },
  { headers: { "content-type": "text/plain; x=application/json" }, status: 415 },
  { headers: { "content-type": "text/plain" }, status: 415 },
]);

Deno.test("a body without a media type is refused, and no tool runs (B019)", async (t) => {
  const ran: string[] = [];
  await atEach(t, HTTP_DOORS, () => make(ran), async (entry) => {
    // A text would bring a media type of its own.
    const bytes = new TextEncoder().encode(entry.text("tools/call", { name: "echo" }));
    const { status, response } = await entry.send(bytes, { "content-type": undefined });
    assert.deepEqual([status, response.error.code, ran], [415, -32600, []]);
    assert.match(response.error.message, /Content-Type must be application\/json/);
    assert.equal((await entry.send(bytes)).status, 200);
    ran.length = 0;
  });
});

rows("Accept is read with its wildcards and weights (B026)", [
  { headers: { accept: "*/*" }, status: 200 },
  { headers: { accept: "application/*, text/*;q=0.5" }, status: 200 },
  { headers: { accept: "APPLICATION/JSON,text/event-stream" }, status: 200 },
  { headers: { accept: undefined }, status: 200 },
  { headers: { accept: "application/json;q=0, text/event-stream" }, status: 406 },
  { headers: { accept: "application/json-seq, text/event-stream-x" }, status: 406 },
  { headers: { accept: "text/html" }, status: 406 },
]);

rows("callers on loopback are served on every port, foreign and degenerate origins are not (B030)", [
  { headers: {}, status: 200 },
  { headers: { origin: "http://localhost:5173" }, status: 200 },
  { headers: { origin: "http://127.0.0.1" }, status: 200 },
  { headers: { origin: "http://[::1]:5173" }, status: 200 },
  { headers: { origin: "HTTP://LOCALHOST:3000" }, status: 200 },
  { headers: { origin: "null" }, status: 403 },
  { headers: { origin: "http://" }, status: 403 },
  { headers: { origin: "file://" }, status: 403 },
  { headers: { origin: "https://evil.example" }, status: 403 },
  { headers: { origin: "http://localhost.evil.example" }, status: 403 },
]);

Deno.test("foreign origins are refused by every method of a session, and end none (B030, B023)", async (t) => {
  await atEach(t, HTTP_DOORS.filter(({ session }) => session), make, async (entry) => {
    for (const method of ["GET", "DELETE"]) {
      const response = await entry.fetch?.({ method }, { origin: "https://evil.example", accept: "text/event-stream" });
      assert.equal(response?.status, 403, method);
      await response?.body?.cancel();
    }
    assert.equal((await entry.call("tools/list")).status, 200);
    const ended = await entry.fetch?.({ method: "DELETE" });
    assert.ok(ended?.ok);
    await ended?.body?.cancel();
    assert.equal((await entry.call("tools/list")).status, 404);
    assert.equal((await entry.call("tools/list", {}, 1, { "mcp-session-id": "nope" })).status, 404);
    assert.equal((await entry.call("tools/list", {}, 1, { "mcp-session-id": undefined })).status, 400);
  });
});

Deno.test("the version header is checked against the session, or the body, before anything runs (B078)", async (t) => {
  const ran: string[] = [];
  await atEach(t, HTTP_DOORS, () => make(ran), async (entry, { version, session }) => {
    const params = { name: "echo" };
    ran.length = 0;
    for (const header of ["1999-01-01", "abc", "2031-01-01", `${version}, ${version}`]) {
      const { status, response } = await entry.call("tools/call", params, 1, { "mcp-protocol-version": header });
      assert.equal(status, 400, header);
      assert.equal(typeof response.error.code, "number");
    }
    for (const other of HTTP_DOORS.map((one) => one.version).filter((one) => one !== version)) {
      assert.equal((await entry.call("tools/call", params, 1, { "mcp-protocol-version": other })).status, 400, other);
    }
    assert.deepEqual(ran, []);
    const absent = await entry.call("tools/call", params, 1, { "mcp-protocol-version": undefined });
    assert.equal(absent.status, session ? 200 : 400);
  });
});

Deno.test("two callers with the same id get each their own answer, as JSON and as events (B027)", async (t) => {
  for (const { name, open } of HTTP_DOORS) {
    for (const events of [false, true]) {
      await t.step(`${name}, as ${events ? "events" : "JSON"}`, async () => {
        const gates = new Map<string, ReturnType<typeof gate>>();
        const server = serverOf({
          tools: [tool({
            name: "wait",
            args: { text: { type: "string", required: true } },
            async handler({ text }, ctx) {
              if (events) await ctx.progress(1);
              const own = gate();
              gates.set(text, own);
              await own.passed;
              return text;
            },
          })],
        }, { sessions: true });
        const entries = [await open(server), await open(server)];
        const meta = events ? { _meta: { progressToken: 1 } } : {};
        const [first, second] = entries.map((entry, at) =>
          entry.call("tools/call", { name: "wait", arguments: { text: `caller ${at}` }, ...meta }, 1)
        );
        await until(() => gates.size === 2);
        gates.get("caller 1")?.open();
        assert.equal((await second)?.response.result.content[0].text, "caller 1");
        gates.get("caller 0")?.open();
        const came = await first;
        assert.equal(came?.response.result.content[0].text, "caller 0");
        assert.equal(came?.messages.length, events ? 2 : 1);
        for (const entry of entries) await entry.close();
      });
    }
  }
});

Deno.test("a caller that leaves in the middle of an answer, or of its body, costs nobody else anything (B029)", async (t) => {
  for (const { version, session, ...door } of HTTP_DOORS) {
    await t.step(door.name, async () => {
      const seen = { aborted: false, ended: false };
      const release = gate();
      const server = serverOf({
        tools: [
          tool({
            name: "slow",
            async handler(_args, ctx) {
              ctx.signal.addEventListener("abort", () => seen.aborted = true);
              await ctx.progress(1);
              await release.passed;
              for (const step of [2, 3]) await ctx.progress(step);
              ctx.log("info", "late");
              seen.ended = true;
              return "done";
            },
          }),
          tool({ name: "quick", handler: () => "quick" }),
        ],
      }, { sessions: true });
      const entry = await door.open(server);
      const leave = new AbortController();
      const body = entry.text("tools/call", { name: "slow", _meta: { progressToken: "p" } });
      const headers = {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...session ? {} : { "mcp-method": "tools/call", "mcp-name": "slow" },
      };
      const response = await entry.fetch?.({ method: "POST", body, signal: leave.signal }, headers);
      await response?.body?.getReader().read();
      leave.abort();
      // A stateless call is cancelled by leaving it, one in a session goes on.
      if (session) assert.equal((await entry.call("tools/call", { name: "quick" }, 2)).status, 200);
      else await until(() => seen.aborted);
      release.open();
      await until(() => seen.ended);
      assert.equal(seen.aborted, !session, version);

      const half = new AbortController();
      const never = new ReadableStream<Uint8Array>({ start: (own) => own.enqueue(new TextEncoder().encode('{"jsonrpc"')) });
      const sending = entry.fetch?.({ method: "POST", body: never, signal: half.signal }, headers);
      half.abort();
      await assert.rejects(sending as Promise<unknown>);
      assert.equal((await entry.call("tools/call", { name: "quick" }, 3)).status, 200);
      await entry.close();
    });
  }
});

Deno.test("a cancelled call gets no further message, and cancellations that fit nothing are ignored (B074, B034)", async (t) => {
  for (const { http, session, ...door } of DOORS) {
    await t.step(door.name, async () => {
      const calls: string[] = [];
      const server = serverOf({
        tools: [
          tool({
            name: "slow",
            async handler(_args, ctx) {
              calls.push("began");
              await new Promise<void>((resolve) => ctx.signal.addEventListener("abort", () => resolve()));
              calls.push("aborted");
              await ctx.progress(2);
              ctx.log("error", "late");
              return "late";
            },
          }),
          tool({ name: "quick", handler: () => "quick" }),
        ],
      }, { sessions: true });
      const entry = await door.open(server);
      for (const params of [{ requestId: 77 }, {}, { requestId: null }, { requestId: "hello" }]) {
        await entry.notify("notifications/cancelled", params);
      }
      for (const id of [5, 0, ""]) {
        if (http && !session) continue;
        calls.length = 0;
        const params = { name: "slow", _meta: { progressToken: id } };
        const quick = (): Promise<unknown> => entry.call("tools/call", { name: "quick" }, "next");
        let answer: Promise<unknown> | undefined;
        if (http) answer = entry.call("tools/call", params, id).catch(() => undefined);
        else answer = entry.send(`${entry.text("tools/call", params, id)}\n${entry.text("tools/list", {}, "listed")}`);
        await until(() => calls.includes("began"));
        for (let twice = 0; twice < 2; twice++) await entry.notify("notifications/cancelled", { requestId: id });
        await until(() => calls.includes("aborted"));
        const came = await answer as Came | undefined;
        // An HTTP request has to come to an end, which is no result.
        if (http) {
          assert.ok(came === undefined || (came.status === 499 && came.messages.every((one) => "error" in one)), String(id));
        } else assert.deepEqual(came?.messages.map((message) => message.id), ["listed"], String(id));
        await quick();
        // The id is free again.
        assert.equal((await entry.call("tools/call", { name: "quick" }, id)).response.id, id);
      }
      assert.deepEqual(await entry.close(), []);
    });
  }
});
