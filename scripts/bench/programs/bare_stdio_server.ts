/** The bare end of a pipe: parses each line and answers the same JSON as a server of this package, without any check. */

const serverInfo = { name: "bench", version: "1.0.0" };

interface Echo {
  readonly id: number;
  readonly params: { readonly arguments: { readonly text: string } };
}

const encoder = new TextEncoder();
let rest = "";
for await (const piece of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
  rest += piece;
  for (let end = rest.indexOf("\n"); end >= 0; end = rest.indexOf("\n")) {
    const { id, params } = JSON.parse(rest.slice(0, end)) as Echo;
    rest = rest.slice(end + 1);
    const result = {
      resultType: "complete",
      content: [{ type: "text", text: params.arguments.text }],
      _meta: { "io.modelcontextprotocol/serverInfo": serverInfo },
    };
    Deno.stdout.writeSync(encoder.encode(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`));
  }
}
