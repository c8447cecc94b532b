import assert from "node:assert/strict";
import { CacheCredentials } from "../../../client/cache/cache_credentials.ts";

const NEVER = new AbortController().signal;

Deno.test("CacheCredentials compares what a request would carry: headers of both, names in any case, no proofs", async () => {
  const text = (
    headers: readonly (readonly [string, string])[],
    given: string | Record<string, string> | undefined,
  ): Promise<string> =>
    new CacheCredentials({
      endpoint: "https://h/mcp",
      headers,
      provider: { credentials: () => typeof given === "object" ? { headers: given } : given, challenged: () => false },
    }).current(NEVER);
  const same = [
    await text([["cookie", "c"]], "t"),
    await text([["cookie", "c"], ["authorization", "replaced"]], "t"),
    await text([], { Authorization: "Bearer t", Cookie: "c" }),
    await text([], { COOKIE: "c", authorization: "Bearer t", DPoP: "x" }),
  ];
  assert.equal(new Set(same).size, 1);
  const different = [
    same[0],
    await text([], "t"),
    await text([], undefined),
    await text([["cookie", "c"]], undefined),
    await text([["cookie", "d"]], "t"),
  ];
  assert.equal(new Set(different).size, different.length);
});

Deno.test("CacheCredentials asks its provider every time, with the endpoint", async () => {
  const asked: string[] = [];
  const credentials = new CacheCredentials({
    endpoint: "https://h/mcp",
    headers: [],
    provider: {
      credentials: ({ url, method, signal }) => {
        asked.push(`${method} ${url} ${signal === NEVER}`);
        return `${asked.length}`;
      },
      challenged: () => false,
    },
  });
  assert.notEqual(await credentials.current(NEVER), await credentials.current(NEVER));
  assert.deepEqual(asked, Array(2).fill("POST https://h/mcp true"));
});

Deno.test("CacheCredentials tells its listeners with what requests leave, until they have had enough", async () => {
  const credentials = new CacheCredentials({ endpoint: undefined, headers: [["cookie", "c"]], provider: undefined });
  const heard: string[] = [];
  const listener = (credential: string): void => void heard.push(credential);
  const ends = [credentials.listen(listener), credentials.listen(listener)];
  credentials.sent(undefined);
  assert.deepEqual(heard, Array(2).fill(await credentials.current(NEVER)));
  ends[0]?.();
  credentials.sent("t");
  assert.equal(heard.length, 3);
  ends[1]?.();
  credentials.sent("t");
  assert.equal(heard.length, 3);
});
