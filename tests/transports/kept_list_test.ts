import assert from "node:assert/strict";
import { parseMessage } from "../../protocol/json_rpc.ts";
import { keptList } from "../../transports/kept_list.ts";

const limits = { jsonDepth: 8, jsonElements: 100 };
const deep = `${"[".repeat(20)}${"]".repeat(20)}`;

/** What is kept of a text that breaks a bound, and what is told. */
function kept(text: string, method: string | undefined, list?: string): { readonly kept: unknown; readonly told: unknown[] } {
  const read = parseMessage(text, limits);
  assert.ok(!read.ok);
  const told: unknown[] = [];
  const again = keptList({
    asked: method === undefined ? undefined : { method, list },
    text,
    read,
    limits,
    onError: (error) => void told.push(error),
  });
  if (!again.ok) assert.equal(again, read);
  return { kept: again.ok ? again.message : undefined, told };
}

const answer = (members: string): string => `{"jsonrpc":"2.0","id":1,"result":{${members}}}`;

Deno.test("keptList gives the rest of a list whose items nest too deep, and tells of all that are left out in one error (B040)", () => {
  const { kept: message, told } = kept(answer(`"tools":[${deep},{"name":"a"},${deep}]`), "tools/list");
  assert.deepEqual(message, { jsonrpc: "2.0", id: 1, result: { tools: [{ name: "a" }] } });
  assert.equal(told.length, 1);
  assert.match(String(told[0]), /tools\[0\].*tools\[2\]/);
  const { kept: entries } = kept(answer(`"entries":[${deep},1]`), "audit/list", "entries");
  assert.deepEqual(entries, { jsonrpc: "2.0", id: 1, result: { entries: [1] } });
});

Deno.test("keptList keeps the refusal of what else breaks a bound, and tells of nothing (B040)", () => {
  const list = `"tools":[${deep}]`;
  const texts: readonly (readonly [text: string, method: string | undefined])[] = [
    [answer(list), "tools/call"],
    [answer(list), undefined],
    [answer(`"entries":[${deep}]`), "audit/list"],
    [answer(`"_meta":${deep},${list}`), "tools/list"],
    [answer(`"big":1e999,${list}`), "tools/list"],
    [answer(`"tools":{"a":${deep}}`), "tools/list"],
    [answer(`"tools":[${new Array(101).fill(0).join()}],"more":[${deep}]`), "tools/list"],
    [`{"jsonrpc":"2.0","id":1,"method":"x","params":{${list}}}`, "tools/list"],
    [`{"jsonrpc":"2.0","id":1,"method":"x","result":{${list}}}`, "tools/list"],
    [`{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"","data":${deep}}}`, "tools/list"],
    ["{", "tools/list"],
  ];
  for (const [text, method] of texts) assert.deepEqual(kept(text, method), { kept: undefined, told: [] }, text.slice(0, 100));
});
