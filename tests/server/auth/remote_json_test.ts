/** Tests of `server/auth/remote_json.ts`. */
import assert from "node:assert/strict";
import { remoteJson } from "../../../server/auth/remote_json.ts";

Deno.test("remoteJson tells why the platform does not reach a server, without the query, and nothing that another fetch says", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  const url = `http://127.0.0.1:${port}/jwks?key=secret`;
  const why = await remoteJson(url, globalThis.fetch).then(() => "", (error: Error) => error.message);
  assert.match(why, /^GET http:\/\/127\.0\.0\.1:\d+\/jwks: the server cannot be reached \(.*refused.*\)$/i);
  assert.doesNotMatch(why, /secret/);
  const quoting = (): Promise<Response> => Promise.reject(new TypeError("cannot send secret"));
  await assert.rejects(remoteJson(url, quoting), (error) => {
    assert.doesNotMatch(Deno.inspect(error), /secret/);
    return true;
  });
});

Deno.test("remoteJson tells why the platform does not reach a server when no other fetch was given", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  const headers = { authorization: "Basic refused-secret" };
  const why = await remoteJson(`http://127.0.0.1:${port}/jwks`, undefined, { headers }).then(() => "", (error) => String(error));
  assert.match(why, /the server cannot be reached \(.*refused.*\)$/i);
});

Deno.test("remoteJson waits no longer for a fetch that heeds no signal, whether it stays silent, drips or keeps its body", async () => {
  const cancelled: string[] = [];
  const stuck = (name: string, first: string): Response =>
    new Response(
      new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode(first)),
        cancel: () => {
          cancelled.push(name);
          return new Promise(() => undefined);
        },
      }),
      { status: name === "refused" ? 500 : 200 },
    );
  const late = "GET https://as.example/jwks: no answer within 5000 ms";
  await withShortTimers(async () => {
    for (
      const [fetch, message] of [
        [() => new Promise<Response>(() => undefined), late],
        [() => Promise.resolve(stuck("dripping", "{")), late],
        [() => Promise.resolve(stuck("large", " ".repeat(300_000))), "larger than 262144 bytes"],
        [() => Promise.resolve(stuck("refused", "no")), "the server answered 500"],
      ] as const
    ) {
      const why = await remoteJson("https://as.example/jwks", fetch as typeof globalThis.fetch).then(() => "", String);
      assert.ok(why.includes(message), why);
    }
  });
  assert.deepEqual(cancelled, ["dripping", "large", "refused"]);
});

Deno.test("remoteJson refuses an answer that is no UTF-8", async () => {
  const latin1 = Uint8Array.from('{"sub":"caf\u00e9"}', (character) => character.charCodeAt(0));
  const answering = (body: BodyInit): typeof globalThis.fetch => () => Promise.resolve(new Response(body));
  await assert.rejects(remoteJson("https://as.example/introspect", answering(latin1), { method: "POST" }), {
    message: "POST https://as.example/introspect: the answer is not UTF-8",
  });
  assert.deepEqual(await remoteJson("https://as.example/jwks", answering('{"a":"\ufffd"}')), { a: "\ufffd" });
});

/** Runs a test in which five seconds are over at once. */
async function withShortTimers(test: () => Promise<void>): Promise<void> {
  const { setTimeout } = globalThis;
  const short = ((act: () => void, milliseconds: number) => setTimeout(act, milliseconds === 5000 ? 10 : milliseconds)) as never;
  globalThis.setTimeout = short;
  try {
    await test();
  } finally {
    globalThis.setTimeout = setTimeout;
  }
}
