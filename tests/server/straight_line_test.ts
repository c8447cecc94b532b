/** Tests of questions in a straight line, with the client of this package: in process and over HTTP. */
import assert from "node:assert/strict";
import { connect } from "../../client/mod.ts";
import type { Client } from "../../client/mod.ts";
import type { Context } from "../../protocol/context.ts";
import type { Server } from "../../server/server_types.ts";
import { everywhere } from "./asking.ts";
import { textOf } from "./calls.ts";

/** What the client's handlers were asked, in order. */
const asked: string[] = [];

const INPUTS = {
  form: ({ message }: { readonly message: string }) => {
    asked.push(message);
    return message === "No?" ? { action: "decline" as const } : { action: "accept" as const, content: { n: asked.length } };
  },
  url: ({ url }: { readonly url: string }) => {
    asked.push(url);
    return { action: "accept" as const };
  },
  sampling: () => ({ role: "assistant" as const, model: "m", content: { type: "text" as const, text: "said" } }),
  roots: [{ uri: "file:///home" }],
};

async function everything(ctx: Context): Promise<string> {
  const made = await ctx.once("made", () => "made");
  const first = await ctx.elicit("First?", { n: { type: "integer", required: true } });
  const [visit, no] = await Promise.all([ctx.elicit("Visit", new URL("https://example.com/in")), ctx.elicit("No?", {})]);
  const { model } = await ctx.sample("Say");
  const roots = await ctx.roots();
  return [made, first.action === "accept" && first.content.n, visit.action, no.action, model, roots[0]?.uri].join(" ");
}

const EXPECTED = /made 1 accept decline m file:\/\/\/home/;

async function useAll(client: Client): Promise<void> {
  const answers = [
    () => client.callTool("x").then((result) => textOf(result as never)),
    () => client.getPrompt("x"),
    () => client.readResource("x://x"),
  ];
  for (const answer of answers) {
    asked.length = 0;
    assert.match(JSON.stringify(await answer()), EXPECTED);
    assert.deepEqual(asked.toSorted(), ["First?", "No?", "https://example.com/in"]);
  }
}

for (const protocol of ["2026-07-28", "2025-11-25"] as const) {
  Deno.test(`one line asks in tools, prompts and resources, in process in ${protocol} (M-MRTR-003, M-MRTR-020, L-BASE-003)`, async () => {
    const client = await connect(everywhere(everything), { inputs: INPUTS, protocol });
    try {
      assert.equal(client.server.protocolVersion, protocol);
      await useAll(client as Client);
    } finally {
      await client.close();
    }
  });
}

Deno.test("one line asks in tools, prompts and resources, over HTTP and on two servers in turn (M-MRTR-003, M-MRTR-020)", async () => {
  const servers = [everywhere(everything), everywhere(everything)];
  let turn = 0;
  const http = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => undefined },
    (request) => (servers[turn++ % 2] as Server).fetch(request),
  );
  const client = await connect(`http://127.0.0.1:${http.addr.port}/mcp`, { inputs: INPUTS });
  try {
    await useAll(client as Client);
    assert.ok(turn > 10);
  } finally {
    await client.close();
    await http.shutdown();
  }
});
