import assert from "node:assert/strict";
import { clientCredentials } from "../../../client/auth/mod.ts";
import { peerText } from "../../../client/auth/peer_text.ts";
import { shownOf } from "./shown_of.ts";
import { world } from "./world.ts";
import { connect } from "../../../client/mod.ts";

const SECRET = 'top"secret&value<1>/+%';

const WRITTEN: readonly (readonly [name: string, write: (text: string) => string])[] = [
  ["as it is", String],
  ["in a request", encodeURIComponent],
  ["in a request, in lower case", (text) => encodeURIComponent(text).toLowerCase()],
  ["in JSON", JSON.stringify],
  ["in JSON in JSON", (text) => JSON.stringify(JSON.stringify(text))],
  ["in HTML", (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")],
  ["with characters of JSON", (text) => text.replace(/[&<>+]/g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`)],
  ["in base64", (text) => btoa(`client:${text}`)],
  ["in upper case", (text) => text.toUpperCase()],
];

Deno.test("peerText repeats no secret of the request, however the server writes it (M-AUTH-114)", () => {
  for (const [name, write] of WRITTEN) {
    const told = peerText(`got ${write(SECRET)} from you`, ["short", SECRET]);
    assert.match(told, /^got "?\S*(?:…|\*\*\*)\S*"? from you$/, name);
    assert.equal(/secret|value|dG9w|c2VjcmV0/i.test(told), false, `${name}: ${told}`);
  }
  assert.equal(peerText("too short, sorry", ["short"]), "too …, sorry");
  assert.equal(peerText("a,bc;defg,hij a%2Cbc%3bdefg%2chij", ["a,bc;defg,hij"]), "… ***");
});

Deno.test("a token that no header can carry is refused where it comes, and is in no error (M-AUTH-114)", async () => {
  for (const dpop of [false, true]) {
    for (const token of ["secret-access\n1", "secret-access-\u2713", ""]) {
      const there = world({ token: { access_token: token, token_type: dpop ? "DPoP" : "Bearer" } });
      try {
        const auth = clientCredentials({
          clientId: "nightly",
          issuer: there.issuer,
          authentication: { method: "client_secret_post", secret: "a-secret-of-the-client" },
          allowInsecureLoopback: true,
          dpop,
        });
        const error = await connect(there.site.url, { auth }).then(() => undefined, (error: unknown) => error);
        assert.equal((error as { readonly reason?: unknown }).reason, "token_request_failed");
        assert.equal(shownOf(error).includes("secret-access"), false, shownOf(error));
      } finally {
        await there.close();
      }
    }
  }
});
