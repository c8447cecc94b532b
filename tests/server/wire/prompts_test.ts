/** Tests of the wire: prompts, completion and pages (areas PROMPT, COMP and PAGE). */
import assert from "node:assert/strict";
import { assistant, audio, defineServer, embed, image, prompt, resource, user } from "../../../server/mod.ts";
import type { Server } from "../../../server/mod.ts";
import { call, metaWith, refused } from "../wire.ts";
import type { Json, Reply } from "../wire.ts";

function serverWith(...prompts: Json[]): Server {
  return defineServer({ name: "prompts", version: "1", prompts }) as Server;
}

const make = (more: Json): Json => prompt({ name: "p", render: () => "x", ...more });
const rendering = (value: unknown): Server => serverWith(make({ render: () => value }));
const get = (server: Server, name: unknown, args?: Json): Promise<Reply> =>
  call(server, "prompts/get", { name, arguments: args });
const messages = async (value: unknown): Promise<Json> => (await get(rendering(value), "p")).result.messages;

Deno.test("server.fetch() lists the prompts that are there now for the caller (M-PROMPT-002)", async () => {
  const server = serverWith(make({}), make({ name: "hidden", visible: ({ meta }: Json) => meta["com.example/admin"] === true }));
  const names = async (meta: Json): Promise<string[]> =>
    (await call(server, "prompts/list", {}, meta)).result.prompts.map(({ name }: Json) => name);
  assert.deepEqual(await names(metaWith()), ["p"]);
  assert.deepEqual(await names(metaWith({ "com.example/admin": true })), ["p", "hidden"]);
  refused(await get(server, "hidden"), -32602, 200);
});

Deno.test("server.fetch() answers unknown prompts with -32602, names of built-ins included (B038)", async () => {
  for (const name of ["nope", "__proto__", "constructor", "toString"]) {
    refused(await get(serverWith(make({})), name), -32602, 200);
  }
});

Deno.test("server.fetch() encodes the bytes of images and sounds as Base64 and says their type (M-PROMPT-009, M-PROMPT-010, M-PROMPT-011, M-PROMPT-012)", async () => {
  const bytes = new Uint8Array([0, 255, 16, 128]);
  assert.deepEqual(await messages([user(image(bytes, "image/png")), assistant(audio(bytes, "audio/wav"))]), [
    { role: "user", content: { type: "image", data: "AP8QgA==", mimeType: "image/png" } },
    { role: "assistant", content: { type: "audio", data: "AP8QgA==", mimeType: "audio/wav" } },
  ]);
});

Deno.test("server.fetch() refuses images and sounds without a MIME type (M-PROMPT-010, M-PROMPT-012)", async () => {
  for (const type of ["image", "audio"]) {
    for (const mimeType of [undefined, null, 7]) {
      refused(await get(rendering(user({ type, data: "AA==", mimeType } as Json)), "p"), -32603, 200);
    }
  }
});

Deno.test("server.fetch() embeds resources with URI, MIME type, and text or a blob (M-PROMPT-014, M-PROMPT-015, M-PROMPT-016)", async () => {
  const [text, blob, typed] = await messages([
    user(embed("file:///a", "x")),
    user(embed("file:///b", new Uint8Array([255]))),
    user(embed("file:///c", "{}", { mimeType: "application/json" })),
  ]);
  assert.deepEqual(text.content.resource, { uri: "file:///a", mimeType: "text/plain", text: "x" });
  assert.deepEqual(blob.content.resource, { uri: "file:///b", mimeType: "application/octet-stream", blob: "/w==" });
  assert.equal(typed.content.resource.mimeType, "application/json");
});

Deno.test("server.fetch() refuses embedded resources without a URI (M-PROMPT-014)", async () => {
  for (const uri of [undefined, null, 7]) {
    refused(await get(rendering(user({ type: "resource", resource: { uri, text: "x" } } as Json)), "p"), -32603, 200);
  }
});

Deno.test("server.fetch() refuses embedded resources with neither text nor blob (M-PROMPT-016)", async () => {
  for (const resource of [{ uri: "a:b" }, { uri: "a:b", text: 7 }, { uri: "a:b", blob: [1] }]) {
    refused(await get(rendering(user({ type: "resource", resource } as Json)), "p"), -32603, 200);
  }
});

Deno.test("server.fetch() refuses roles other than user and assistant", async () => {
  for (const role of ["system", "tool", undefined, ""]) {
    refused(await get(rendering({ role, content: { type: "text", text: "x" } }), "p"), -32603, 200);
  }
});

Deno.test("server.fetch() refuses prompt arguments that are no text, and never renders (M-PROMPT-024)", async () => {
  let ran = 0;
  const server = serverWith(make({ arguments: { a: { required: true }, b: {} }, render: () => String(++ran) }));
  for (const args of [{ a: 1 }, { a: null }, { a: true }, { a: {} }, { a: ["x"] }, { a: "x", b: 1 }, [], "a", 7]) {
    refused(await get(server, "p", args), -32602, 200);
  }
  assert.equal(ran, 0);
  assert.equal((await get(server, "p", { a: "" })).result.messages[0].content.text, "1");
});

Deno.test("server.fetch() refuses prompt arguments that are missing or unknown", async () => {
  const server = serverWith(make({ arguments: { a: { required: true } } }));
  for (const args of [undefined, {}, { A: "x" }, { a: "x", b: "y" }, JSON.parse('{"a":"x","__proto__":"y"}')]) {
    refused(await get(server, "p", args), -32602, 200);
  }
});

