/** Tests of `server/server.ts`. */
import assert from "node:assert/strict";
import { prompt } from "../../server/components/prompt.ts";
import { resource } from "../../server/components/resource.ts";
import { tool } from "../../server/components/tool.ts";
import { defineServer } from "../../server/server.ts";
import { inputRequired } from "../../server/input/ask.ts";
import { errorOf, request, resultOf, serverOf, textOf, toolCall } from "./calls.ts";

const NAMED = { name: "test", version: "1.0.0" };

/** What a definition is refused with. */
function fault(options: object): string {
  try {
    defineServer({ ...NAMED, ...options } as never);
  } catch (error) {
    assert.ok(error instanceof TypeError, String(error));
    return error.message;
  }
  throw new Error(`Expected a refusal of ${Object.keys(options)}`);
}

Deno.test("defineServer names the path and the rule of a faulty option", () => {
  assert.equal(fault({ authorization: {} }), "authorization: Unknown option, perhaps auth");
  assert.match(fault({ auth: {} }), /^auth: Expected an object with authenticate and of/);
  for (const key of ["name", "version"]) {
    for (const value of ["", 7, undefined]) assert.equal(fault({ [key]: value }), `${key}: Expected a non-empty string`);
  }
  for (const key of ["title", "description", "websiteUrl", "instructions", "path"]) {
    assert.equal(fault({ [key]: 7 }), `${key}: Expected a string`);
  }
  assert.match(fault({ icons: [{ src: "a" }] }), /^server\.icons\[0\]\.src: /);
  assert.match(fault({ cache: { tool: {} } }), /^cache\.tool: Unknown option, perhaps tools/);
  assert.match(fault({ cache: { tools: { ttlMs: -1 } } }), /^cache\.tools\.ttlMs: /);
  for (const pageSize of [0, 1.5, "2"]) assert.equal(fault({ pageSize }), "pageSize: Expected a positive integer");
  assert.match(fault({ versions: [] }), /^versions: /);
  assert.match(fault({ versions: ["2020-01-01"] }), /^versions: /);
  assert.match(fault({ hosts: ["a b"] }), /^hosts\[0\]: /);
  assert.match(fault({ origins: ["*"] }), /^origins\[0\]: /);
  assert.match(fault({ limits: { handler: 1 } }), /^limits\.handler: Unknown limit/);
  assert.match(fault({ limits: "huge" }), /^limits\.preset: /);
  assert.match(fault({ stateKeys: ["short"] }), /^stateKeys\[0\]: /);
  assert.match(fault({ tools: [{}] }), /^tools\[0\]: /);
});

Deno.test("defineServer refuses a reporter, a bus and a validator that are none", () => {
  assert.equal(fault({ onError: "log" }), "onError: Expected a function");
  assert.match(fault({ bus: {} }), /^bus: Expected /);
  assert.match(fault({ validator: {} }), /^validator: Expected /);
});

Deno.test("defineServer refuses a path that no request can have", () => {
  for (const path of ["mcp", "", "/mcp?x", "/mcp#x"]) assert.match(fault({ path }), /^path: Expected /, path);
});

Deno.test("defineServer gives a value that nobody can change, with fetch as its own property", () => {
  const server = defineServer({ ...NAMED, title: "T", websiteUrl: "https://example.com" });
  assert.ok(Object.isFrozen(server));
  assert.equal(Object.getOwnPropertyDescriptor(server, "fetch")?.value, server.fetch);
  assert.deepEqual({ ...server.info }, { ...NAMED, title: "T", websiteUrl: "https://example.com" });
  assert.ok(Object.isFrozen(server.info));
});

Deno.test("with gives another server of the same components, and checks its options", async () => {
  const server = serverOf({ tools: [tool({ name: "t", handler: () => "ran" })] }, { instructions: "one" });
  const other = server.with({ instructions: "two", version: "2.0.0" });
  const instructions = async (of: typeof server) => (await resultOf(of, request("server/discover"))).instructions;
  assert.deepEqual([await instructions(server), await instructions(other)], ["one", "two"]);
  assert.deepEqual([server.info.version, other.info.version], ["1.0.0", "2.0.0"]);
  assert.equal(textOf(await resultOf(other, toolCall("t"))), "ran");
  assert.throws(() => server.with({ pageSize: 0 }), /^TypeError: pageSize: /);
  await server.close();
  assert.equal(textOf(await resultOf(other, toolCall("t"))), "ran");
});

