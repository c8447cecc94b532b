import assert from "node:assert/strict";
import { connect } from "../../../client/mod.ts";
import { querySecrets } from "../../../client/secrets/query_secrets.ts";

Deno.test("querySecrets takes values that are named as credentials, or do not read as words (M-AUTH-114)", () => {
  const secret: readonly (readonly [search: string, value: string])[] = [
    ["?api_key=sunshine", "sunshine"],
    ["?apiKey=sunshine", "sunshine"],
    ["?a=b&accessToken=open-sesame", "open-sesame"],
    ["?key=sunshine&a=b", "sunshine"],
    ["?X-Amz-Signature=sunshine", "sunshine"],
    ["?code=sunshine", "sunshine"],
    ["?sig=ab%2Bcd%3D", "ab%2Bcd%3D"],
    ["?a=k9Q2xz8WvT", "k9Q2xz8WvT"],
    ["?a=123e4567-e89b-12d3-a456-426614174000", "123e4567-e89b-12d3-a456-426614174000"],
    ["?a=qXzTrWkLmP", "qXzTrWkLmP"],
    ["?a=20251125", "20251125"],
    ["?a=abcdefghijklmnopqrstuvwxyz", "abcdefghijklmnopqrstuvwxyz"],
    ["?k9Q2xz8WvT", "k9Q2xz8WvT"],
    ["?a=sk-live_k9Q2xz8WvT==", "sk-live_k9Q2xz8WvT=="],
  ];
  for (const [search, value] of secret) assert.deepEqual(querySecrets(search), [value], search);
  for (
    const search of [
      "",
      "?",
      "?tool=get_weather",
      "?tool=getWeatherToday",
      "?tool=Get%20Weather+today",
      "?mode=PRODUCTION&tenant=acme-corporation",
      "?day=2025-11-25",
      "?protocol=2025-06-18&x",
      "?keyboard=mechanical",
      "?monkey=capuchin",
    ]
  ) {
    assert.deepEqual(querySecrets(search), [], search);
  }
});

Deno.test("words of the address's query stay readable in errors, and what is secret in it does not (M-AUTH-114)", async () => {
  const said = "The tool get_weather of tenant acme-corporation does not take k9Q2xz8WvT nor sunshine";
  const fetch = (): Promise<Response> =>
    Promise.resolve(Response.json({ jsonrpc: "2.0", id: 1, error: { code: -32603, message: said } }, { status: 500 }));
  const url = "https://h.example/mcp?tool=get_weather&tenant=acme-corporation&own=k9Q2xz8WvT&api_key=sunshine";
  await assert.rejects(connect(url, { fetch, protocol: "2025-11-25" }), (error: Error) => {
    assert.match(error.message, /The tool get_weather of tenant acme-corporation does not take \*\*\* nor \*\*\*/);
    return true;
  });
});
