/**
 * Reaches one server in three ways and takes the same tour on each: `deno task demo`.
 *
 * Ends with status 0 when all three transcripts are the same, line by line.
 */
// deno-lint-ignore-file no-console -- the transcript is what this program is for
import { type Client, connect, type InputHandlers } from "@causeway/mcp/client";
import server from "./packages.ts";
import { tour } from "./demo/tour.ts";
import { paint, table, type Transcript, transcript } from "./demo/transcript.ts";

/** Milliseconds after which something must have gone wrong. */
const PATIENCE = 30_000;

console.log(paint("bold", "One server, three ways to reach it"));
const watchdog = setTimeout(giveUp, PATIENCE);
const transcripts = [await overHttp(), await overStdio(), await inProcess()];
clearTimeout(watchdog);
conclude(transcripts);

async function overHttp(): Promise<Transcript> {
  const listening = Promise.withResolvers<Deno.NetAddr>();
  const http = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: listening.resolve }, server.fetch);
  const url = `http://127.0.0.1:${(await listening.promise).port}/mcp`;
  const record = transcript("HTTP", url);
  await visit(record, () => connect<typeof server>(url, { inputs: inputs(record) }));
  await http.shutdown();
  return record;
}

async function overStdio(): Promise<Transcript> {
  const program = new URL("./stdio_server.ts", import.meta.url).href;
  const command = {
    command: Deno.execPath(),
    args: ["run", "--quiet", "--allow-read", "--allow-env", program],
    inheritEnv: ["XDG_CACHE_HOME"], // where the cache may be
  };
  const record = transcript("stdio", "deno run examples/stdio_server.ts");
  await visit(record, () => connect<typeof server>(command, { inputs: inputs(record) }));
  return record;
}

async function inProcess(): Promise<Transcript> {
  const record = transcript("in process", "no bytes, no JSON text");
  await visit(record, () => connect(server, { inputs: inputs(record) }));
  return record;
}

async function visit(record: Transcript, open: () => Promise<Client<typeof server>>): Promise<void> {
  await using client = await record.ask("connect", "connect", open, ({ server: { info, protocolVersion } }) => {
    return `${info?.name} ${info?.version}, protocol ${protocolVersion}`;
  });
  await tour(client, record);
}

/** Answers for the person in front of the terminal. */
function inputs(record: Transcript): InputHandlers {
  return {
    form({ message }) {
      record.say(`the server asks: ${message} We agree.`);
      return { action: "accept", content: { agreed: true } };
    },
  };
}

function conclude(transcripts: readonly Transcript[]): void {
  console.log(`\n${table(transcripts)}\n`);
  const [first, ...others] = transcripts.map(({ lines }) => lines.join("\n"));
  if (others.every((lines) => lines === first)) {
    console.log(paint("green", "All three transcripts are the same, line by line."));
    return;
  }
  console.error("The transcripts differ.");
  Deno.exitCode = 1;
}

function giveUp(): void {
  console.error(`The demo took more than ${PATIENCE} ms.`);
  Deno.exit(1);
}
