/** Tests of sign-ins that several calls wait for, some of which are cancelled. */
import assert from "node:assert/strict";
import { oauth } from "../../../client/auth/mod.ts";
import type { AuthProvider, OAuthOptions } from "../../../client/auth/mod.ts";
import { person, refusal, world } from "./world.ts";
import type { World } from "./world.ts";

function flow(options: OAuthOptions): AuthProvider {
  return oauth({ allowInsecureLoopback: true, redirectUri: "http://localhost:3000/callback", ...options });
}

/** What `connect` does for one request that is refused. */
async function refused(auth: AuthProvider, there: World, signal: AbortSignal): Promise<unknown> {
  const request = { url: there.site.url, method: "POST", signal };
  await auth.credentials(request);
  const again = await auth.challenged(refusal({ resourceMetadata: `${there.server.issuer}/resource` }), request);
  return again ? await auth.credentials(request) : undefined;
}

/** A page that stays open until its signal aborts. */
function page(): { readonly open: NonNullable<OAuthOptions["open"]>; shown(): Promise<AbortSignal> } {
  const waiting: ((signal: AbortSignal) => void)[] = [];
  return {
    open: (_, { signal }) => {
      waiting.shift()?.(signal);
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    },
    shown: () => new Promise((resolve) => waiting.push(resolve)),
  };
}

Deno.test("cancelling one of several calls that wait for one sign-in leaves the others, which get its token (M-AUTH-110)", async () => {
  const there = world();
  const opened = Promise.withResolvers<AbortSignal>();
  const agreed = Promise.withResolvers<void>();
  let pages = 0;
  const auth = flow({
    open: async (url, info) => {
      pages++;
      opened.resolve(info.signal);
      await agreed.promise;
      return await person()(url, info);
    },
  });
  const calls = Array.from({ length: 4 }, () => new AbortController());
  const waiting = calls.map(({ signal }) => refused(auth, there, signal).catch((error: unknown) => error));
  const signal = await opened.promise;
  // The one that began it is one of them.
  for (const at of [0, 2]) {
    calls[at]?.abort(new Error(`left ${at}`));
    assert.match(String(await waiting[at]), new RegExp(`left ${at}`));
    assert.equal(signal.aborted, false);
  }
  agreed.resolve();
  const [, second, , fourth] = await Promise.all(waiting);
  assert.equal(typeof second, "string");
  assert.equal(second, fourth);
  assert.equal(pages, 1);
  await there.close();
});

Deno.test("a sign-in ends when all calls that wait for it were cancelled, and the next call signs in, however often that happens", async () => {
  const there = world();
  const shown = page();
  let isPatient = true;
  const auth = flow({ open: (url, info) => isPatient ? shown.open(url, info) : person()(url, info) });
  for (let round = 0; round < 5; round++) {
    const showing = shown.shown();
    const calls = Array.from({ length: 3 }, () => new AbortController());
    const waiting = calls.map(({ signal }) => refused(auth, there, signal).catch((error: unknown) => error));
    const signal = await Promise.race([showing, Promise.all(waiting).then((ended) => assert.fail(`nobody is asked: ${ended}`))]);
    const ended = new Promise((resolve) => signal.addEventListener("abort", resolve));
    for (const call of calls) call.abort(new Error("left"));
    for (const error of await Promise.all(waiting)) assert.match(String(error), /left/);
    await ended;
  }
  isPatient = false;
  assert.equal(typeof await refused(auth, there, new AbortController().signal), "string");
  await there.close();
});
