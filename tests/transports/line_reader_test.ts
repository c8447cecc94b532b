/** Tests of `transports/line_reader.ts`: what becomes of damaged lines. */
import assert from "node:assert/strict";
import { resolveLimits } from "../../protocol/limits.ts";
import { readLines } from "../../transports/line_reader.ts";

type Event = readonly ["message" | "bad" | "unreadable", unknown];

async function read(...parts: (string | number)[]): Promise<Event[]> {
  const events: Event[] = [];
  const bytes = new Uint8Array(parts.flatMap((part) => typeof part === "number" ? [part] : [...new TextEncoder().encode(part)]));
  await readLines(
    {
      read: (onChunk) => Promise.resolve(onChunk(bytes)),
      write: () => Promise.resolve(),
      closeWriting: () => Promise.resolve(),
      abort: () => undefined,
    },
    resolveLimits({ frame: 200 }),
    {
      onMessage: (message) => void events.push(["message", "id" in message ? message.id : undefined]),
      onBad: (_text, { id, error }) => void events.push(["bad", [id, error.code]]),
      onUnreadable: (fault, error, isMessage) => void events.push(["unreadable", [fault.reason, error.code, isMessage]]),
    },
  );
  return events;
}

const GOOD = '{"jsonrpc":"2.0","id":9,"result":{}}\n';
const good: Event = ["message", 9];

Deno.test("readLines() takes the id of a damaged message from what can be read (B001, B002, B032)", async () => {
  const table: readonly (readonly [(string | number)[], unknown])[] = [
    [['{"jsonrpc":"2.0","id":1,"result":{"text":"', 0xe9, '"}}\n'], 1],
    [['{"jsonrpc":"2.0","id":"a","error":{"code":-32603,"message":"', 0xff, '"}}\n'], "a"],
    [['{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"', 0xc3, '"}}\n'], 3],
    [['{"jsonrpc":"2.0","id":4,"', 0x80, '":1,"result":{}}\n'], 4],
  ];
  for (const [parts, id] of table) assert.deepEqual(await read(...parts, GOOD), [["bad", [id, -32700]], good], String(id));
});

Deno.test("readLines() says of a damaged line without an id whether somebody may wait for it (B002, B003)", async () => {
  const table: readonly (readonly [(string | number)[], boolean])[] = [
    [['{"jsonrpc":"2.0","id":1', 0xff, ',"result":{}}\n'], true],
    [['{"jsonrpc":"2.0","id":"', 0xff, '","result":{}}\n'], true],
    [['{"jsonrpc":"2.0","id":1,"result":{', 0xc3, "\n"], true],
    [['{"jsonrpc":"2.0","method":"notifications/x","params":{"a":"', 0xff, '"}}\n'], false],
    [["Serveur pr", 0xea, "t\n"], false],
    [['{"level":"info","msg":"', 0xff, '"}\n'], false],
    [['"jsonrpc', 0xff, '"\n'], false],
  ];
  for (const [parts, isMessage] of table) {
    assert.deepEqual(await read(...parts, GOOD), [["unreadable", ["not_mcp", -32700, isMessage]], good], String(parts[0]));
  }
});

Deno.test("readLines() reads on after a line over the limit (B004, limit frame)", async () => {
  assert.deepEqual(await read("a".repeat(201), "\n", GOOD), [["unreadable", ["limit", -32600, true]], good]);
  const longest = '{"jsonrpc":"2.0","id":9,"result":{"a":""}}';
  assert.deepEqual(await read(longest.replace('""', `"${"a".repeat(200 - longest.length)}"`), "\r\n", GOOD), [good, good]);
});
