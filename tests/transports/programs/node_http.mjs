/** Runs under Node: serves from the bundle and asks as hard clients do; prints a line of JSON for each case. */
import assert from "node:assert/strict";
import { createServer, get, request as ask } from "node:http";
import { connect as dial } from "node:net";
import process from "node:process";

const { connect, defineServer, serveNode, toNodeHandler, tool } = await import(process.argv[2]);

const events = [];
const waiting = [];

/** Notes an event; whoever waits for it goes on. */
function say(event) {
  events.push(event);
  for (const look of [...waiting]) look();
}

/** Resolves once an event has been noted, and takes it off the list. */
function heard(event) {
  return new Promise((resolve) => {
    const look = () => {
      const at = events.indexOf(event);
      if (at < 0) return;
      events.splice(at, 1);
      const mine = waiting.indexOf(look);
      if (mine >= 0) waiting.splice(mine, 1);
      resolve();
    };
    waiting.push(look);
    look();
  });
}

const mcp = defineServer({
  name: "node",
  version: "1.0.0",
  tools: [
    tool({ name: "echo", args: { text: { type: "string", required: true } }, handler: ({ text }) => text }),
    tool({ name: "who", handler: (_args, ctx) => ctx.auth?.principal ?? "nobody" }),
    tool({
      name: "steps",
      async handler(_args, ctx) {
        for (let step = 1; step <= 3; step++) await ctx.progress(step, 3);
        return "three steps";
      },
    }),
    tool({
      name: "hang",
      handler: (_args, { signal }) =>
        new Promise((_resolve, reject) => {
          say("hanging");
          signal.addEventListener("abort", () => {
            say("cancelled");
            reject(signal.reason);
          });
        }),
    }),
  ],
  onError: () => undefined,
});

let flooded = 0;
const EVENTS = { headers: { "content-type": "text/event-stream" } };

/** Answers that no server of ours gives, beside one that is. */
const site = {
  fetch(request) {
    const { pathname } = new URL(request.url);
    const asked = () => request.signal.addEventListener("abort", () => say("aborted"));
    switch (pathname) {
      case "/silent":
        asked();
        return new Response(new ReadableStream({ cancel: () => say("silence cancelled") }), EVENTS);
      case "/flood": {
        flooded = 0;
        const pull = (controller) => {
          flooded++;
          controller.enqueue(new Uint8Array(65_536));
        };
        return new Response(new ReadableStream({ pull, cancel: () => say("flood cancelled") }), EVENTS);
      }
      case "/broken": {
        let first = true;
        const pull = (controller) => {
          if (!first) return heard("break").then(() => controller.error(new Error("broken")));
          first = false;
          controller.enqueue(new TextEncoder().encode("one\n"));
        };
        return new Response(new ReadableStream({ pull }));
      }
      case "/throw":
        throw new Error("thrown");
      case "/never":
        asked();
        say("asked");
        return new Promise(() => undefined);
      case "/slow":
        say("asked");
        return heard("go on").then(() => new Response("slow but there"));
      case "/url":
        return new Response(request.url);
      case "/body":
        return request.text().then((text) => new Response(text));
      default:
        return mcp.fetch(request);
    }
  },
};

/** Calls `use` with the URL of a listening server, then closes it. */
async function served(server, use) {
  const running = await serveNode(server, { port: 0 });
  try {
    return await use(running.url, running);
  } finally {
    await running.close();
  }
}

function headOf(url, options = {}) {
  return new Promise((resolve, reject) => get(url, options, resolve).on("error", reject));
}

function listening(handler) {
  return new Promise((resolve) => {
    const server = createServer(handler);
    server.listen(0, "127.0.0.1", () => resolve(server));
  });
}

/** Sends one call and hangs up when `event` was noted. */
async function hangUp(url, name, event) {
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: {
      name,
      arguments: {},
      _meta: {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    },
  });
  const headers = {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/call",
    "mcp-name": name,
  };
  const sent = ask(url, { method: "POST", headers });
  sent.on("error", () => undefined);
  sent.end(body);
  await heard(event);
  sent.destroy();
}

