/** The server of the matrix of revisions; as a program it serves the revisions of its arguments over stdin and stdout. */
import { defineServer, type ProtocolVersion, type Server, tool } from "@causeway/mcp/server";
import { serveStdio } from "@causeway/mcp/stdio";

/** One tool that answers, and one that asks a person in the middle of its work. */
export function matrixServer(versions: readonly ProtocolVersion[], sessions = false): Server {
  return defineServer({
    name: "matrix",
    version: "1.0.0",
    versions,
    sessions,
    tools: [
      tool({ name: "echo", args: { text: { type: "string", required: true } }, handler: ({ text }) => text }),
      tool({
        name: "greet",
        async handler(_args, ctx) {
          const answer = await ctx.elicit("What is your name?", { name: { type: "string", required: true } });
          return answer.action === "accept" ? `Hello, ${answer.content.name}!` : answer.action;
        },
      }),
    ],
  });
}

if (import.meta.main) await serveStdio(matrixServer(Deno.args as ProtocolVersion[]));
