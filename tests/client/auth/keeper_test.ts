import assert from "node:assert/strict";
import { connect } from "../../../client/mod.ts";
import { memoryTokenStore, oauth } from "../../../client/auth/mod.ts";
import { oldSite } from "../old_site.ts";
import { authorizationSite } from "./authorization_server.ts";
import { network, person, refusal, refuse } from "./world.ts";

Deno.test("oauth asks nobody for the end of a session, and renews what can be renewed without a person", async () => {
  const server = authorizationSite("https://login.example.com");
  const url = "https://mcp.example.com/mcp";
  const { fetch } = network([server], {
    "https://mcp.example.com/.well-known/oauth-protected-resource/mcp": { resource: url, authorization_servers: [server.issuer] },
  });
  let opened = 0;
  const open = (page: URL): ReturnType<ReturnType<typeof person>> => {
    opened++;
    return person(fetch)(page, { signal: new AbortController().signal, redirectUri: "" });
  };
  const options = { fetch, open, redirectUri: "https://app.example.com/callback", store: memoryTokenStore() };
  const provider = oauth(options);
  const end = { url, method: "DELETE", signal: new AbortController().signal };
  await provider.credentials(end);
  assert.equal(await provider.challenged(refusal(), end), false);
  assert.equal(await provider.challenged(refusal({ status: 403, error: "insufficient_scope", scope: "more" }), end), false);
  assert.equal(opened, 0);

  const first = await refuse(provider, url);
  assert.ok(typeof first === "string");
  assert.equal(opened, 1);
  const later = { ...end };
  assert.equal(await provider.credentials(later), first);
  assert.equal(await provider.challenged(refusal(), later), true);
  assert.notEqual(await provider.credentials(later), first);
  assert.equal(opened, 1);
});

Deno.test("close() shows nobody a page for a session whose end the server refuses", async () => {
  const place = oldSite(() => undefined, { sessions: true, onDelete: () => new Response(null, { status: 401 }) });
  const opened: URL[] = [];
  const told: unknown[] = [];
  try {
    const auth = oauth({ allowInsecureLoopback: true, open: (page) => void opened.push(page) });
    const client = await connect(place.url, { auth, onError: (error) => void told.push(error) });
    await client.close();
    assert.deepEqual(opened, []);
    assert.deepEqual(told.map((error) => (error as { readonly reason?: unknown }).reason), ["unauthorized"]);
  } finally {
    await place.close();
  }
});
