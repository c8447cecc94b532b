/** The time of a call that a person had to allow. */
import assert from "node:assert/strict";
import { connect } from "../../client/mod.ts";
import type { Client, JsonRpcMessage } from "../../client/mod.ts";
import { DeadlineWatch } from "../../client/waits/deadline_watch.ts";
import { complete, progress, text, tokenOf } from "./scripted.ts";
import { site } from "./site.ts";
import type { Posted, Site } from "./site.ts";

/** Milliseconds: what a call has in all, how long a person takes, and how long an answer takes. */
const TOTAL = 1000;
const PERSON = 1200;
const ANSWER = 40;

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** A server whose calls want a person's word first, and a client whose person takes longer than the call may. */
async function allowed(
  answer: (posted: Posted) => ReturnType<Parameters<typeof site>[0]>,
  run: (client: Client) => Promise<void>,
) {
  let isAllowed = false;
  const place: Site = site((posted) => {
    if (posted.message.method === "server/discover") return undefined;
    if (!isAllowed) return new Response(null, { status: 401, headers: { "www-authenticate": "Bearer" } });
    return pause(ANSWER).then(() => answer(posted));
  });
  const challenged = async (): Promise<boolean> => {
    await pause(PERSON);
    return isAllowed = true;
  };
  const client = await connect(place.url, { auth: { credentials: () => undefined, challenged } });
  try {
    await run(client);
  } finally {
    await client.close();
    await place.close();
  }
}

Deno.test("a person's time counts for no page of a listing that comes after it", async () => {
  const page = ({ message: { params } }: Posted) =>
    complete({ tools: [], ...(params?.cursor === undefined ? { nextCursor: "next" } : {}) });
  await allowed(page, async (client) => assert.deepEqual(await client.listTools({ totalTimeout: TOTAL }), []));
});

Deno.test("a person's time counts for no round of input that comes after it", async () => {
  const asks = { resultType: "input_required", requestState: "s", inputRequests: {} };
  await allowed(({ message: { params } }) => params?.requestState === undefined ? asks : text("done"), async (client) => {
    assert.equal((await client.callTool("x", {}, { totalTimeout: TOTAL })).content.length, 1);
  });
});

Deno.test("a person's time does not count after progress, and the rest of the total time does", async () => {
  const events = ({ message }: Posted, last: boolean): Response => {
    const line = (one: JsonRpcMessage): Uint8Array => new TextEncoder().encode(`data: ${JSON.stringify(one)}\n\n`);
    const body = new ReadableStream<Uint8Array>({
      start: async (controller) => {
        // Beyond the time at which the call would be over if that of the person counted.
        for (let value = 1; value <= 3; value++) {
          controller.enqueue(line(progress(tokenOf(message), value)));
          await pause(TOTAL / 7);
        }
        if (!last) return;
        controller.enqueue(line({ jsonrpc: "2.0", id: message.id, result: text("done") }));
        controller.close();
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  };
  await allowed((posted) => events(posted, true), async (client) => {
    await client.callTool("x", {}, { timeout: TOTAL / 3, totalTimeout: TOTAL });
  });
  await allowed((posted) => events(posted, false), async (client) => {
    const refused = { reason: "timeout", data: { limit: "requestTotalTimeout" } };
    await assert.rejects(client.callTool("x", {}, { timeout: TOTAL * 2, totalTimeout: TOTAL }), refused);
  });
});

Deno.test("DeadlineWatch tells those that wait for how long the time stood still, and counts it", async () => {
  const watch = new DeadlineWatch();
  let held = 0;
  const waiting = {
    due: performance.now() + 60_000,
    onDue: () => undefined,
    fail: () => undefined,
    onHeld: (ms: number) => held += ms,
  };
  watch.add(waiting);
  const release = watch.hold(60_000);
  await pause(10);
  assert.equal(watch.heldFor, 0);
  release();
  assert.ok(held > 0);
  assert.equal(watch.heldFor, held);
  watch.delete(waiting);
  watch.stop();
});
