import assert from "node:assert/strict";
import { isCredentialHeader } from "../../../client/secrets/is_credential_header.ts";

Deno.test("isCredentialHeader knows credentials by their names", () => {
  const secret = [
    "authorization",
    "proxy-authorization",
    "cookie",
    "x-api-key",
    "api-key",
    "apikey",
    "x-auth-token",
    "x-goog-api-key",
    "x-amz-security-token",
    "x-access-token",
    "x-session-id",
    "client-secret",
    "x_password",
    "cf-access-jwt-assertion",
    "dpop",
    "ocp-apim-subscription-key",
    "x-functions-key",
    "x-access-key",
  ];
  for (const name of secret) assert.equal(isCredentialHeader(name), true, name);
  for (
    const name of ["accept-language", "user-agent", "x-tenant", "x-author", "x-keyboard", "idempotency-key", "x-request-id", ""]
  ) {
    assert.equal(isCredentialHeader(name), false, name);
  }
});
