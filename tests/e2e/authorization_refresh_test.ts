import assert from "node:assert/strict";
import { memoryTokenStore, oauth } from "../../client/auth/mod.ts";
import { connect, textOf } from "../../client/mod.ts";
import { callFiveTimes, inWorld, LOCAL } from "./authorization_world.ts";
import { later } from "./later.ts";
import { person } from "./person.ts";
import { tokenRequests } from "./token_requests.ts";

/** Sends a token request by hand. */
async function refresh(issuer: string, token: unknown, clientId: string | null | undefined, resource: string): Promise<Response> {
  const body = new URLSearchParams({
    grant_type: "refresh_token",
    refresh_token: String(token),
    client_id: String(clientId),
    resource,
  });
  return await fetch(`${issuer}/token`, { method: "POST", body });
}

for (const told of [true, false]) {
  const which = told ? "that the client knows to be over" : "of whose end only the server knows";
  Deno.test(`five calls at once with a token ${which} make one refresh, and nobody is asked`, async () => {
    await inWorld(async ({ url, count }) => {
      const ada = person();
      const sent = tokenRequests({ answer: (tokens) => void (told || delete tokens.expires_in) });
      let refusals = 0;
      const watching: typeof fetch = async (input, init) => {
        const response = await fetch(input, init);
        if (response.status === 401) refusals++;
        return response;
      };
      // A store that nobody shares needs no lock.
      const { lock: _, ...store } = memoryTokenStore();
      await using client = await connect(url, {
        auth: oauth({ ...LOCAL, open: ada.open, store, fetch: sent.fetch }),
        fetch: watching,
      });
      assert.deepEqual(["GET /auth", "POST /token"].map(count), [1, 1]);
      refusals = 0;
      await later(600, () => callFiveTimes(client));
      assert.deepEqual(["GET /auth", "POST /token"].map(count), [0, 1]);
      assert.deepEqual(sent.grants(), ["authorization_code", "refresh_token"]);
      assert.equal(refusals, told ? 0 : 5);
      assert.equal(sent.forms[1]?.get("resource"), url);
    });
  });
}

Deno.test("refresh tokens that rotate are followed, and one that was used already ends all of its kin: then one authorization is asked for", async () => {
  await inWorld(async ({ url, issuer, count }) => {
    const ada = person();
    const sent = tokenRequests();
    await using client = await connect(url, { auth: oauth({ ...LOCAL, open: ada.open, fetch: sent.fetch }) });
    for (const round of [1, 2, 3]) await later(600 * round, () => callFiveTimes(client));
    assert.equal(new Set(sent.tokens.map((tokens) => tokens.refresh_token)).size, 4);
    assert.deepEqual(["GET /auth", "POST /token"].map(count), [1, 4]);
    // Somebody else has an old one.
    const stolen = await refresh(issuer, sent.tokens[1]?.refresh_token, sent.forms[0]?.get("client_id"), url);
    assert.deepEqual([stolen.status, (await stolen.json()).error], [400, "invalid_grant"]);
    assert.equal(count("POST /token"), 1);
    await later(2400, () => callFiveTimes(client));
    assert.deepEqual(["GET /auth", "POST /token"].map(count), [1, 2]);
    assert.deepEqual(sent.grants().slice(4), ["refresh_token", "authorization_code"]);
    await later(3000, () => callFiveTimes(client));
    assert.deepEqual(["GET /auth", "POST /token"].map(count), [0, 1]);
  });
});

/** Takes a token back (RFC 7009). */
async function revoke(issuer: string, token: unknown, clientId: string | null | undefined): Promise<void> {
  const body = new URLSearchParams({ token: String(token), client_id: String(clientId) });
  const response = await fetch(`${issuer}/token/revocation`, { method: "POST", body });
  assert.equal(response.status, 200, await response.text());
}

Deno.test("a refresh token that was taken back leads to one new authorization, however many calls need it", async () => {
  await inWorld(async ({ url, issuer, count }) => {
    const ada = person();
    const sent = tokenRequests();
    await using client = await connect(url, { auth: oauth({ ...LOCAL, open: ada.open, fetch: sent.fetch }) });
    await revoke(issuer, sent.tokens[0]?.refresh_token, sent.forms[0]?.get("client_id"));
    assert.deepEqual(["POST /reg", "GET /auth", "POST /token"].map(count), [1, 1, 1]);
    await later(600, () => callFiveTimes(client));
    assert.deepEqual(["POST /reg", "GET /auth", "POST /token"].map(count), [0, 1, 2]);
    assert.deepEqual(sent.grants(), ["authorization_code", "refresh_token", "authorization_code"]);
    assert.equal(ada.scopes.length, 2);
  });
});

for (const told of [true, false]) {
  const who = told ? "the client" : "the server";
  Deno.test(`what was allowed in steps is asked for in one when the tokens are lost, whether ${who} finds that out (M-AUTH-052)`, async () => {
    await inWorld(async ({ url, issuer, count }) => {
      const ada = person();
      const sent = tokenRequests({ answer: (tokens) => void (told || delete tokens.expires_in) });
      await using client = await connect(url, { auth: oauth({ ...LOCAL, open: ada.open, fetch: sent.fetch }) });
      await client.callTool("add_note", { text: "a" });
      await revoke(issuer, sent.tokens[1]?.refresh_token, sent.forms[0]?.get("client_id"));
      count("GET /auth");
      await later(600, async () => {
        assert.equal(textOf(await client.callTool("list_notes")), "a");
        assert.equal(textOf(await client.callTool("add_note", { text: "b" })), "kept");
      });
      assert.equal(count("GET /auth"), 1);
      assert.deepEqual(ada.scopes.at(-1)?.toSorted(), ["notes:read", "notes:write", "offline_access"]);
    });
  });
}

Deno.test("an access token goes on as long as it holds when it cannot be renewed ahead", async () => {
  await inWorld(async ({ url, issuer, count }) => {
    const sent = tokenRequests();
    await using client = await connect(url, { auth: oauth({ ...LOCAL, open: person().open, fetch: sent.fetch }) });
    await revoke(issuer, sent.tokens[0]?.refresh_token, sent.forms[0]?.get("client_id"));
    assert.deepEqual(["GET /auth", "POST /token"].map(count), [1, 1]);
    await later(290, async () => {
      await callFiveTimes(client);
      await callFiveTimes(client);
    });
    assert.deepEqual(["GET /auth", "POST /token"].map(count), [0, 1]);
    await later(310, () => callFiveTimes(client));
    assert.deepEqual(["GET /auth", "POST /token"].map(count), [1, 1]);
  });
});

Deno.test("without a refresh token, five calls at once with a token that is over ask a person once (M-AUTH-091)", async () => {
  await inWorld(async ({ url, count }) => {
    const ada = person();
    const sent = tokenRequests();
    const auth = oauth({ ...LOCAL, offlineAccess: false, open: ada.open, fetch: sent.fetch });
    await using client = await connect(url, { auth });
    assert.equal(sent.tokens[0]?.refresh_token, undefined);
    assert.deepEqual(["GET /auth", "POST /token"].map(count), [1, 1]);
    await later(600, () => callFiveTimes(client));
    assert.deepEqual(["GET /auth", "POST /token"].map(count), [1, 1]);
    assert.deepEqual(ada.scopes, [["notes:read"], ["notes:read"]]);
  });
});
