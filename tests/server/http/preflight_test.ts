/** Tests of `server/http/preflight.ts`. */
import assert from "node:assert/strict";
import { answerPreflight } from "../../../server/http/preflight.ts";

const ORIGIN = "https://app.example.com";

/** The headers of the answer to a page that asks with these. */
function answered(asked: HeadersInit = {}, methods?: string): Headers {
  const response = answerPreflight(ORIGIN, new Headers(asked), methods);
  assert.equal(response.status, 204);
  return response.headers;
}

Deno.test("answerPreflight allows POST to the origin, and the headers that were asked for", () => {
  const headers = answered({ "access-control-request-headers": "mcp-param-region, content-type" });
  assert.equal(headers.get("access-control-allow-origin"), ORIGIN);
  assert.equal(headers.get("access-control-allow-methods"), "POST");
  assert.equal(headers.get("access-control-allow-headers"), "mcp-param-region, content-type");
  assert.equal(headers.get("access-control-allow-credentials"), null);
  assert.match(answered().get("access-control-allow-headers") ?? "", /mcp-protocol-version/);
});

Deno.test("answerPreflight allows headers that were asked for in several lines", () => {
  const asked = [["access-control-request-headers", "mcp-method"], ["access-control-request-headers", "mcp-name"]] as const;
  assert.equal(answered(asked.map(([name, value]) => [name, value])).get("access-control-allow-headers"), "mcp-method, mcp-name");
});

Deno.test("answerPreflight allows the methods and headers of sessions where there are sessions", () => {
  const headers = answered({}, "GET, POST, DELETE");
  assert.equal(headers.get("access-control-allow-methods"), "GET, POST, DELETE");
  assert.match(headers.get("access-control-allow-headers") ?? "", /mcp-session-id, last-event-id/);
  assert.doesNotMatch(answered().get("access-control-allow-headers") ?? "", /session/);
});

Deno.test("answerPreflight lets a page of a more public network in when it asks, and says what the answer depends on", () => {
  const asked = { "access-control-request-private-network": "true" };
  assert.equal(answered(asked).get("access-control-allow-private-network"), "true");
  assert.equal(answered().get("access-control-allow-private-network"), null);
  assert.equal(answered({ "access-control-request-private-network": "1" }).get("access-control-allow-private-network"), null);
  assert.equal(
    answered().get("vary"),
    "Origin, Access-Control-Request-Headers, Access-Control-Request-Private-Network",
  );
});
