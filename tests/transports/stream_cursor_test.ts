/** Tests of `transports/stream_cursor.ts`. */
import assert from "node:assert/strict";
import { EVENT_ID_LENGTH, REMEMBERED_EVENTS, STREAM_HELD, STREAM_RETRY_FLOOR } from "../../protocol/limits.ts";
import { StreamCursor } from "../../transports/stream_cursor.ts";

const LIMITS = { streamRetries: 4, streamRetryDelay: 100_000 };

Deno.test("StreamCursor tells messages from repeated ones and from events without any, whose ids count too (B012, B013)", () => {
  const cursor = new StreamCursor(LIMITS);
  assert.equal(cursor.lastEventId, undefined);
  assert.equal(cursor.take({ id: "a/0", data: "" }), "nothing");
  assert.equal(cursor.lastEventId, "a/0");
  assert.equal(cursor.take({ id: "a/0", data: "{}" }), "message");
  assert.equal(cursor.take({ id: "a/0", data: "{}" }), "repeated");
  assert.equal(cursor.take({ data: "{}" }), "message");
  assert.equal(cursor.take({ data: "{}" }), "message");
  assert.equal(cursor.lastEventId, "a/0");
  assert.equal(cursor.take({ event: "ping", id: "a/1", data: "{}" }), "nothing");
  assert.equal(cursor.take({ event: "message", data: "{}" }), "message");
  assert.equal(cursor.lastEventId, "a/1");
  cursor.forget();
  assert.equal(cursor.lastEventId, undefined);
});

Deno.test("StreamCursor sends ids back as UTF-8, and none that a header cannot carry or that is too long", () => {
  const cursor = new StreamCursor(LIMITS);
  cursor.take({ id: "é", data: "" });
  assert.equal(cursor.lastEventId, "\u00c3\u00a9");
  for (const id of ["", "a\u0001b", "x".repeat(EVENT_ID_LENGTH + 1)]) {
    cursor.take({ id: "good", data: "" });
    cursor.take({ id, data: "{}" });
    assert.equal(cursor.lastEventId, undefined, JSON.stringify(id.slice(0, 5)));
    assert.equal(cursor.take({ id, data: "{}" }), "message");
  }
  cursor.take({ id: "x".repeat(EVENT_ID_LENGTH), data: "" });
  assert.equal(cursor.lastEventId?.length, EVENT_ID_LENGTH);
});

Deno.test("StreamCursor keeps a bounded number of ids", () => {
  const cursor = new StreamCursor(LIMITS);
  for (let n = 0; n <= REMEMBERED_EVENTS; n++) cursor.take({ id: `${n}`, data: "{}" });
  assert.equal(cursor.take({ id: `${REMEMBERED_EVENTS}`, data: "{}" }), "repeated");
  assert.equal(cursor.take({ id: "1", data: "{}" }), "repeated");
  assert.equal(cursor.take({ id: "0", data: "{}" }), "message");
});

Deno.test("StreamCursor has a budget of attempts that only a delivered message fills again", () => {
  const cursor = new StreamCursor(LIMITS);
  const all = (): number => {
    let count = 0;
    while (cursor.delay(0) !== undefined) {
      count++;
      cursor.opened(0);
      cursor.take({ id: "x", data: "" });
      cursor.onRetry(20);
    }
    return count;
  };
  assert.equal(all(), 4);
  assert.equal(all(), 0);
  assert.equal(cursor.attempts, 4);
  cursor.delivered();
  assert.equal(all(), 4);
});

Deno.test("StreamCursor counts no attempt after a connection that held, once for each connection", () => {
  const cursor = new StreamCursor({ ...LIMITS, streamRetries: 0 });
  assert.equal(cursor.delay(STREAM_HELD), undefined);
  cursor.opened(5);
  assert.equal(cursor.delay(STREAM_HELD + 4), undefined);
  cursor.opened(5);
  assert.notEqual(cursor.delay(STREAM_HELD + 5), undefined);
  assert.equal(cursor.delay(STREAM_HELD * 9), undefined);
});

Deno.test("StreamCursor waits what the server wished, within bounds, and backs off where it is not there (L-HTTP-009, limit streamRetryDelay)", () => {
  const cursor = new StreamCursor({ streamRetries: 1000, streamRetryDelay: 5000 });
  const delays = (count: number): number[] => Array.from({ length: count }, () => cursor.delay(0) ?? -1);
  for (const [index, delay] of delays(4).entries()) {
    const least = STREAM_RETRY_FLOOR * 2 ** index;
    assert.ok(delay >= least && delay <= 2 * least, `${delay}`);
  }
  assert.equal(delays(100).at(-1), 5000);
  for (const [wish, wait] of [[500, 500], [0, STREAM_RETRY_FLOOR], [1e12, 5000]] as const) {
    cursor.onRetry(wish);
    assert.deepEqual(delays(3), [wait, wait, wait]);
  }
  cursor.onRetry(500);
  for (let n = 0; n < 20; n++) cursor.failed();
  assert.equal(cursor.delay(0), 5000);
  cursor.opened(0);
  assert.equal(cursor.delay(0), 500);
  assert.equal(new StreamCursor({ streamRetries: 1, streamRetryDelay: 3 }).delay(0), 3);
});
