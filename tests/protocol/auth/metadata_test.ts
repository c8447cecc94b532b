import assert from "node:assert/strict";
import {
  issuerFault,
  readResourceMetadata,
  readServerMetadata,
  resourceMetadataUrls,
  serverMetadataUrls,
} from "../../../protocol/auth/metadata.ts";

Deno.test("resourceMetadataUrls inserts the well-known path, keeps the query, and ends at the root (M-AUTH-019, B044)", () => {
  const root = "https://h.example/.well-known/oauth-protected-resource";
  assert.deepEqual(resourceMetadataUrls("https://h.example/a/mcp?x=1"), [`${root}/a/mcp?x=1`, root]);
  assert.deepEqual(resourceMetadataUrls("https://h.example/?x=1"), [`${root}?x=1`, root]);
  assert.deepEqual(resourceMetadataUrls("https://h.example/"), [root]);
});

Deno.test("serverMetadataUrls never asks the root documents of an issuer with a path (M-AUTH-023, M-AUTH-024, B044)", () => {
  assert.deepEqual(serverMetadataUrls("https://as.example:8443/a/b//"), [
    "https://as.example:8443/.well-known/oauth-authorization-server/a/b",
    "https://as.example:8443/.well-known/openid-configuration/a/b",
    "https://as.example:8443/a/b/.well-known/openid-configuration",
  ]);
  assert.equal(serverMetadataUrls("https://as.example").length, 2);
});

Deno.test("issuerFault names what keeps a text from being an issuer", () => {
  assert.equal(issuerFault("https://as.example/t"), undefined);
  const bad = [
    "as.example",
    "ftp://as.example",
    "https://a@as.example",
    "https://as.example?",
    "https://as.example#",
    " https://as.example",
    "https:\\\\x",
  ];
  for (const issuer of bad) assert.equal(typeof issuerFault(issuer), "string", issuer);
});

Deno.test("readResourceMetadata and readServerMetadata take own members of the right type alone", () => {
  for (const document of [null, 1, "x", [], undefined]) {
    assert.equal(readResourceMetadata(document).ok, false);
    assert.equal(readServerMetadata(document).ok, false);
  }
  assert.deepEqual(readResourceMetadata({ resource: 1 }), { ok: false, fault: "it has no resource" });
  assert.deepEqual(readServerMetadata({ issuer: "" }), { ok: false, fault: "it has no issuer" });
  const hostile = JSON.parse('{"__proto__":{"resource":"https://evil.example"}}');
  assert.equal(readResourceMetadata(hostile).ok, false);
  const resource = readResourceMetadata({
    resource: "https://h.example",
    authorization_servers: ["a", 1],
    scopes_supported: "x",
  });
  assert.deepEqual(resource.ok && resource.value, {
    resource: "https://h.example",
    authorization_servers: ["a"],
    scopes_supported: undefined,
  });
  const server = readServerMetadata({ issuer: "i", token_endpoint: 1, authorization_response_iss_parameter_supported: "true" });
  assert.ok(server.ok);
  assert.equal(server.value.token_endpoint, undefined);
  assert.equal(server.value.authorization_response_iss_parameter_supported, false);
});
