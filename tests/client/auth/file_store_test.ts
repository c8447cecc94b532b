/** Tests of `client/auth/file_store.ts`. */
import assert from "node:assert/strict";
import nodeFiles from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { fileTokenStore, oauth } from "../../../client/auth/mod.ts";
import type { TokenStore } from "../../../client/auth/mod.ts";
import { connect } from "../../../client/mod.ts";
import { person, world } from "./world.ts";

async function withFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "causeway-store-" });
  try {
    await use(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function names(folder: string): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name).sort();
}

Deno.test("fileTokenStore keeps values in a file of its owner alone, and leaves nothing else behind (M-AUTH-114)", async () => {
  await withFolder(async (folder) => {
    const file = `${folder}/deep/er/tokens.json`;
    const store = fileTokenStore(file);
    assert.equal(await store.get("a"), undefined);
    await store.set("a", "1");
    await store.set("__proto__", "2");
    await fileTokenStore(new URL(`file://${file}`)).set("b", "3");
    assert.deepEqual([await store.get("a"), await store.get("__proto__"), await store.get("b")], ["1", "2", "3"]);
    await store.delete("a");
    assert.equal(await store.get("a"), undefined);
    assert.deepEqual(await names(`${folder}/deep/er`), ["tokens.json"]);
    if (Deno.build.os !== "windows") {
      assert.equal((await Deno.stat(file)).mode! & 0o777, 0o600);
      assert.equal((await Deno.stat(`${folder}/deep`)).mode! & 0o777, 0o700);
      await Deno.chmod(file, 0o644);
      await store.set("a", "1");
      assert.equal((await Deno.stat(file)).mode! & 0o777, 0o600);
    }
  });
});

Deno.test("fileTokenStore loses no change of writers that come together", async () => {
  await withFolder(async (folder) => {
    const stores = [fileTokenStore(`${folder}/t`), fileTokenStore(`${folder}/t`)];
    await Promise.all(Array.from({ length: 20 }, (_, at) => stores[at % 2]?.set(`k${at}`, String(at))));
    const values = await Promise.all(Array.from({ length: 20 }, (_, at) => stores[0]?.get(`k${at}`)));
    assert.deepEqual(values, Array.from({ length: 20 }, (_, at) => String(at)));
  });
});

Deno.test("fileTokenStore runs one holder of a key at a time, others beside it, and breaks the lock of a dead one", async () => {
  await withFolder(async (folder) => {
    const [one, two] = [fileTokenStore(`${folder}/t`), fileTokenStore(`${folder}/t`)];
    const log: string[] = [];
    const gate = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    const first = one.lock?.("a", async () => {
      started.resolve();
      await gate.promise;
      log.push("first");
    });
    await started.promise;
    const second = two.lock?.("a", () => Promise.resolve(void log.push("second")));
    await two.lock?.("b", () => Promise.resolve(void log.push("beside")));
    gate.resolve();
    await Promise.all([first, second]);
    assert.deepEqual(log, ["beside", "first", "second"]);
    await assert.rejects(Promise.resolve(one.lock?.("a", () => Promise.reject(new Error("no")))), { message: "no" });
    assert.deepEqual(await names(folder), []);
    const dead = `${folder}/t.write.lock`;
    for (const time of [new Date(0), new Date(Date.now() + 86_400_000)]) {
      await Deno.writeTextFile(dead, "somebody");
      await Deno.utime(dead, time, time);
      await one.set("x", "1");
    }
    assert.equal(await two.get("x"), "1");
    assert.deepEqual(await names(folder), ["t"]);
  });
});

Deno.test("fileTokenStore leaves a lock that somebody else took while it looked at a dead one's", async () => {
  await withFolder(async (folder) => {
    const lock = `${folder}/t.write.lock`;
    await Deno.writeTextFile(lock, "dead");
    await Deno.utime(lock, new Date(0), new Date(0));
    const { stat } = nodeFiles;
    let found: string | undefined;
    nodeFiles.stat = (async (path: string) => {
      nodeFiles.stat = stat;
      const facts = await stat(path);
      await Deno.writeTextFile(lock, "living");
      setTimeout(async () => {
        found = await Deno.readTextFile(lock);
        await Deno.remove(lock);
      }, 100);
      return facts;
    }) as typeof stat;
    try {
      await fileTokenStore(`${folder}/t`).set("x", "1");
    } finally {
      nodeFiles.stat = stat;
    }
    assert.equal(found, "living");
    assert.deepEqual(await names(folder), ["t"]);
  });
});

Deno.test("fileTokenStore says that its file is none, without what is in it", async () => {
  await withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/t`, "{secret-token");
    for (
      const use of [() => fileTokenStore(`${folder}/t`).get("a"), () => fileTokenStore(`${folder}/t`).set("a", "secret-value")]
    ) {
      await assert.rejects(async () => await use(), (error) => {
        assert.match(String(error), /not a token store/);
        assert.doesNotMatch(Deno.inspect(error), /secret-/);
        return true;
      });
    }
  });
});

Deno.test("processes that share a file make one refresh, and a server that watches for reuse is content (B049)", async () => {
  await withFolder(async (folder) => {
    const there = world();
    try {
      const file = `${folder}/tokens.json`;
      const store = fileTokenStore(file);
      const auth = oauth({ store, open: person(), redirectUri: "http://localhost:3000/callback", allowInsecureLoopback: true });
      await (await connect(there.site.url, { auth })).close();
      there.server.valid.clear();
      const program = fileURLToPath(new URL("./programs/shared_store.ts", import.meta.url));
      const run = () =>
        new Deno.Command(Deno.execPath(), { args: ["run", "-A", "--no-check", program, there.site.url, file] }).output();
      const outcomes = await Promise.all([run(), run()]);
      for (const { code, stderr } of outcomes) assert.equal(code, 0, new TextDecoder().decode(stderr));
      const grants = there.server.at("/token").map(({ params }) => params.get("grant_type"));
      assert.deepEqual(grants, ["authorization_code", "refresh_token"]);
      assert.equal(there.server.at("/authorize").length, 1);
    } finally {
      await there.close();
    }
  });
});

Deno.test("fileTokenStore waits for no lock any more when its signal aborts, and a client that is closed leaves no wait behind", async () => {
  await withFolder(async (folder) => {
    const file = `${folder}/tokens.json`;
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const { promise: taken, resolve: take } = Promise.withResolvers<void>();
    const holder = fileTokenStore(file).lock?.("a", async () => {
      take();
      await held;
    });
    await taken;
    const abort = new AbortController();
    const waiting = fileTokenStore(file).lock?.("a", () => Promise.reject(new Error("It ran")), abort.signal);
    abort.abort(new RangeError("Enough"));
    await assert.rejects(waiting as Promise<unknown>, /^RangeError: Enough/);
    release();
    await holder;

    const there = world();
    const locked = fileTokenStore(file);
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
    const signals: (AbortSignal | undefined)[] = [];
    const store: TokenStore = {
      ...locked,
      lock: (_key, _fn, signal) => {
        signals.push(signal);
        ask();
        return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
      },
    };
    const left = new AbortController();
    const auth = oauth({ allowInsecureLoopback: true, open: person(), store });
    const connecting = connect(there.site.url, { auth, signal: left.signal });
    await asked;
    left.abort();
    await assert.rejects(connecting, { name: "AbortError" });
    assert.equal(signals[0]?.aborted, true);
    await there.close();
  });
});
