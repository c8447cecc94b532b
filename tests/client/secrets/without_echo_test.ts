import assert from "node:assert/strict";
import { connect } from "../../../client/mod.ts";
import type { SecretCleaner } from "../../../client/secrets/secret_cleaner.ts";
import { SentSecrets } from "../../../client/secrets/sent_secrets.ts";
import { withoutEcho } from "../../../client/secrets/without_echo.ts";
import { site } from "../site.ts";

const TOKEN = "secret+token/of=me";

Deno.test("answers that are no messages are told without the token that they repeat, wherever it stands (M-AUTH-114)", async () => {
  const answers: readonly ((said: string) => Response)[] = [
    (said) => new Response(`Headers: ${said}`, { status: 500 }),
    (said) => new Response(`<h1>${said}`, { status: 400, headers: { "content-type": "text/html" } }),
    (said) => new Response(`<h1>${said}`, { headers: { "content-type": "text/html" } }),
    () => new Response("x", { headers: { "content-type": `text/${encodeURIComponent(TOKEN)}` } }),
    () => new Response(null, { status: 302, headers: { location: `/${encodeURIComponent(TOKEN)}?${TOKEN}` } }),
    (said) => Response.json({ jsonrpc: "2.0", id: 1, error: { code: -32600, message: said } }, { status: 403 }),
  ];
  for (const answer of answers) {
    const there = site(({ headers }) => answer(headers.get("authorization") ?? ""));
    try {
      await assert.rejects(connect(there.url, { auth: TOKEN }), (error) => {
        assert.doesNotMatch(Deno.inspect(error, { depth: 9 }), /secret.{1,3}token/);
        return true;
      });
    } finally {
      await there.close();
    }
  }
});

Deno.test("withoutEcho finds a secret wherever a body is cut, and keeps every other byte", async () => {
  const before = new TextEncoder().encode(`é ${TOKEN} `);
  const bytes = new Uint8Array([...before, 0x00, 0x80, 0xff, ...before.slice(3, 9)]);
  for (let size = 1; size <= bytes.length; size++) {
    const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.slice(at * size, (at + 1) * size));
    const body = ReadableStream.from(parts);
    const answer = await withoutEcho(
      new Response(body, { status: 500, headers: { "x-other": "kept" } }),
      new SentSecrets([`Bearer ${TOKEN}`]),
    );
    const expected = [...new TextEncoder().encode("é *** "), 0x00, 0x80, 0xff, ...before.slice(3, 9)];
    assert.deepEqual([...new Uint8Array(await answer.arrayBuffer())], expected, `parts of ${size}`);
    assert.deepEqual([answer.status, answer.headers.get("x-other")], [500, "kept"]);
  }
});

Deno.test("withoutEcho leaves messages, short words and answers without a body as they are", async () => {
  const message = Response.json({ said: TOKEN });
  assert.equal(await withoutEcho(message, new SentSecrets([TOKEN])), message);
  await message.body?.cancel();
  // A proxy that changes answers gives this status (RFC 9110 § 15.3.4).
  const passed = Response.json({ said: TOKEN }, { status: 203 });
  assert.equal(await withoutEcho(passed, new SentSecrets([TOKEN])), passed);
  await passed.body?.cancel();
  const short = new Response("Bearer x", { status: 500 });
  assert.equal(await withoutEcho(short, new SentSecrets(["Bearer x"])), short);
  await short.body?.cancel();
  const empty = new Response(null, { status: 202 });
  assert.equal(await withoutEcho(empty, new SentSecrets([TOKEN])), empty);
});

Deno.test("withoutEcho looks at each character of a body about twice, however small its parts are", async () => {
  let looked = 0;
  class Counting extends SentSecrets {
    override get cleaner(): SecretCleaner {
      const { longest, clean } = super.cleaner;
      return { longest, clean: (text) => (looked += text.length, clean(text)) };
    }
  }
  const parts = Array.from({ length: 20_000 }, () => new Uint8Array([0x61]));
  const answer = await withoutEcho(new Response(ReadableStream.from(parts), { status: 500 }), new Counting([TOKEN.repeat(20)]));
  assert.equal((await answer.text()).length, parts.length);
  assert.ok(looked < 3 * parts.length, String(looked));
});
