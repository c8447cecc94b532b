/** Tests of `client/extensions/listed_tools.ts`. */
import assert from "node:assert/strict";
import { ListedTools } from "../../../client/extensions/listed_tools.ts";
import type { Tool } from "../../../protocol/types.ts";

/** Lists that are answered by hand. */
function lists(): { readonly tools: ListedTools; readonly asked: PromiseWithResolvers<readonly Tool[]>[] } {
  const asked: PromiseWithResolvers<readonly Tool[]>[] = [];
  const tools = new ListedTools(() => {
    const answer = Promise.withResolvers<readonly Tool[]>();
    asked.push(answer);
    return answer.promise;
  });
  return { tools, asked };
}

function named(name: string, title: string): Tool {
  return { name, title, inputSchema: { type: "object" } };
}

Deno.test("ListedTools asks once for all who ask at the same time, and who leaves ends it for nobody else", async () => {
  const { tools, asked } = lists();
  const stop = new AbortController();
  const stopped = tools.find("a", { signal: stop.signal });
  const others = ["a", "b", "a"].map((name) => tools.find(name, {}));
  stop.abort(new Error("left"));
  await assert.rejects(stopped, /left/);
  asked[0]?.resolve([named("a", "1")]);
  assert.deepEqual((await Promise.all(others)).map((tool) => tool?.title), ["1", undefined, "1"]);
  assert.equal((await tools.find("a", {}))?.title, "1");
  assert.equal(asked.length, 1);
});

Deno.test("ListedTools takes no list for new that was asked for before a change", async () => {
  const { tools, asked } = lists();
  const before = tools.find("a", {});
  tools.forget();
  const after = tools.find("a", {});
  asked[1]?.resolve([named("a", "new")]);
  assert.equal((await after)?.title, "new");
  asked[0]?.resolve([named("a", "old")]);
  assert.equal((await before)?.title, "old");
  assert.equal((await tools.find("a", {}))?.title, "new");
  assert.equal(asked.length, 2);
});

Deno.test("ListedTools tells all of a list that fails, and asks anew afterwards", async () => {
  const { tools, asked } = lists();
  const waiting = [tools.find("a", {}), tools.find("b", {})];
  asked[0]?.reject(new Error("no list"));
  for (const one of waiting) await assert.rejects(one, /no list/);
  const again = tools.find("a", {});
  asked[1]?.resolve([named("a", "1"), named("twice", "1"), named("twice", "2")]);
  assert.equal((await again)?.title, "1");
  assert.equal(await tools.find("twice", {}), undefined);
});
