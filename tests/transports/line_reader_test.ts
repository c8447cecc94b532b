/** Tests of `transports/line_reader.ts`: what becomes of damaged lines. */
import assert from "node:assert/strict";
import { resolveLimits } from "../../protocol/limits.ts";
import { readLines } from "../../transports/line_reader.ts";
import type { LineHandlers } from "../../transports/line_reader.ts";

type Event = readonly ["message" | "bad" | "unreadable", unknown];

async function read(...parts: (string | number)[]): Promise<Event[]> {
  const events: Event[] = [];
  await feed(parts, {
    onMessage: (message) => void events.push(["message", "id" in message ? message.id : undefined]),
    onBad: (_text, { id, error }) => void events.push(["bad", [id, error.code]]),
    onUnreadable: (fault, error, isMessage) => void events.push(["unreadable", [fault.reason, error.code, isMessage]]),
  });
  return events;
}

/** What bad lines were meant to be, with their ids where these can be read. */
async function kinds(...parts: (string | number)[]): Promise<unknown[]> {
  const found: unknown[] = [];
  await feed(parts, {
    onMessage: () => assert.fail("a message"),
    onBad: (_text, { id, kind }) => void found.push([kind, id]),
    onUnreadable: (_fault, _error, _isMessage, kind) => void found.push([kind]),
  });
  return found;
}

async function feed(parts: readonly (string | number)[], handlers: LineHandlers): Promise<void> {
  const bytes = new Uint8Array(parts.flatMap((part) => typeof part === "number" ? [part] : [...new TextEncoder().encode(part)]));
  await readLines(
    {
      read: (onChunk) => Promise.resolve(onChunk(bytes)),
      write: () => Promise.resolve(),
      closeWriting: () => Promise.resolve(),
      abort: () => undefined,
    },
    resolveLimits({ frame: 200 }),
    handlers,
  );
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
    [["Serveur pr", 0xea, "t\n"], false],
    [['{"level":"info","msg":"', 0xff, '"}\n'], false],
    [['"jsonrpc', 0xff, '"\n'], false],
  ];
  for (const [parts, isMessage] of table) {
    assert.deepEqual(await read(...parts, GOOD), [["unreadable", ["not_mcp", -32700, isMessage]], good], String(parts[0]));
  }
});

Deno.test("readLines() tells what a damaged or broken line was meant to be, so that no other one is answered or failed for it", async () => {
  const table: readonly (readonly [(string | number)[], unknown])[] = [
    [['{"jsonrpc":"2.0","method":"notifications/x","params":{"a":"', 0xff, '"}}\n'], ["notification", undefined]],
    [['{"jsonrpc":"2.0","method":"notifications/x","params":[]}\n'], ["notification", undefined]],
    [['{"jsonrpc":"2.0","id":3,"method":"roots/list","params":{"a":"', 0xff, '"}}\n'], ["request", 3]],
    [['{"jsonrpc":"2.0","id":3,"method":"roots/list","params":[]}\n'], ["request", 3]],
    [['{"jsonrpc":"2.0","id":4,"result":{"a":"', 0xff, '"}}\n'], ["response", 4]],
    [['{"jsonrpc":"2.0","id":4,"result":5}\n'], ["response", 4]],
    [['{"jsonrpc":"2.0","id":"', 0xff, '","result":{}}\n'], ["response"]],
  ];
  for (const [parts, expected] of table) assert.deepEqual(await kinds(...parts), [expected], String(parts));
});

Deno.test("readLines() reads on after a line over the limit (B004, limit frame)", async () => {
  assert.deepEqual(await read("a".repeat(201), "\n", GOOD), [["unreadable", ["limit", -32600, true]], good]);
  const longest = '{"jsonrpc":"2.0","id":9,"result":{"a":""}}';
  assert.deepEqual(await read(longest.replace('""', `"${"a".repeat(200 - longest.length)}"`), "\r\n", GOOD), [good, good]);
});

Deno.test("readLines() holds the lines behind one that is waited for, and keeps their order (B009)", async () => {
  const lines = [1, 2, 3, 4].map((id) => `{"jsonrpc":"2.0","id":${id},"result":{}}\n`);
  const seen: unknown[] = [];
  let goOn = (): void => undefined;
  const reading = feed([lines.join("")], {
    onMessage(message) {
      const id = (message as { id: number }).id;
      seen.push(id);
      return id === 2 || id === 3 ? new Promise((resolve) => goOn = resolve) : undefined;
    },
    onBad: () => assert.fail("a bad line"),
    onUnreadable: () => assert.fail("an unreadable line"),
  });
  for (const expected of [[1, 2], [1, 2, 3], [1, 2, 3, 4]]) {
    await new Promise((resolve) => setTimeout(resolve));
    assert.deepEqual(seen, expected);
    goOn();
  }
  await reading;
});

Deno.test("readLines() gives timers a turn while a peer writes on and on", async () => {
  const until = performance.now() + 10_000;
  let turns = 0;
  const timer = setTimeout(() => turns++, 0);
  const busy = (): undefined => {
    const over = performance.now() + 20;
    while (performance.now() < over);
  };
  const chunk = new TextEncoder().encode("noise\n");
  await readLines(
    {
      async read(onChunk) {
        while (turns === 0 && performance.now() < until) await onChunk(chunk);
      },
      write: () => Promise.resolve(),
      closeWriting: () => Promise.resolve(),
      abort: () => undefined,
    },
    resolveLimits({}),
    { onMessage: busy, onBad: busy, onUnreadable: busy },
  );
  clearTimeout(timer);
  assert.equal(turns, 1);
});
