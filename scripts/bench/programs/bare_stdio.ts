/** Two bare ends of a pipe: what a round trip between two Deno processes costs. */
import { echoRequest } from "../request.ts";
import { serveRounds } from "./rounds.ts";

const program = new URL("./bare_stdio_server.ts", import.meta.url).pathname;
const args = ["run", "-A", "--cached-only", program];
const child = new Deno.Command(Deno.execPath(), { args, stdin: "piped", stdout: "piped", stderr: "inherit" }).spawn();
const writer = child.stdin.getWriter();
const reader = child.stdout.getReader();
const { body, check } = echoRequest();
const encoder = new TextEncoder();
const decoder = new TextDecoder();

await serveRounds(async () => {
  // Written out anew each time, as a client does.
  await writer.write(encoder.encode(`${JSON.stringify(JSON.parse(body))}\n`));
  // One answer is on its way at a time, and it is shorter than a pipe's buffer: it comes in one piece.
  const { value } = await reader.read();
  const fault = check(JSON.parse(decoder.decode(value)));
  if (fault !== undefined) throw new Error(fault);
});
await writer.close();
await child.status;
await reader.cancel();
