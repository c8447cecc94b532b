/** Runs the first example of README from the installed package. */

import { readFile } from "node:fs/promises";
import { ROOT } from "../command.ts";
import type { Consumer } from "./consumer.ts";
import { installTools, nodeProgram } from "./tools.ts";

/** Serves what the example of a server exports, and calls it. */
const AROUND = `
import assert from "node:assert/strict";
import { connect } from "@causeway/mcp/client";
import { serveNode } from "@causeway/mcp/node";
const { default: server } = await import(process.argv[2]);
const running = await serveNode(server, { port: 0 });
const client = await connect(new URL("mcp", running.url));
assert.equal(await client.tools.greet({ name: "Ada", loud: true }), "HELLO, ADA!");
await client.close();
await running.close();
`;

/**
 * What goes wrong with the first two snippets of README, a server and a client: as JavaScript just as they stand, and
 * compiled from TypeScript.
 */
export async function readmeFaults(consumer: Consumer): Promise<string[]> {
  const readme = await readFile(`${ROOT}/README.md`, "utf8");
  const snippets = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text]) => text ?? "");
  const [server, client] = snippets;
  if (server === undefined || client === undefined) return ["README has no two snippets"];
  await consumer.write("around.mjs", AROUND);
  for (const [name, text] of [["readme_server", server], ["readme_client", client]] as const) {
    await consumer.write(`${name}_plain.mjs`, text);
    await consumer.write(`${name}.ts`, text);
  }
  const node = await nodeProgram("node20");
  const tools = await installTools("checks");
  await consumer.add(await installTools("types20"));
  const compiled = await consumer.run([
    ...[node, `${tools}/typescript5/bin/tsc`, "--strict", "--target", "es2022", "--lib", "es2023", "--module", "nodenext"],
    ...["--types", "node", "--skipLibCheck", "false", "readme_server.ts", "readme_client.ts"],
  ]);
  const faults = compiled.code === 0 ? [] : [compiled.output];
  const programs = [
    ["around.mjs", "./readme_server_plain.mjs"],
    ["around.mjs", "./readme_server.js"],
    ["readme_client_plain.mjs"],
    ["readme_client.js"],
  ];
  for (const program of programs) {
    const { code, output } = await consumer.run([node, ...program]);
    if (code !== 0) faults.push(`${program.join(" ")}: ${output}`);
  }
  return faults;
}
