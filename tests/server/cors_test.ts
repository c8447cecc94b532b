/** Tests of `server/cors.ts`. */
import assert from "node:assert/strict";
import { createCors } from "../../server/cors.ts";

const ORIGIN = "https://app.example.com";
const { preflight, allow } = createCors(undefined);

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

Deno.test("createCors lets the page read the answer and the challenge", () => {
  const { headers } = allow(new Response("x", { headers: { vary: "Accept" } }), ORIGIN);
  assert.equal(headers.get("access-control-allow-origin"), ORIGIN);
  assert.equal(headers.get("access-control-expose-headers"), "www-authenticate");
  assert.equal(headers.get("vary"), "Accept, Origin");
});

Deno.test("createCors allows the methods and headers of sessions, and shows their id, where there are sessions", () => {
  const sessions = createCors("GET, POST, DELETE");
  const { headers } = sessions.preflight(ORIGIN);
  assert.equal(headers.get("access-control-allow-methods"), "GET, POST, DELETE");
  assert.match(headers.get("access-control-allow-headers") ?? "", /mcp-session-id, last-event-id/);
  assert.doesNotMatch(preflight(ORIGIN).headers.get("access-control-allow-headers") ?? "", /session/);
  assert.match(sessions.allow(new Response(), ORIGIN).headers.get("access-control-expose-headers") ?? "", /mcp-session-id/);
});
