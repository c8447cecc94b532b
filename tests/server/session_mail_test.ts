/** Tests of `server/session_mail.ts`. */
import assert from "node:assert/strict";
import { SessionMail } from "../../server/session_mail.ts";
import type { Mail } from "../../server/session_mail.ts";
import { memoryBus } from "../../server/stores/memory.ts";
import { createSession } from "../../transports/session.ts";

const RESPONSE: Mail = { jsonrpc: "2.0", id: "q", result: {} };

Deno.test("SessionMail carries messages to every instance that waits for the session, and to no other session", () => {
  const bus = memoryBus();
  const [here, there] = [new SessionMail(bus, () => undefined), new SessionMail(bus, () => undefined)];
  const of = (key: string) => createSession({ key, send: () => undefined });
  const got: unknown[] = [];
  const close = there.open(of("a"), (message) => got.push(["a", message]));
  const closeOther = there.open(of("b"), (message) => got.push(["b", message]));
  here.post(of("a"), RESPONSE);
  assert.deepEqual(got, [["a", RESPONSE]]);
  close();
  here.post(of("a"), RESPONSE);
  assert.equal(got.length, 1);
  closeOther();
  assert.equal(there.size, 0);
});

Deno.test("SessionMail listens once for a session, until its last user leaves", () => {
  const bus = memoryBus();
  let listening = 0;
  const mail = new SessionMail({
    publish: bus.publish,
    subscribe: (topic, listener) => {
      listening++;
      const stop = bus.subscribe(topic, listener);
      return () => {
        listening--;
        stop();
      };
    },
  }, () => undefined);
  const session = createSession({ key: "a", send: () => undefined });
  const first = mail.open(session, () => undefined);
  const second = mail.open(session, () => undefined);
  assert.equal(listening, 1);
  first();
  first();
  assert.equal(listening, 1);
  second();
  assert.deepEqual([listening, mail.size], [0, 0]);
});

Deno.test("SessionMail does nothing for a session that no other instance can serve", () => {
  const mail = new SessionMail({
    publish: () => assert.fail("published"),
    subscribe: () => assert.fail("subscribed"),
  }, () => undefined);
  const session = createSession({ send: () => undefined });
  mail.open(session, () => undefined)();
  mail.post(session, RESPONSE);
});

Deno.test("SessionMail passes over what is no mail, and tells of what could not be published", async () => {
  const bus = memoryBus();
  const faults: unknown[] = [];
  const mail = new SessionMail({ publish: bus.publish, subscribe: bus.subscribe }, (error) => faults.push(error));
  const session = createSession({ key: "a", send: () => undefined });
  const got: Mail[] = [];
  mail.open(session, (message) => got.push(message));
  for (const message of [undefined, 1, {}, [], { jsonrpc: "2.0", id: 1, method: "tools/list" }, { jsonrpc: "2.0", id: {} }]) {
    await bus.publish("causeway/sessions/a", { message });
    await bus.publish("causeway/sessions/a", message);
  }
  assert.deepEqual(got, []);
  const broken = new SessionMail({ ...bus, publish: () => Promise.reject(new Error("down")) }, (error) => faults.push(error));
  broken.post(session, RESPONSE);
  await Promise.resolve();
  await Promise.resolve();
  assert.equal((faults[0] as Error).message, "down");
});