const cases = {
  "calls and streams reach a client over serveNode": () =>
    served(mcp, async (url) => {
      const client = await connect(new URL("mcp", url));
      assert.equal(await client.tools.echo({ text: "é🦊" }), "é🦊");
      const steps = [];
      const result = await client.callTool("steps", {}, { onProgress: ({ progress }) => steps.push(progress) });
      assert.equal(result.content[0].text, "three steps");
      assert.deepEqual(steps, [1, 2, 3]);
      await client.close();
    }),
  "toNodeHandler serves inside node:http": async () => {
    const server = await listening(toNodeHandler(mcp));
    const client = await connect(`http://127.0.0.1:${server.address().port}/mcp`);
    assert.equal(await client.tools.echo({ text: "inside" }), "inside");
    await client.close();
    server.close();
    server.closeAllConnections();
  },
  "the caller is the one whom the application has verified; a wrong one is status 500, and none asks the server": async () => {
    const users = { ada: { principal: "ada", scopes: [] }, odd: { principal: "" } };
    const auth = async ({ user }) => await users[user];
    const refusing = {
      authenticate: () => Promise.resolve(new Response("refused", { status: 401 })),
      of: (ctx) => ctx.auth,
    };
    for (const [own, anonymous] of [[mcp, "nobody"], [mcp.with({ auth: refusing }), 401]]) {
      const handler = toNodeHandler(own, { auth });
      const server = await listening((request, response) => {
        request.user = request.headers["x-user"];
        handler(request, response);
      });
      const url = `http://127.0.0.1:${server.address().port}/mcp`;
      const asked = async (user) => {
        const client = await connect(url, { protocol: "2026-07-28", headers: user === undefined ? {} : { "x-user": user } });
        const answer = await client.tools.who({}).catch((error) => error.status ?? error.data?.status ?? error);
        await client.close();
        return answer;
      };
      assert.equal(await asked("ada"), "ada");
      assert.equal(await asked(undefined), anonymous);
      assert.equal(await asked("odd"), 500);
      server.close();
      server.closeAllConnections();
    }
  },
  "a client that hangs up cancels its call": () =>
    served(mcp, async (url) => {
      await hangUp(new URL("mcp", url), "hang", "hanging");
      await heard("cancelled");
    }),
  "a client that hangs up before the answer aborts the request": () =>
    served(site, async (url) => {
      const sent = get(new URL("never", url)).on("error", () => undefined);
      await heard("asked");
      sent.destroy();
      await heard("aborted");
    }),
  "a stream begins with its headers, before anything is in it, and ends when its reader goes": () =>
    served(site, async (url) => {
      const response = await headOf(new URL("silent", url));
      assert.equal(response.statusCode, 200);
      assert.equal(response.headers["content-type"], "text/event-stream");
      response.destroy();
      await heard("silence cancelled");
      await heard("aborted");
    }),
  "a reader that takes nothing holds the stream up": () =>
    served(site, async (url) => {
      const socket = dial(Number(url.port), url.hostname);
      socket.pause();
      socket.write("GET /flood HTTP/1.1\r\nhost: localhost\r\n\r\n");
      let before = -1;
      // Everything between takes what it can, then nothing more is made.
      while (flooded === 0 || before !== flooded) {
        before = flooded;
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
      assert.ok(flooded < 1000, `${flooded} chunks`);
      socket.destroy();
      await heard("flood cancelled");
    }),
  "a stream that breaks closes its connection, and the server goes on": () =>
    served(site, async (url) => {
      const response = await headOf(new URL("broken", url));
      const end = await new Promise((resolve) => {
        response.on("error", (error) => resolve(error.code));
        response.on("end", () => resolve("ended well"));
        response.once("data", () => say("break"));
      });
      assert.equal(end, "ECONNRESET");
      assert.equal((await headOf(new URL("url", url))).resume().statusCode, 200);
    }),
  "what a fetch handler throws is status 500 and a warning of Node": () =>
    served(site, async (url) => {
      const warned = new Promise((resolve) => process.once("warning", resolve));
      const response = await headOf(new URL("throw", url));
      response.resume();
      assert.equal(response.statusCode, 500);
      assert.equal((await warned).message, "thrown");
    }),
  "the URL is the one that the client asked for, whatever a router cut off": async () => {
    const handler = toNodeHandler(site);
    const server = await listening((request, response) => {
      request.originalUrl = request.url;
      request.url = "/";
      handler(request, response);
    });
    const { port } = server.address();
    const response = await headOf(`http://127.0.0.1:${port}/url?q=1`);
    let text = "";
    for await (const chunk of response.setEncoding("utf8")) text += chunk;
    assert.equal(text, `http://127.0.0.1:${port}/url?q=1`);
    server.close();
    server.closeAllConnections();
  },
  "the host that counts is that of a target in absolute form, whatever the Host header says": async () => {
    const handler = toNodeHandler(mcp);
    const mounted = (request, response) => {
      request.originalUrl = request.url;
      request.url = "/";
      handler(request, response);
    };
    for (const own of [handler, mounted]) {
      const server = await listening(own);
      const asked = (path, host) =>
        new Promise((resolve, reject) => {
          const headers = host === undefined ? {} : { host };
          const sent = ask({ host: "127.0.0.1", port: server.address().port, path, headers, setHost: false });
          sent.on("response", (response) => resolve(response.resume().statusCode)).on("error", reject).end();
        });
      // 405 is the answer to a GET that was let in.
      for (
        const [path, host, status] of [
          ["/mcp", "localhost", 405],
          ["/mcp", "localhost:", 405],
          ["/mcp", "evil.example", 403],
          ["//evil.example/mcp", "localhost", 405],
          ["http://evil.example/mcp", "localhost", 403],
          ["HTTPS://evil.example:443/mcp", "localhost", 403],
          ["http://evil.example", "localhost", 403],
          ["http://localhost@evil.example/mcp", "localhost", 400],
          ["http://localhost/mcp", "evil.example", 405],
          ["http://127.0.0.1:80/mcp?x", "localhost", 405],
          // Node itself refuses these.
          ["/mcp", undefined, 400],
          ["http://localhost/mcp", undefined, 400],
        ]
      ) assert.equal(await asked(path, host), status, `${path} ${host}`);
      server.close();
      server.closeAllConnections();
    }
  },
  "a body that was parsed before is taken as parsed": async () => {
    const handler = toNodeHandler(site);
    const server = await listening(async (request, response) => {
      let text = "";
      for await (const chunk of request.setEncoding("utf8")) text += chunk;
      request.body = JSON.parse(text);
      handler(request, response);
    });
    const answer = await fetch(`http://127.0.0.1:${server.address().port}/body`, { method: "POST", body: '{ "a": "é" }' });
    assert.equal(await answer.text(), '{"a":"é"}');
    server.close();
    server.closeAllConnections();
  },
  "closing waits for what is being answered, then breaks it off": async () => {
    const running = await serveNode(site, { port: 0 });
    const slow = fetch(new URL("slow", running.url)).then((response) => response.text());
    await heard("asked");
    const closing = running.close({ drain: 60_000 });
    say("go on");
    assert.equal(await slow, "slow but there");
    await closing;
    await running.finished;
    const other = await serveNode(site, { port: 0 });
    const open = await headOf(new URL("silent", other.url));
    open.on("error", () => undefined);
    await other.close();
    await heard("silence cancelled");
    await heard("aborted");
  },
  "its signal closes it": async () => {
    const controller = new AbortController();
    const running = await serveNode(site, { port: 0, signal: controller.signal });
    controller.abort();
    await running.finished;
    await assert.rejects(serveNode(site, { port: 0, signal: controller.signal }), { name: "AbortError" });
  },
  "a port in use is said so": () =>
    served(site, async (_url, { port }) => {
      const expected = { reason: "unreachable", message: `Listening on 127.0.0.1:${port}: the port is in use` };
      await assert.rejects(serveNode(site, { port }), expected);
    }),
};

for (const [name, run] of Object.entries(cases)) {
  let late;
  const patience = new Promise((_resolve, reject) => late = setTimeout(() => reject(new Error("takes too long")), 15_000));
  try {
    await Promise.race([run(), patience]);
    process.stdout.write(`${JSON.stringify({ name })}\n`);
  } catch (error) {
    process.stdout.write(`${JSON.stringify({ name, error: error.stack ?? String(error) })}\n`);
  }
  clearTimeout(late);
}
process.stdout.write(`${JSON.stringify({ name: "nothing is left to hear", error: events.join(", ") || undefined })}\n`);
// What a failed case has left open would keep the program.
process.exit();
