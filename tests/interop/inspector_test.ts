/** The inspector's command line against this package's server, over HTTP and stdio, with and without a handshake. */
import assert from "node:assert/strict";
import { causewayServer } from "./peers/causeway_server.ts";
import { peerCommand, runPeer } from "./peers/children.ts";

/** Milliseconds, the fetching included. */
const PATIENCE = 240_000;

const NAMES = ["echo", "sum", "fail", "steps", "touch", "confirm", "wait"];

/** What is asked, and what must be printed. Loosely typed: it comes as JSON of many shapes. */
// deno-lint-ignore no-explicit-any -- a wrong shape fails the test
const CALLS: readonly (readonly [args: readonly string[], check: (printed: any) => void])[] = [
  [["--method", "tools/list"], ({ tools }) => assert.deepEqual(tools.map(({ name }: Named) => name), NAMES)],
  [
    ["--method", "tools/call", "--tool-name", "sum", "--tool-arg", "numbers=[1,2,3.5]"],
    ({ structuredContent }) => assert.deepEqual(structuredContent, { total: 6.5 }),
  ],
  [["--method", "resources/list"], ({ resources }) => assert.deepEqual(resources.map(({ uri }: Named) => uri), ["config://app"])],
  [
    ["--method", "resources/templates/list"],
    ({ resourceTemplates }) => assert.equal(resourceTemplates[0].uriTemplate, "users://{userId}/profile"),
  ],
  [
    ["--method", "resources/read", "--uri", "users://17/profile"],
    ({ contents }) => assert.equal(contents[0].text, "profile of 17"),
  ],
  [["--method", "prompts/list"], ({ prompts }) => assert.deepEqual(prompts.map(({ name }: Named) => name), ["review"])],
  [
    ["--method", "prompts/get", "--prompt-name", "review", "--prompt-args", "language=rust"],
    ({ messages }) => assert.equal(messages[0].content.text, "Review this rust for style."),
  ],
];

interface Named {
  readonly name: string;
  readonly uri: string;
}

// Over HTTP in another era its own HTTP client waits for ever on Deno, for any server: it needs Node there.
Deno.test("Server is read and called by the inspector over HTTP, legacy", async () => {
  const server = causewayServer(() => {});
  const http = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, server.fetch);
  try {
    await askAll("legacy", [`http://127.0.0.1:${http.addr.port}/mcp`]);
  } finally {
    await server.close();
    await http.shutdown();
  }
});

for (const era of ["legacy", "auto", "modern"]) {
  Deno.test(`Server is read and called by the inspector over stdio, ${era}`, async () => {
    const { command, args } = peerCommand("causeway_server_stdio.ts");
    await askAll(era, [command, ...args]);
  });
}

/** Everything in the era that the inspector takes when it is told nothing; the list and a call in the others. */
async function askAll(era: string, target: readonly string[]): Promise<void> {
  const queue = [...era === "legacy" ? CALLS : CALLS.slice(0, 2)];
  const take = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [args, check] = next;
      check(await inspect([...args, "--protocol-era", era, "--", ...target]));
    }
  };
  await Promise.all([take(), take()]);
}

/** Runs the inspector once; the first time on a machine it is fetched. */
async function inspect(args: readonly string[]): Promise<unknown> {
  const config = new URL("peers/inspector.jsonc", import.meta.url).pathname;
  const { imports } = JSON.parse((await Deno.readTextFile(config)).replace(/^\s*\/\/.*$/gm, "")) as {
    readonly imports: { readonly [name: string]: string };
  };
  const program = imports["@modelcontextprotocol/inspector"] ?? "";
  const flags = ["run", "-A", "--quiet", "--frozen", "--config", config];
  const command = { command: Deno.execPath(), args: [...flags, program, "--cli", ...args] };
  const { code, stdout, stderr } = await runPeer(command, PATIENCE);
  assert.equal(code, 0, `${args.join(" ")}: ${stdout}${stderr}`);
  return JSON.parse(stdout);
}
