import assert from "node:assert/strict";
import { SentSecrets } from "../../../client/secrets/sent_secrets.ts";
import { ProtocolError, TransportError } from "../../../protocol/errors.ts";
import { SENT_SECRETS } from "../../../protocol/limits.ts";
import { peerError } from "../../../protocol/peer_error.ts";

const TOKEN = "secret-token+of/me==";

Deno.test("SentSecrets hides a token in texts, names and causes of an error, which stays the same one (M-AUTH-114)", () => {
  const secrets = new SentSecrets();
  secrets.sent([`Bearer ${TOKEN}`]);
  const cause = new Error(`said ${TOKEN}`);
  const data = { [TOKEN]: [TOKEN, { deep: encodeURIComponent(TOKEN) }, 1, null], plain: "x" };
  const error = new ProtocolError(-32000, `a ${TOKEN}`, { data, cause: new TransportError("closed", TOKEN, { cause }) });
  assert.equal(secrets.hide(error), error);
  assert.equal(error.message, "a ***");
  assert.match(error.stack ?? "", /a \*\*\*/);
  assert.deepEqual(error.data, { "***": ["***", { deep: "***" }, 1, null], plain: "x" });
  assert.equal(cause.message, "said ***");
  assert.doesNotMatch(Deno.inspect(error, { depth: 9, showHidden: true }), /secret-/);
  assert.ok(Object.hasOwn(data, TOKEN), "what came is not changed");
});

Deno.test("SentSecrets leaves errors without a secret, short words and everything that is no error as they are", () => {
  const secrets = new SentSecrets(["Bearer short"]);
  const data = { a: ["Bearer short"] };
  const error = new ProtocolError(1, "Bearer short", { data });
  secrets.hide(error);
  assert.deepEqual([error.message, error.data], ["Bearer short", data]);
  secrets.sent([TOKEN]);
  secrets.hide(error);
  assert.equal(error.data, data);
  const result = { said: TOKEN };
  assert.equal(secrets.hide(result).said, TOKEN);
  assert.equal(secrets.hide(undefined), undefined);
});

Deno.test("SentSecrets hides the beginning of a token where a text was shortened, and of nothing else (M-AUTH-114)", () => {
  const secrets = new SentSecrets([TOKEN]);
  for (let length = 0; length <= TOKEN.length; length++) {
    const error = peerError({ code: 1, message: `${"x".repeat(4096 - length)}${TOKEN} and more` });
    secrets.hide(error);
    const told = error.message.replace(/^x+/, "");
    assert.equal(told, length < 8 ? `${TOKEN.slice(0, length)}…` : "***…");
  }
  const kept = new Error(`${TOKEN.slice(0, 12)} … ${TOKEN.slice(0, 12)}!… ${TOKEN.slice(0, 12)}`);
  const { message } = kept;
  assert.equal(secrets.hide(kept).message, message);
});

Deno.test("SentSecrets survives causes and data in circles, and errors that are frozen", () => {
  const frozen = Object.freeze(new ProtocolError(1, TOKEN, { data: { TOKEN } }));
  assert.equal(new SentSecrets([TOKEN]).hide(frozen), frozen);
  const secrets = new SentSecrets([TOKEN]);
  const data: { self?: unknown; said: string } = { said: TOKEN };
  data.self = data;
  const error = new ProtocolError(1, TOKEN, { data });
  error.cause = error;
  assert.equal(secrets.hide(error).message, "***");
  assert.equal((error.data as { said: string }).said, "***");
});

Deno.test("SentSecrets remembers the last values, and what is still sent or goes with every request in any case", () => {
  const secrets = new SentSecrets(["secret-of-the-program"]);
  secrets.sent(["secret-old-token"]);
  for (let at = 0; at < SENT_SECRETS.remembered; at++) secrets.sent(["secret-kept-token", `secret-proof-${at}`]);
  const hidden = (text: string): string => secrets.hide(new Error(text)).message;
  assert.equal(hidden("secret-old-token"), "secret-old-token");
  assert.equal(hidden("secret-kept-token secret-of-the-program"), "*** ***");
  assert.equal(hidden("secret-proof-0 secret-proof-1 secret-proof-2"), "secret-proof-0 *** ***");
});

Deno.test("SentSecrets hides what two errors share in both, and what several errors and causes that are none say (M-AUTH-114)", () => {
  const secrets = new SentSecrets([TOKEN]);
  const data = { said: TOKEN };
  const inner = new ProtocolError(1, "x", { data, cause: { said: [TOKEN] } });
  const several = new AggregateError([new Error(TOKEN), TOKEN], "x", { cause: inner });
  const error = new ProtocolError(1, "x", { data, cause: several });
  secrets.hide(error);
  assert.deepEqual([error.data, inner.data, inner.cause], [{ said: "***" }, { said: "***" }, { said: ["***"] }]);
  assert.deepEqual(several.errors.map((one) => one.message ?? one), ["***", "***"]);
});

Deno.test("SentSecrets gives back errors that it cannot read, and leaves the program's own objects whole", () => {
  const secrets = new SentSecrets([TOKEN]);
  const unreadable = Object.defineProperty(new Error(TOKEN), "data", { get: () => assert.fail() });
  assert.equal(secrets.hide(unreadable), unreadable);
  const odd = Object.assign(new Error("x"), { message: 5, data: new Map([[TOKEN, TOKEN]]) });
  assert.equal(secrets.hide(odd), odd);
  assert.ok(odd.data instanceof Map);
  const deep = new ProtocolError(1, TOKEN, { data: JSON.parse("[".repeat(50_000) + "]".repeat(50_000)) });
  assert.equal(secrets.hide(deep).message, "***");
});
