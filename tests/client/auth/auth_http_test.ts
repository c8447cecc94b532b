/** Tests of `client/auth/auth_http.ts`. */
import assert from "node:assert/strict";
import { authHttp } from "../../../client/auth/auth_http.ts";
import { AuthorizationError } from "../../../protocol/errors.ts";

function answering(body: BodyInit, status = 200): (url: string) => Promise<Response> {
  const fetch: typeof globalThis.fetch = () => Promise.resolve(new Response(body, { status }));
  return authHttp(new URL("https://h.example/mcp"), { fetch }).fetch("discovery_failed");
}

const latin1 = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(text, (character) => character.charCodeAt(0));

Deno.test("authHttp refuses JSON that is no UTF-8, naming what was asked", async () => {
  const url = "https://as.example/.well-known/oauth-authorization-server";
  await assert.rejects(answering(latin1(' {"issuer":"https://caf\u00e9.example"}'))(url), (error) => {
    assert.ok(error instanceof AuthorizationError);
    assert.equal(error.reason, "discovery_failed");
    assert.equal(error.message, `GET ${url}: the answer is not UTF-8`);
    return true;
  });
  assert.deepEqual(await (await answering('{"a":"\ufffd"}')(url)).json(), { a: "\ufffd" });
});

Deno.test("authHttp hands on pages of another place and refusals, whatever they are written in", async () => {
  const url = "https://as.example/token";
  assert.equal((await answering(latin1("<p>Caf\u00e9</p>"))(url)).status, 200);
  const refused = await answering(latin1('{"error":"invalid_grant","error_description":"caf\u00e9"}'), 400)(url);
  assert.equal((await refused.json()).error, "invalid_grant");
});