Deno.test("server.fetch() hides what a prompt threw", async () => {
  const server = serverWith(make({
    render: () => {
      throw new Error("secret");
    },
  }));
  const reply = await get(server, "p");
  refused(reply, -32603, 200);
  assert.equal(reply.text.includes("secret"), false);
});

function completing(complete: (prefix: string, others: Json) => Json): Server {
  return defineServer({
    name: "completing",
    version: "1",
    prompts: [make({ arguments: { a: {}, b: {} }, complete: { a: complete } })],
    resources: [resource({ uri: "x://{id}/{constructor}", name: "x", complete: { id: complete } as Json, read: () => "x" })],
  }) as Server;
}

const complete = (
  server: Server,
  argument: Json,
  ref: Json = { type: "ref/prompt", name: "p" },
  more: Json = {},
): Promise<Reply> => call(server, "completion/complete", { ref, argument, ...more });

Deno.test("server.fetch() completes arguments and variables with what was typed and chosen before", async () => {
  const seen: Json[] = [];
  const server = completing((prefix, others) => {
    seen.push([prefix, { ...others }]);
    return [`${prefix}1`];
  });
  const context = { arguments: { b: "chosen" } };
  assert.deepEqual((await complete(server, { name: "a", value: "x" }, undefined, { context })).result.completion.values, ["x1"]);
  const template = { type: "ref/resource", uri: "x://{id}/{constructor}" };
  assert.deepEqual((await complete(server, { name: "id", value: "" }, template)).result.completion.values, ["1"]);
  assert.deepEqual(seen, [["x", { b: "chosen" }], ["", {}]]);
});

Deno.test("server.fetch() returns at most 100 values and counts the others (M-COMP-004)", async () => {
  const values = Array.from({ length: 150 }, (_, n) => String(n));
  const { completion } = (await complete(completing(() => values), { name: "a", value: "" })).result;
  assert.deepEqual(completion, { values: values.slice(0, 100), total: 150, hasMore: true });
  const full = (await complete(completing(() => values.slice(0, 100)), { name: "a", value: "" })).result.completion;
  assert.deepEqual([full.values.length, full.total, full.hasMore], [100, 100, false]);
});

Deno.test("server.fetch() refuses completion inputs of the wrong shape with -32602 and completes nothing (M-COMP-015)", async () => {
  let ran = 0;
  const server = completing(() => [String(++ran)]);
  for (
    const argument of [undefined, null, "a", {}, { name: "a" }, { name: "a", value: 1 }, { name: 1, value: "" }, {
      name: "a",
      value: null,
    }]
  ) {
    refused(await complete(server, argument), -32602, 200);
  }
  for (
    const ref of [null, "p", {}, { type: "ref/tool", name: "p" }, { type: "ref/prompt" }, { type: "ref/resource" }, {
      type: "ref/prompt",
      name: 7,
    }]
  ) {
    refused(await complete(server, { name: "a", value: "" }, ref), -32602, 200);
  }
  for (const args of [{ b: 1 }, [], "b"]) {
    refused(await complete(server, { name: "a", value: "" }, undefined, { context: { arguments: args } }), -32602, 200);
  }
  assert.equal(ran, 0);
});

Deno.test("server.fetch() refuses completion of unknown prompts, arguments and templates, names of built-ins included (M-COMP-015, B038)", async () => {
  const server = completing(() => ["never"]);
  for (const name of ["nope", "__proto__", "constructor"]) {
    refused(await complete(server, { name: "a", value: "" }, { type: "ref/prompt", name }), -32602, 200);
    refused(await complete(server, { name, value: "" }), -32602, 200);
    refused(await complete(server, { name: "a", value: "" }, { type: "ref/resource", uri: name }), -32602, 200);
  }
  const own = { type: "ref/resource", uri: "x://{id}/{constructor}" };
  assert.deepEqual((await complete(server, { name: "constructor", value: "" }, own)).result.completion.values, []);
});

const LISTS = [["tools/list", "tools"], ["prompts/list", "prompts"], ["resources/list", "resources"]] as const;

Deno.test("server.fetch() cuts lists into pages that hold each item once, in order", async () => {
  const names = Array.from({ length: 7 }, (_, n) => `p${n}`);
  const server = defineServer({
    name: "pages",
    version: "1",
    pageSize: 3,
    prompts: names.map((name) => make({ name })),
  }) as Server;
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const { result } = await call(server, "prompts/list", cursor === undefined ? {} : { cursor });
    pages.push(result.prompts.map(({ name }: Json) => name));
    cursor = result.nextCursor;
  } while (cursor !== undefined);
  assert.deepEqual(pages, [names.slice(0, 3), names.slice(3, 6), names.slice(6)]);
});

Deno.test("server.fetch() refuses cursors of other lists and of no list with -32602", async () => {
  const server = defineServer({
    name: "pages",
    version: "1",
    pageSize: 1,
    tools: [],
    prompts: [make({}), make({ name: "q" })],
    resources: [resource({ uri: "a:b", name: "b", read: () => "x" })],
  }) as Server;
  const { nextCursor } = (await call(server, "prompts/list")).result;
  assert.equal((await call(server, "prompts/list", { cursor: nextCursor })).result.prompts[0].name, "q");
  for (const [method] of LISTS) {
    for (const cursor of ["x", "MQ==", `${nextCursor}x`, 7, null, {}, ...(method === "prompts/list" ? [] : [nextCursor])]) {
      refused(await call(server, method, { cursor }), -32602, 200);
    }
  }
});
