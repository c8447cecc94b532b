/** Tests of `server/cors.ts`. */
import assert from "node:assert/strict";
import { corsHeaders, preflight } from "../../server/cors.ts";

const ORIGIN = "https://app.example.com";

Deno.test("preflight allows POST to the origin, and the headers that were asked for", () => {
  const response = preflight(ORIGIN, "mcp-param-region, content-type");
  assert.equal(response.status, 204);
  assert.equal(response.headers.get("access-control-allow-origin"), ORIGIN);
  assert.equal(response.headers.get("access-control-allow-methods"), "POST");
  assert.equal(response.headers.get("access-control-allow-headers"), "mcp-param-region, content-type");
  assert.equal(response.headers.get("access-control-allow-credentials"), null);
  assert.equal(response.headers.get("vary"), "Origin, Access-Control-Request-Headers");
  assert.match(preflight(ORIGIN).headers.get("access-control-allow-headers") ?? "", /mcp-protocol-version/);
});

Deno.test("corsHeaders lets the page read the answer and the challenge", () => {
  const { headers } = corsHeaders(new Response("x", { headers: { vary: "Accept" } }), ORIGIN);
  assert.equal(headers.get("access-control-allow-origin"), ORIGIN);
  assert.equal(headers.get("access-control-expose-headers"), "www-authenticate");
  assert.equal(headers.get("vary"), "Accept, Origin");
});
