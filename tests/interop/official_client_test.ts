/** The official client against this package's server, over HTTP and stdio, in each of the ways in which it negotiates. */
import assert from "node:assert/strict";
import { causewayServer } from "./peers/causeway_server.ts";
import { peerCommand, runClient, type Seen } from "./peers/children.ts";

/** What one whole run of the official client showed. */
interface Run {
  readonly seen: ReadonlyMap<string, Seen>;
  readonly stderr: string;
  readonly code: number;
  readonly cancelled: number;
}

/** How the official client is told to negotiate. */
type Mode = "pin" | "auto" | "legacy";

const WAYS: readonly (readonly [transport: "HTTP" | "stdio", mode: Mode])[] = [
  ["HTTP", "pin"],
  ["stdio", "pin"],
  ["HTTP", "auto"],
  ["stdio", "auto"],
  ["HTTP", "legacy"],
  ["stdio", "legacy"],
];

for (const [transport, mode] of WAYS) {
  const carrier = `${transport}, ${mode}`;
  const legacy = mode === "legacy";
  // One run serves all tests of a way; whichever test comes first makes it.
  let run: Promise<Run> | undefined;
  const result = (): Promise<Run> => run ??= transport === "HTTP" ? overHttp(mode) : overStdio(mode);

  Deno.test(`Server is discovered by the official client over ${carrier} (M-DISC-001, M-DISC-003, M-DISC-004, M-DISC-006)`, async () => {
    const { seen } = await result();
    const { era, version, capabilities, instructions } = value(seen, "connect");
    assert.equal(era, legacy ? "legacy" : "modern");
    assert.deepEqual(version, { name: "causeway", version: "1.2.3", title: "Causeway peer" });
    assert.equal(instructions, "Ask anything.");
    assert.deepEqual(Object.keys(capabilities).sort(), ["completions", "logging", "prompts", "resources", "tools"]);
    assert.equal(capabilities.resources.subscribe, true);
  });

  Deno.test(`Server lists and calls tools for the official client over ${carrier} (M-TOOL-006, M-TOOL-015, M-TOOL-034)`, async () => {
    const { seen } = await result();
    const tools = value(seen, "tools") as { name: string; inputSchema: { type: string; required?: string[] } }[];
    assert.deepEqual(tools.map(({ name }) => name), ["echo", "sum", "fail", "steps", "touch", "confirm", "wait"]);
    assert.ok(tools.every(({ inputSchema }) => inputSchema.type === "object"));
    assert.deepEqual(tools[0]?.inputSchema.required, ["text"]);
    assert.deepEqual(value(seen, "echo").content, [{ type: "text", text: "grüße 🌍" }]);
  });

  Deno.test(`Server gives structured content to the official client over ${carrier} (M-TOOL-037, M-TOOL-038)`, async () => {
    const { content, structuredContent } = value((await result()).seen, "sum");
    assert.deepEqual(structuredContent, { total: 6.5 });
    assert.deepEqual(content, [{ type: "text", text: '{"total":6.5}' }]);
  });

  Deno.test(`Server reports failures to the official client over ${carrier} (M-TOOL-040, M-TOOL-042, M-TOOL-043)`, async () => {
    const { seen } = await result();
    assert.equal(value(seen, "fail").isError, true);
    assert.deepEqual(value(seen, "fail").content, [{ type: "text", text: "it did not work" }]);
    assert.equal(value(seen, "wrong").isError, true);
    assert.match(value(seen, "wrong").content[0].text, /text/);
    assert.equal(seen.get("unknown")?.error?.kind, "ProtocolError");
    assert.equal(seen.get("unknown")?.error?.code, -32602);
  });

  Deno.test(`Server sends progress and logs to the official client over ${carrier} (M-PROG-004, M-PROG-005, M-LOG-006)`, async () => {
    const { seen, logs, content } = value((await result()).seen, "progress");
    const all = [1, 2, 3].map((progress) => ({ progress, total: 3, message: `step ${progress}` }));
    // The official client drops progress that it reads from stdio in one piece with the result, all of it perhaps.
    assert.deepEqual(seen, transport === "stdio" ? all.slice(0, seen.length) : all);
    assert.deepEqual(logs.map(({ level, data }: { level: string; data: unknown }) => ({ level, data })), [
      { level: "info", data: { finished: 3 } },
    ]);
    assert.deepEqual(content, [{ type: "text", text: "3 steps" }]);
  });

  Deno.test(`Server offers resources to the official client over ${carrier} (M-RES-003, M-RES-017, M-RES-027, M-RES-029)`, async () => {
    const { seen } = await result();
    assert.deepEqual(value(seen, "resources").map(({ uri }: { uri: string }) => uri), ["config://app"]);
    assert.deepEqual(value(seen, "templates").map(({ uriTemplate }: { uriTemplate: string }) => uriTemplate), [
      "users://{userId}/profile",
    ]);
    assert.deepEqual(value(seen, "read").contents, [{
      uri: "config://app",
      mimeType: "application/json",
      text: '{"theme":"dark"}',
    }]);
    assert.deepEqual(value(seen, "readTemplate").contents, [
      { uri: "users://17/profile", mimeType: "text/plain", text: "profile of 17" },
    ]);
    // In an older revision the server says -32002, which the official client turns into the newer code.
    assert.equal(seen.get("readUnknown")?.error?.code, -32602);
  });

  Deno.test(`Server offers prompts and completion to the official client over ${carrier} (M-PROMPT-002, M-COMP-002)`, async () => {
    const { seen } = await result();
    assert.deepEqual(value(seen, "prompts").map(({ name }: { name: string }) => name), ["review"]);
    assert.deepEqual(
      value(seen, "prompts")[0].arguments.map((argument: { name: string; required?: boolean }) => [
        argument.name,
        argument.required === true,
      ]),
      [["language", true], ["focus", false]],
    );
    assert.deepEqual(value(seen, "prompt").messages, [
      { role: "user", content: { type: "text", text: "Review this rust for style." } },
    ]);
    assert.deepEqual(value(seen, "completePrompt").completion.values, ["typescript"]);
    assert.deepEqual(value(seen, "completeTemplate").completion.values, ["17", "18"]);
  });

  Deno.test(`Context asks the official client in two rounds over ${carrier} (M-MRTR-002, M-MRTR-003, M-MRTR-020)`, async () => {
    const { seen } = await result();
    const form = seen.get("elicitation")?.params as {
      message: string;
      requestedSchema: { properties: object; required: string[] };
    };
    assert.equal(form.message, "Really deploy?");
    assert.deepEqual(form.requestedSchema.properties, { confirm: { type: "boolean" } });
    assert.deepEqual(form.requestedSchema.required, ["confirm"]);
    assert.equal((seen.get("sampling")?.params as { maxTokens: number }).maxTokens, 10);
    const answers = JSON.parse(value(seen, "confirm").content[0].text);
    assert.deepEqual(answers.sampled.content, { type: "text", text: "Ada" });
    assert.deepEqual(answers.roots, [{ uri: "file:///work", name: "work" }]);
  });

  Deno.test(`Server stops a call that the official client cancels over ${carrier} (M-CANC-015)`, async () => {
    const { seen, cancelled, stderr } = await result();
    assert.equal(seen.get("cancel")?.error?.code, "REQUEST_TIMEOUT");
    assert.equal(cancelled, 1, stderr);
  });

  Deno.test(`Server tells the official client of changes over ${carrier} (M-SUB-006, M-TOOL-013, M-RES-012)`, async () => {
    const { honored, seen, closed } = value((await result()).seen, "listen");
    assert.deepEqual(seen, [{ changed: "tools" }, { updated: "config://app" }]);
    if (legacy) return;
    assert.deepEqual(honored, { toolsListChanged: true, resourceSubscriptions: ["config://app"] });
    assert.equal(closed, "local");
  });

  Deno.test(`Server is left by the official client in order over ${carrier}`, async () => {
    const { seen, code, stderr } = await result();
    assert.deepEqual(seen.get("close"), { step: "close" });
    assert.equal(code, 0, stderr);
  });
}

async function overHttp(mode: Mode): Promise<Run> {
  let cancelled = 0;
  const server = causewayServer(() => void cancelled++);
  const http = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, server.fetch);
  try {
    const run = await runClient(peerCommand("official_client.ts", mode, `http://127.0.0.1:${http.addr.port}/mcp`));
    return { ...run, cancelled };
  } finally {
    await server.close();
    await http.shutdown();
  }
}

async function overStdio(mode: Mode): Promise<Run> {
  const { command, args } = peerCommand("causeway_server_stdio.ts");
  const run = await runClient(peerCommand("official_client.ts", mode, command, ...args));
  return { ...run, cancelled: run.stderr.split("wait was cancelled").length - 1 };
}

/** The value of a step that went well. Loosely typed: it comes as JSON and is looked at in many ways. */
// deno-lint-ignore no-explicit-any -- assertions on JSON of many shapes; a wrong shape fails the test
function value(seen: ReadonlyMap<string, Seen>, step: string): any {
  const found = seen.get(step);
  assert.ok(found !== undefined && found.error === undefined, `${step}: ${JSON.stringify(found)}`);
  return found.value;
}
