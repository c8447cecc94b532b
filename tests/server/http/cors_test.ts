/** Tests of `server/http/cors.ts`. */
import assert from "node:assert/strict";
import { createCors } from "../../../server/http/cors.ts";

const ORIGIN = "https://app.example.com";

Deno.test("createCors lets the page read the answer and the challenge", () => {
  const { headers } = createCors(false)(new Response("x", { headers: { vary: "Accept" } }), ORIGIN);
  assert.equal(headers.get("access-control-allow-origin"), ORIGIN);
  assert.equal(headers.get("access-control-expose-headers"), "www-authenticate");
  assert.equal(headers.get("vary"), "Accept, Origin");
});

Deno.test("createCors shows the id of a session where there are sessions", () => {
  const { headers } = createCors(true)(new Response(), ORIGIN);
  assert.match(headers.get("access-control-expose-headers") ?? "", /mcp-session-id/);
});
