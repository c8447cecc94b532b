import assert from "node:assert/strict";
import { connect } from "../../client/mod.ts";
import { HttpEndpoint } from "../../transports/http_endpoint.ts";
import { oldSite } from "../client/old_site.ts";
import { deferred } from "../client/scripted.ts";

Deno.test("send() waits for no fetch that does not hear its signal, and gives up the answer that comes afterwards", async () => {
  const late = deferred<Response>();
  const endpoint = new HttpEndpoint(new URL("https://example.com/mcp"), { fetch: () => late.promise });
  const abort = new AbortController();
  const sent = endpoint.send({ method: "GET", headers: [], signal: abort.signal });
  abort.abort();
  await assert.rejects(sent, { reason: "unreachable" });
  const cancelled = deferred();
  late.resolve(new Response(new ReadableStream({ cancel: () => cancelled.resolve() })));
  await cancelled.promise;
});

Deno.test("close() ends while the credentials of the GET stream are waited for, and while a fetch that hears no signal runs", async () => {
  const endless = new Promise<never>(() => undefined);
  const site = oldSite(() => undefined, { sessions: true });
  try {
    for (const how of ["credentials", "fetch"]) {
      const asked = deferred();
      const hang = (): Promise<never> => {
        asked.resolve();
        return endless;
      };
      const isGet = (method: string | undefined): boolean => method === "GET";
      const client = await connect(site.url, {
        onLog: () => undefined,
        ...(how === "fetch" ? { fetch: (url, init) => isGet(init?.method) ? hang() : fetch(url, init) } : {
          auth: { credentials: ({ method }) => isGet(method) ? hang() : "a-token-of-some-length", challenged: () => false },
        }),
      });
      await asked.promise;
      await client.close();
    }
  } finally {
    await site.close();
  }
});
