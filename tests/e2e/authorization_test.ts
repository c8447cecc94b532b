import assert from "node:assert/strict";
import { memoryTokenStore, oauth } from "../../client/auth/mod.ts";
import type { OAuthOptions } from "../../client/auth/mod.ts";
import { AuthorizationError, connect, textOf } from "../../client/mod.ts";
import { inWorld, LOCAL } from "./authorization_world.ts";
import { tokenRequests } from "./token_requests.ts";
import { person } from "./person.ts";

Deno.test("oauth goes through sign-in and consent of a real authorization server with PKCE, and the token is for the server alone (M-AUTH-010, M-AUTH-066, M-AUTH-067, M-AUTH-068, M-AUTH-117, M-AUTH-119, M-AUTH-123)", async () => {
  await inWorld(async ({ url, issuer, count }) => {
    const ada = person();
    const sent = tokenRequests();
    const opened: URL[] = [];
    const open: OAuthOptions["open"] = (page, info) => {
      opened.push(page);
      return ada.open(page, info);
    };
    await using client = await connect(url, { auth: oauth({ ...LOCAL, open, fetch: sent.fetch }) });
    assert.equal(textOf(await client.callTool("list_notes")), "no notes");
    assert.deepEqual(ada.pages, ["Sign in", "Allow access?"]);
    assert.deepEqual(ada.allowed, [["Read your notes", "Stay signed in until you take it back"]]);
    assert.deepEqual(["POST /reg", "GET /auth", "POST /token"].map(count), [1, 1, 1]);
    const [asked] = opened.map(({ searchParams }) => searchParams);
    const [form] = sent.forms;
    assert.equal(asked?.get("code_challenge_method"), "S256");
    assert.match(form?.get("code_verifier") ?? "", /^[\w.~-]{43,128}$/);
    assert.deepEqual([asked?.get("resource"), form?.get("resource")], [url, url]);
    assert.equal(form?.get("redirect_uri"), asked?.get("redirect_uri"));
    const { aud, iss, sub, scope } = sent.claims();
    assert.deepEqual({ aud, iss, sub, scope }, { aud: url, iss: issuer, sub: "ada", scope: "notes:read" });
  });
});

Deno.test("a code without its verifier is worth nothing: the client says what the authorization server said", async () => {
  await inWorld(async ({ url, count }) => {
    const sent = tokenRequests({ change: (form) => form.set("code_verifier", "x".repeat(43)) });
    const auth = oauth({ ...LOCAL, open: person().open, fetch: sent.fetch });
    await assert.rejects(connect(url, { auth }), (error) => {
      assert.ok(error instanceof AuthorizationError);
      assert.equal(error.reason, "token_request_failed");
      return /invalid_grant/.test(error.message);
    });
    assert.equal(count("POST /token"), 1);
  });
});

Deno.test("a person who says no is asked once, and the caller hears of it", async () => {
  await inWorld(async ({ url, count }) => {
    const ada = person({ answer: "no" });
    await assert.rejects(connect(url, { auth: oauth({ ...LOCAL, open: ada.open }) }), (error) => {
      assert.ok(error instanceof AuthorizationError);
      assert.equal(error.reason, "denied");
      return /access_denied \(The person said no\)/.test(error.message);
    });
    assert.deepEqual(["GET /auth", "POST /token"].map(count), [1, 0]);
  });
});

Deno.test("the authorization server gives no token for a resource that it does not know", async () => {
  await inWorld(async ({ url, count }) => {
    const ada = person();
    const open: OAuthOptions["open"] = (page, info) => {
      page.searchParams.set("resource", "https://elsewhere.example/mcp");
      return ada.open(page, info);
    };
    await assert.rejects(connect(url, { auth: oauth({ ...LOCAL, open }) }), /invalid_target/);
    assert.equal(count("POST /token"), 0);
  });
});

Deno.test("the address of a metadata document is the client's identifier, and nothing is registered (M-AUTH-007, M-AUTH-027)", async () => {
  const clientMetadataUrl = "https://notes.example/client.json";
  const fetched: string[] = [];
  const documents: typeof globalThis.fetch = (input) => {
    fetched.push(String(input));
    return Promise.resolve(Response.json({
      client_id: clientMetadataUrl,
      client_name: "Notes of the web",
      application_type: "native",
      // RFC 8252 § 7.3: the port is chosen when the client asks.
      redirect_uris: ["http://127.0.0.1/callback"],
      grant_types: ["authorization_code", "refresh_token"],
      token_endpoint_auth_method: "none",
    }));
  };
  await inWorld(async ({ url, count }) => {
    const ada = person();
    const sent = tokenRequests();
    const auth = oauth({ ...LOCAL, clientMetadataUrl, open: ada.open, fetch: sent.fetch });
    await using client = await connect(url, { auth });
    assert.equal(textOf(await client.callTool("list_notes")), "no notes");
    assert.deepEqual(fetched, [clientMetadataUrl]);
    assert.equal(sent.forms[0]?.get("client_id"), clientMetadataUrl);
    assert.deepEqual(["POST /reg", "POST /token"].map(count), [0, 1]);
  }, { fetch: documents });
});

Deno.test("step-up asks once for what was granted before and what is needed now, however many calls need it (M-AUTH-106)", async () => {
  await inWorld(async ({ url, count }) => {
    const ada = person();
    await using client = await connect(url, { auth: oauth({ ...LOCAL, open: ada.open }) });
    assert.deepEqual(["POST /reg", "GET /auth", "POST /token"].map(count), [1, 1, 1]);
    const texts = ["a", "b", "c", "d", "e"];
    const added = await Promise.all(texts.map((text) => client.callTool("add_note", { text })));
    assert.deepEqual(added.map(textOf), texts.map(() => "kept"));
    assert.deepEqual(["POST /reg", "GET /auth", "POST /token"].map(count), [0, 1, 1]);
    assert.deepEqual(ada.scopes.at(-1)?.toSorted(), ["notes:read", "notes:write", "offline_access"]);
    assert.deepEqual(ada.pages, ["Sign in", "Allow access?", "Allow access?"]);
    assert.equal(textOf(await client.callTool("add_note", { text: "f" })), "kept");
    assert.equal(textOf(await client.callTool("list_notes")).split("\n").toSorted().join(""), "abcdef");
    assert.deepEqual(["GET /auth", "POST /token"].map(count), [0, 0]);
  });
});

Deno.test("step-up to which a person says no is an error of that call, and leaves the tokens of before (M-AUTH-105, M-AUTH-111)", async () => {
  await inWorld(async ({ url, count }) => {
    let answer: "yes" | "no" = "yes";
    const store = memoryTokenStore();
    const open: OAuthOptions["open"] = (page, info) => person({ answer }).open(page, info);
    await using client = await connect(url, { auth: oauth({ ...LOCAL, open, store }) });
    answer = "no";
    await assert.rejects(client.callTool("add_note", { text: "x" }), AuthorizationError);
    count("GET /auth");
    assert.equal(textOf(await client.callTool("list_notes")), "no notes");
    assert.equal(count("GET /auth"), 0);
    // The same scopes are not asked for again and again.
    await assert.rejects(client.callTool("add_note", { text: "x" }));
    assert.equal(count("GET /auth"), 0);
  });
});
