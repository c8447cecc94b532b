/** Tests of `server/components/absolute_uri.ts`. */
import assert from "node:assert/strict";
import { hasScheme } from "../../../server/components/absolute_uri.ts";

Deno.test("hasScheme takes what begins with a letter, scheme characters and a colon (RFC 3986 § 3.1)", () => {
  for (const uri of ["https://example.com", "mem:a", "a+b-c.1:", "urn:x:y"]) assert.equal(hasScheme(uri), true, uri);
  for (const uri of ["", "/a", "a/b:c", "1a:b", "://a", "exämple:a"]) assert.equal(hasScheme(uri), false, uri);
});
