/** Tests of `server/auth/refusal_warnings.ts`: what those who run a server hear of callers that it refuses. */
import assert from "node:assert/strict";
import { introspection } from "../../../server/auth/mod.ts";
import type { BearerOptions, TokenClaims } from "../../../server/auth/mod.ts";
import { refusalWarnings } from "../../../server/auth/refusal_warnings.ts";
import { makeKey, RESOURCE, seconds, withAuthorizationServer } from "./authorization_server.ts";
import { callWith, protectedServer, said } from "./protected.ts";

const TOKEN = "marked-token";
const ISSUER = { issuer: "https://as.example" };
const caller = { principal: "a", scopes: ["x"], claims: {} as TokenClaims };

/** What is told of one request. */
async function told(options: Partial<BearerOptions<TokenClaims>>, authorization: string | undefined): Promise<unknown> {
  const { server, runs } = protectedServer(ISSUER, { bearer: options });
  const { status } = await callWith(server, undefined, { authorization });
  return [status, ...runs.errors.map(String)];
}

Deno.test("a caller that is refused is told to onError with the reason, and without the token (M-AUTH-114)", async () => {
  const bearer = `Bearer ${TOKEN}`;
  const refused = (why: string): string => `Error: Letting a caller in: the access token is refused, ${why}`;
  const table: readonly (readonly [Partial<BearerOptions<TokenClaims>>, string, number, string])[] = [
    [{ verify: () => undefined }, bearer, 401, refused("bearer.verify does not take it")],
    [
      { verify: (token, _request, explain) => explain?.(`it is ${token} of nobody`) as undefined },
      bearer,
      401,
      refused("it is *** of nobody"),
    ],
    [{ verify: () => ({ ...caller, expiresAt: 1 }) }, bearer, 401, refused("it is over")],
    [
      { verify: () => ({ ...caller, audience: "https://other.example" }) },
      bearer,
      401,
      refused("it was issued for another server (bearer.resource)"),
    ],
    [
      { verify: () => ({ ...caller, keyThumbprint: "a" }) },
      bearer,
      401,
      refused("it is bound to a key, and came with the other scheme"),
    ],
    [{ dpop: "required", verify: () => caller }, bearer, 401, refused("it came without a proof (bearer.dpop)")],
    [
      { verify: () => caller },
      `DPoP ${TOKEN}`,
      401,
      refused("it came with the scheme DPoP, which is not taken here (bearer.dpop)"),
    ],
    [
      { dpop: "allowed", verify: () => ({ ...caller, keyThumbprint: "a" }) },
      `DPoP ${TOKEN}`,
      401,
      "Error: Letting a caller in: the DPoP proof is refused, it is missing, or not valid for this request",
    ],
    [
      { scopes: ["y", "z"], verify: () => caller },
      bearer,
      403,
      "Error: Letting a caller in: the scopes are too few, the token lacks some of y z (bearer.scopes)",
    ],
  ];
  for (const [options, authorization, status, text] of table) {
    assert.deepEqual(await told(options, authorization), [status, text]);
  }
  const [status, malformed] = await told({ verify: () => caller }, `${bearer} x`) as [number, string];
  assert.equal(status, 400);
  assert.match(malformed, /^Error: Letting a caller in: the Authorization header cannot be read, /);
  assert.doesNotMatch(malformed, /marked/);
});

Deno.test("a request without a token, and a caller that is let in, are told to nobody", async () => {
  assert.deepEqual(await told({ verify: () => caller }, undefined), [401]);
  assert.deepEqual(await told({ verify: () => caller }, "Basic marked"), [401]);
  assert.deepEqual(await told({ verify: () => caller }, `Bearer ${TOKEN}`), [200]);
});

Deno.test("jwt() and introspection() say why a token is refused", async () => {
  await withAuthorizationServer(async (as) => {
    const { server, runs } = protectedServer(as);
    const other = await makeKey("first");
    for (
      const [token, why] of [
        [await as.issue({ exp: seconds() - 100 }), /: the access token is refused, it is over$/],
        [await as.issue({ aud: "https://other.example" }), /, its claim aud is missing, or not what is expected$/],
        [await as.issue({ exp: undefined }), /, its claim exp is missing, or not what is expected$/],
        [
          await as.issue({ sub: undefined, client_id: undefined }),
          /, its claims name no caller, or jwt\.claims does not take them$/,
        ],
        [await as.issue({}, { key: other }), /, it is not valid \(ERR_JWS_SIGNATURE_VERIFICATION_FAILED\)$/],
        ["marked", /, it is not a JWT$/],
      ] as const
    ) {
      assert.equal((await callWith(server, token)).status, 401);
      assert.match(String(runs.errors.at(-1)), why);
      for (const part of token.split(".")) assert.ok(!String(runs.errors.at(-1)).includes(part));
    }
    assert.equal(runs.errors.length, 6);
    const options = { endpoint: `${as.issuer}/introspect`, clientId: "a", clientSecret: "b", audience: RESOURCE };
    const asking = protectedServer(as, { bearer: { verify: introspection(options) } });
    for (let time = 0; time < 2; time++) {
      assert.equal((await callWith(asking.server, "marked")).status, 401);
      assert.match(
        String(asking.runs.errors[time]),
        /, the authorization server does not call it active, from its issuer, and for/,
      );
    }
    said(await callWith(server, await as.issue()));
  });
});

Deno.test("refusals of one part are told one by one at first, and then each time that their number has doubled", () => {
  const told: string[] = [];
  const warn = (warning: Error): void => void told.push(warning.message);
  const tell = refusalWarnings();
  for (let time = 0; time < 1000; time++) tell(warn, "token", "it is over");
  assert.ok(told.length < 32, String(told.length));
  assert.match(told.at(-1) as string, /\(512 of them so far\)$/);
  tell(warn, "scopes", "the token lacks some of x");
  assert.equal(told.at(-1), "Letting a caller in: the scopes are too few, the token lacks some of x");
  tell(undefined, "proof", "nobody listens");
});
