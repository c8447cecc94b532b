import assert from "node:assert/strict";
import { extension } from "../../../protocol/extensions/extension.ts";
import type { ResourceExtension } from "../../../server/components/resource_extension.ts";
import { resource } from "../../../server/components/resource.ts";
import { defineServer } from "../../../server/server.ts";
import type { Server } from "../../../server/server_types.ts";
import { answerOf, request, serverOf } from "../calls.ts";
import { onEveryWay } from "../eras.ts";
import type { Json } from "../handshake_client.ts";

const own = resource({ uri: "test://own", name: "own", read: () => "own" });
const added = resource({ uri: "test://added", name: "added", read: () => "added" });
const hidden = resource({ uri: "test://hidden", name: "hidden", listed: false, read: () => "hidden" });

function bringing(...resources: ResourceExtension["resources"]): ResourceExtension {
  return { ...extension({ id: "com.example/more" }).serve({}), resources };
}

async function listed(server: Server): Promise<readonly string[]> {
  const { response } = await answerOf(server, request("resources/list"));
  return (response as Json).result.resources.map(({ uri }: { readonly uri: string }) => uri);
}

async function read(server: Server, uri: string): Promise<Json> {
  const { response } = await answerOf(server, request("resources/read", { uri }));
  return (response as Json).result?.contents[0].text ?? (response as Json).error.code;
}

Deno.test("an extension's resources are the server's: declared, listed and read, beside its own and alone", async () => {
  const both = serverOf({ resources: [own] }, { extensions: [bringing(added, hidden)] });
  assert.deepEqual(await listed(both), ["test://own", "test://added"]);
  assert.deepEqual(await Promise.all(["own", "added", "hidden"].map((name) => read(both, `test://${name}`))), [
    "own",
    "added",
    "hidden",
  ]);
  const alone = serverOf({}, { extensions: [bringing()] });
  assert.deepEqual(await listed(alone), []);
  const { response } = await answerOf(alone, request("server/discover"));
  assert.ok((response as Json).result.capabilities.resources);
  const none = serverOf({}, { extensions: [extension({ id: "com.example/more" }).serve({})] });
  assert.equal((await answerOf(none, request("resources/list")) as Json).response.error.code, -32601);
});

Deno.test("an extension's resources stay when the server's own change, and go with the extension", async () => {
  const server = serverOf({ resources: [own] }, { extensions: [bringing(added)] });
  await server.update({ resources: [hidden] });
  assert.deepEqual(await listed(server), ["test://added"]);
  assert.equal(await read(server, "test://hidden"), "hidden");
  let seen: readonly string[] = [];
  await server.update(({ resources }) => {
    seen = resources.map(({ uri }) => uri);
    return {};
  });
  assert.deepEqual(seen, ["test://hidden"]);
  assert.deepEqual(await listed(server.with({ extensions: [] })), []);
  const other = bringing(resource({ uri: "test://other", name: "other", read: () => "other" }));
  assert.deepEqual(await listed(server.with({ extensions: [other] })), ["test://other"]);
  assert.throws(() => serverOf({}, {}).mount(server), /has the extension com\.example/);
  const outer = serverOf({}, {}).mount(server.with({ extensions: [] })) as Server;
  assert.equal(await read(outer, "test://added"), -32602);
});

Deno.test("a URI that an extension and the server have is refused, when it is defined and when it is changed", async () => {
  assert.throws(() => serverOf({ resources: [added] }, { extensions: [bringing(added)] }), /test:\/\/added/);
  const server = serverOf({ resources: [own] }, { extensions: [bringing(added)] });
  await assert.rejects(server.update({ resources: [added] }), /test:\/\/added/);
  assert.deepEqual(await listed(server), ["test://own", "test://added"]);
});

Deno.test("listed is true or false beside an exact URI, and a change of it is a change of the list", async () => {
  const read = () => "x";
  assert.throws(() => resource({ uri: "test://{a}", name: "a", listed: false, read }), /resources\.a\.listed/);
  assert.throws(() => resource({ uri: "test://a", name: "a", listed: "no" as never, read }), /resources\.a\.listed/);
  const server = serverOf({ resources: [resource({ uri: "test://a", name: "a", read })] });
  assert.deepEqual(await listed(server), ["test://a"]);
  await server.update({ resources: [resource({ uri: "test://a", name: "a", listed: false, read })] });
  assert.deepEqual(await listed(server), []);
});

const open = extension({
  id: "com.example/open",
  handshake: true,
  undeclared: true,
  methods: {
    "open/kept": { params: { type: "object" }, result: { type: "object" }, cacheable: true },
    "open/hinted": { params: { type: "object" }, result: { type: "object" }, cacheable: true },
    "open/plain": { params: { type: "object" }, result: { type: "object" } },
  },
});
const served = open.serve({
  "open/kept": () => ({ a: 1 }),
  "open/hinted": () => ({ a: 1, ttlMs: 5, cacheScope: "public" }),
  "open/plain": () => ({ a: 1, ttlMs: 5 }),
});

onEveryWay(
  "an undeclared extension is answered to clients that declare nothing, and cacheable results have hints only without a handshake",
  () => defineServer({ name: "x", version: "1.0.0", extensions: [served] }) as Server,
  async (way) => {
    const call = async (method: string): Promise<Json> => {
      const { _meta, ...result } = (await way.call(method, {})).result;
      return result;
    };
    const complete = way.handshake ? {} : { resultType: "complete" };
    const hints = (ttlMs: number, cacheScope: string) => way.handshake ? {} : { ttlMs, cacheScope };
    assert.deepEqual(await call("open/kept"), { a: 1, ...complete, ...hints(0, "private") });
    assert.deepEqual(await call("open/hinted"), { a: 1, ...complete, ...hints(5, "public") });
    assert.deepEqual(await call("open/plain"), { a: 1, ttlMs: 5, ...complete });
  },
);
