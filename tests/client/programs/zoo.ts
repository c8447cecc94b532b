/** A server of revision 2025-11-25 over stdio that meets `server/discover` in the way its argument names. */
const way = Deno.args[0] ?? "";
const lines = Deno.stdin.readable.pipeThrough(new TextDecoderStream());

type Message = { readonly id?: unknown; readonly method?: string; readonly params?: { readonly protocolVersion?: string } };

function write(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
}

function answer(id: unknown, body: object): void {
  write(JSON.stringify({ jsonrpc: "2.0", id, ...body }));
}

const state: { probe: unknown; dead: boolean } = { probe: undefined, dead: false };

function meetProbe(id: unknown): void {
  state.probe = id;
  if (/^-\d+$/.test(way)) return answer(id, { error: { code: Number(way), message: "no" } });
  switch (way) {
    case "no id":
      return answer(null, { error: { code: -32600, message: "Invalid Request" } });
    case "other shape":
      return answer(id, { result: { tools: [] } });
    case "no result":
      return answer(id, { result: 5 });
    case "garbage":
      write("Traceback (most recent call last):");
      state.dead = true;
      return;
    case "exit":
      return Deno.exit(3);
    case "error and exit":
      answer(id, { error: { code: -32600, message: "expected initialize" } });
      return Deno.exit(3);
  }
}

function take(line: string): void {
  const { id, method, params } = JSON.parse(line) as Message;
  Deno.stderr.writeSync(new TextEncoder().encode(`${method}\n`));
  if (state.dead) return;
  if (method === "server/discover") return meetProbe(id);
  if (method === "initialize") {
    if (way === "late") answer(state.probe, { error: { code: -32601, message: "late" } });
    answer(id, {
      result: {
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "zoo", version: String(Deno.pid) },
      },
    });
  }
  if (method === "tools/call") answer(id, { result: { content: [{ type: "text", text: "fed" }] } });
}

if (way === "banner") write("Zoo 1.0 is open");
let rest = "";
for await (const chunk of lines) {
  const parts = (rest + chunk).split("\n");
  rest = parts.pop() ?? "";
  parts.forEach(take);
}
