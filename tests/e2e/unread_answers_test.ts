/** Tests of answers to questions of a server that are no responses: whoever asked is told at once, over every carrier. */
import assert from "node:assert/strict";
import { serveChannel } from "../../transports/serve_channel.ts";
import type { JsonRpcMessage } from "../../protocol/types.ts";
import type { Server } from "../../server/server_types.ts";
import { tool } from "../../server/components/tool.ts";
import { serverOf } from "../server/calls.ts";
import { HANDSHAKE_VERSIONS, helloOf } from "../server/handshake_client.ts";
import { pipeTo } from "../server/pipe.ts";
import { channelPair } from "../testing/carriers.ts";
import { call, eventsOf } from "../transports/session_site.ts";
import type { Json } from "./doors.ts";

/** What stands behind the id of the question. */
const BROKEN = [
  '"result":null',
  '"result":5',
  '"result":[]',
  '"result":{"action":"accept","content":{"name":"a"}},"error":{"code":1,"message":"m"}',
  '"error":null',
  '"error":{"code":"1","message":"m"}',
  `"result":${'{"a":'.repeat(100)}1${"}".repeat(100)}`,
] as const;

/** A client that shook hands: sends texts, and reads messages one by one. */
interface Speaker {
  send(text: string): Promise<void>;
  next(): Promise<Json>;
  close(): Promise<void>;
}

function make(): Server {
  return serverOf({
    tools: [
      tool({
        name: "ask",
        handler: async (_args, ctx) => JSON.stringify(await ctx.elicit("Name?", { name: { type: "string", required: true } })),
      }),
    ],
  }, { sessions: true, onError: () => undefined, limits: { answerTimeout: 3000 } });
}

/** Lines over a pipe. */
function overPipe(): Speaker {
  const server = make();
  const pipe = pipeTo(server);
  return {
    send: (text) => pipe.write(`${text}\n`),
    next: () => pipe.next(),
    async close() {
      await pipe.end();
      await server.close();
    },
  };
}

/** Messages as values. */
function overChannel(): Speaker {
  const server = make();
  const { near, far } = channelPair();
  const served = serveChannel(server, far);
  const writer = near.writable.getWriter();
  const reader = near.readable.getReader();
  return {
    send: (text) => writer.write(JSON.parse(text) as JsonRpcMessage),
    next: async () => (await reader.read()).value,
    async close() {
      await writer.close().catch(() => undefined);
      await served;
      await server.close();
    },
  };
}

/** POSTs in a session; what comes is read from the stream of the first request that has one. */
function overHttp(): Speaker {
  const server = make();
  const http = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => undefined }, server.fetch);
  const headers: Record<string, string> = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const came: Json[] = [];
  let stream: ReturnType<typeof eventsOf> | undefined;
  return {
    async send(text) {
      const response = await fetch(`http://127.0.0.1:${http.addr.port}/mcp`, { method: "POST", headers, body: text });
      const session = response.headers.get("mcp-session-id");
      if (session !== null) headers["mcp-session-id"] = session;
      if (response.headers.get("content-type") === "text/event-stream") stream = eventsOf(response);
      else {
        const body = await response.text();
        if (body !== "" && response.ok) came.push(JSON.parse(body));
        // Whoever posts what is no message is told so, without the id that is the server's own.
        else if (!response.ok) assert.deepEqual([response.status, "id" in JSON.parse(body)], [400, false]);
      }
    },
    async next() {
      if (came.length > 0) return came.shift();
      for (let event = await stream?.next(); event !== undefined; event = await stream?.next()) {
        if (event.message !== undefined) return event.message;
      }
    },
    async close() {
      await server.close();
      await http.shutdown();
    },
  };
}

for (const version of HANDSHAKE_VERSIONS) {
  for (const [over, open] of Object.entries({ pipe: overPipe, channel: overChannel, HTTP: overHttp })) {
    Deno.test(`${version} over ${over}: an answer that is no response ends the question at once, and the next call is served (B002, B065)`, async () => {
      const speaker = open();
      try {
        await speaker.send(JSON.stringify(call("initialize", helloOf(version, { elicitation: {} }), "hello")));
        assert.equal((await speaker.next()).result.protocolVersion, version);
        await speaker.send('{"jsonrpc":"2.0","method":"notifications/initialized"}');
        for (const [at, broken] of BROKEN.entries()) {
          // Values that come by a channel are not measured; what is too deep is read, and fits no question.
          await speaker.send(JSON.stringify(call("tools/call", { name: "ask" }, `call ${at}`)));
          const question = await speaker.next();
          assert.equal(question.method, "elicitation/create");
          await speaker.send(`{"jsonrpc":"2.0","id":${JSON.stringify(question.id)},${broken}}`);
          const { id, error } = await speaker.next();
          assert.deepEqual([id, error.code, error.data], [`call ${at}`, -32603, { reason: "invalid_answer" }], broken);
          assert.match(error.message, /^Asking the client: its answer /);
        }
        await speaker.send(JSON.stringify(call("tools/call", { name: "ask" }, "last")));
        const { id } = await speaker.next();
        const result = { action: "accept", content: { name: "Ada" } };
        await speaker.send(JSON.stringify({ jsonrpc: "2.0", id, result }));
        assert.match((await speaker.next()).result.content[0].text, /Ada/);
      } finally {
        await speaker.close();
      }
    });
  }
}
