import assert from "node:assert/strict";
import { canonicalResource, isResourceOf } from "../../../protocol/auth/resource.ts";

Deno.test("canonicalResource drops fragment, credentials and the slash after the host (M-AUTH-069, M-AUTH-070, M-AUTH-072)", () => {
  const cases = [
    ["https://mcp.example", "https://mcp.example"],
    ["https://mcp.example/", "https://mcp.example"],
    ["HTTPS://MCP.Example/", "https://mcp.example"],
    ["https://mcp.example:443/x#y", "https://mcp.example/x"],
    ["https://u:p@mcp.example/x", "https://mcp.example/x"],
    ["https://mcp.example/x/", "https://mcp.example/x/"],
    ["https://mcp.example/?a=b", "https://mcp.example/?a=b"],
  ] as const;
  for (const [endpoint, expected] of cases) assert.equal(canonicalResource(endpoint), expected);
});

Deno.test("isResourceOf takes the server itself and what leads to it segment by segment (M-AUTH-071)", () => {
  const endpoint = "https://h.example/a/mcp";
  for (
    const resource of [
      "https://h.example/a/mcp",
      "https://h.example/a",
      "https://h.example/a/",
      "https://h.example",
      "https://h.example/",
      "HTTPS://H.Example/a/mcp",
      "https://h.example:443/a/mcp",
    ]
  ) assert.ok(isResourceOf(resource, endpoint), resource);
  assert.ok(isResourceOf("https://h.example/a/mcp?x=1", `${endpoint}?x=1`));
});

Deno.test("isResourceOf refuses every other server, scheme, port and path", () => {
  const endpoint = "https://h.example/a/mcp";
  for (
    const resource of [
      "https://h.example/a/mcp2",
      "https://h.example/a/mc",
      "https://h.example/a/mcp/",
      "https://h.example/a/mcp/b",
      "https://h.example/b/mcp",
      "https://h.example/A/mcp",
      "https://h.example/a/%6dcp",
      "https://h.example/a/../b",
      "https://h.example/a/mcp?x=1",
      "https://h.example/a/mcp#x",
      "https://h.example#",
      "https://h.example:8443/a/mcp",
      "http://h.example/a/mcp",
      "https://other.example/a/mcp",
      "https://h.example.evil.example/a/mcp",
      "https://user@h.example/a/mcp",
      "https://h.example@evil.example/a/mcp",
      "https://h.example\\a\\mcp",
      " https://h.example/a/mcp",
      "https://h.example/a/mcp\n",
      "h.example/a/mcp",
      "urn:mcp:a",
      "",
    ]
  ) assert.ok(!isResourceOf(resource, endpoint), resource);
});