Deno.test("onError gets what is masked, under the id that the caller was told; its own faults change nothing", async () => {
  const fails = tool({
    name: "t",
    handler: () => {
      throw new Error("boom");
    },
  });
  const reports: unknown[] = [];
  const server = serverOf({ tools: [fails] }, { onError: (error, details) => reports.push([String(error), details]) });
  const { data } = await errorOf(server, toolCall("t"));
  assert.deepEqual(reports, [["Error: boom", { id: data?.errorId, method: "tools/call", name: "t" }]]);
  const faulty = server.with({
    onError: () => {
      throw new Error("reporter");
    },
  });
  assert.equal((await errorOf(faulty, toolCall("t"))).message, "Internal error");
  assert.equal((await errorOf(server.with({ onError: undefined }), toolCall("t"))).message, "Internal error");
});

Deno.test("onError may be asynchronous: what it rejects with goes nowhere", async () => {
  const fails = tool({
    name: "t",
    handler: () => {
      throw new Error("boom");
    },
  });
  const unhandled: unknown[] = [];
  const listener = (event: PromiseRejectionEvent): void => {
    event.preventDefault();
    unhandled.push(event.reason);
  };
  globalThis.addEventListener("unhandledrejection", listener);
  try {
    const server = serverOf({ tools: [fails] }, { onError: () => Promise.reject(new Error("reporter")) as unknown as void });
    assert.equal((await errorOf(server, toolCall("t"))).message, "Internal error");
    await new Promise((resolve) => setTimeout(resolve, 0));
    assert.deepEqual(unhandled, []);
  } finally {
    globalThis.removeEventListener("unhandledrejection", listener);
  }
});

Deno.test("a state that only this process can open is reported once", async () => {
  const reports: string[] = [];
  const names: unknown[] = [];
  const stacks: string[] = [];
  const server = serverOf({ tools: [tool({ name: "t", handler: () => inputRequired({}, { state: 1 }) })] }, {
    onError: (error, { name }) => {
      reports.push(String(error));
      names.push(name);
      stacks.push((error as Error).stack ?? "");
    },
  });
  for (let round = 0; round < 2; round++) await resultOf(server, toolCall("t"));
  assert.equal(reports.length, 1);
  assert.match(reports[0] ?? "", /^Warning: stateKeys: No key is set.*; give defineServer stateKeys/);
  assert.deepEqual(names, ["t"]);
  assert.doesNotMatch(stacks[0] ?? "", /\n/);
});

Deno.test("onError is told what a request names: a tool, a prompt, a resource, what is completed, and nothing else", async () => {
  const names: unknown[] = [];
  const boom = (): never => {
    throw new Error("boom");
  };
  const server = serverOf({
    tools: [tool({ name: "t", handler: boom })],
    prompts: [prompt({ name: "p", arguments: { a: {} }, complete: { a: boom }, render: boom })],
    resources: [resource({ uri: "x:{v}", name: "r", read: boom })],
  }, {
    onError: (_error, { method, name }) => names.push([method, name]),
    use: [(call, next) => call.method === "tools/list" ? boom() : next()],
  });
  const ref = { type: "ref/prompt", name: "p" };
  for (
    const message of [
      toolCall("t"),
      request("prompts/get", { name: "p" }),
      request("resources/read", { uri: `x:${"long".repeat(1000)}` }),
      request("completion/complete", { ref, argument: { name: "a", value: "" } }),
      request("tools/list"),
    ]
  ) await errorOf(server, message);
  const [read] = names.splice(2, 1) as [[string, string]];
  assert.ok(read[1].startsWith("x:longlong") && read[1].length < 300);
  assert.deepEqual(names, [["tools/call", "t"], ["prompts/get", "p"], ["completion/complete", "p"], ["tools/list", undefined]]);
});

Deno.test("two servers share nothing: what one has in flight does not count for the other", async () => {
  const one = serverOf({ tools: [tool({ name: "t", handler: () => "one" })] }, { limits: { handlers: 1 } });
  const two = serverOf({ tools: [tool({ name: "t", handler: () => "two" })] }, { limits: { handlers: 1 } });
  const texts = await Promise.all([one, two].map(async (server) => textOf(await resultOf(server, toolCall("t")))));
  assert.deepEqual(texts, ["one", "two"]);
});
