import assert from "node:assert/strict";
import { fileTokenStore, memoryTokenStore, oauth } from "../../client/auth/mod.ts";
import type { AuthProvider, OAuthOptions, TokenStore } from "../../client/auth/mod.ts";
import { connect } from "../../client/mod.ts";
import type { Client } from "../../client/mod.ts";
import { startNotesServer } from "../../examples/authorization/notes_server.ts";
import { callFiveTimes, inWorld, LOCAL } from "./authorization_world.ts";
import { later } from "./later.ts";
import { person } from "./person.ts";
import { tokenRequests } from "./token_requests.ts";

Deno.test("two processes that share the file store make one refresh, and neither asks anybody", async () => {
  await inWorld(async ({ url, count }) => {
    const folder = await Deno.makeTempDir({ prefix: "causeway-store-" });
    try {
      const file = `${folder}/tokens.json`;
      const open = (): Promise<Client> =>
        connect(url, { auth: oauth({ ...LOCAL, open: person().open, store: fileTokenStore(file) }) });
      await (await open()).close();
      assert.deepEqual(["GET /auth", "POST /token"].map(count), [1, 1]);
      await age(file);
      const texts = await together([caller(url, file), caller(url, file)]);
      assert.deepEqual(texts, Array(2).fill(`${JSON.stringify(Array(5).fill("no notes"))}\n`));
      assert.deepEqual(["GET /auth", "POST /token"].map(count), [0, 1]);
      // A token that two had used would have ended all of its kin.
      await age(file);
      const client = await open();
      await callFiveTimes(client);
      await client.close();
      assert.deepEqual(["GET /auth", "POST /token"].map(count), [0, 1]);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
});

Deno.test("two clients in one process that share a store ask once, step up once and refresh once", async () => {
  await inWorld(async ({ url, count }) => {
    const store: TokenStore = memoryTokenStore();
    const ada = person();
    const open = (): Promise<Client> => connect(url, { auth: oauth({ ...LOCAL, open: ada.open, store }) });
    const [one, two] = await Promise.all([open(), open()]);
    assert.deepEqual(["POST /reg", "GET /auth", "POST /token"].map(count), [1, 1, 1]);
    await later(600, () => Promise.all([callFiveTimes(one), callFiveTimes(two)]));
    assert.deepEqual(["GET /auth", "POST /token"].map(count), [0, 1]);
    await Promise.all([one, two].map((client) => client.callTool("add_note", { text: "a" })));
    assert.deepEqual(["POST /reg", "GET /auth", "POST /token"].map(count), [0, 1, 1]);
    assert.deepEqual(ada.pages, ["Sign in", "Allow access?", "Allow access?"]);
    await one.close();
    await two.close();
  });
});

Deno.test("clients of two servers that trust one authorization server register beside each other, and each renews its own token", async () => {
  await inWorld(async ({ url, issuer, protect, count }) => {
    const other = await startNotesServer(issuer);
    protect(other.url);
    const store = memoryTokenStore();
    // Both listen for their redirects at the same time, so that they cannot share an address.
    const both = Promise.withResolvers<void>();
    let waiting = 0;
    const auth = (): AuthProvider => {
      const ada = person();
      const open: OAuthOptions["open"] = async (page, info) => {
        if (++waiting === 2) both.resolve();
        await both.promise;
        return await ada.open(page, info);
      };
      return oauth({ ...LOCAL, open, store });
    };
    const clients = await Promise.all([url, other.url].map((server) => connect(server, { auth: auth() })));
    try {
      assert.deepEqual(["POST /reg", "GET /auth", "POST /token"].map(count), [2, 2, 2]);
      for (const round of [1, 2]) await later(600 * round, () => Promise.all(clients.map(callFiveTimes)));
      assert.deepEqual(["POST /reg", "GET /auth", "POST /token"].map(count), [0, 0, 4]);
    } finally {
      await Promise.all(clients.map((client) => client.close()));
      await other.close();
    }
  });
});

Deno.test("a registration that the authorization server has forgotten is not used again, and those beside it are", async () => {
  await inWorld(async ({ url, issuer, protect, count }) => {
    const other = await startNotesServer(issuer);
    protect(other.url);
    const store = memoryTokenStore();
    const sent = tokenRequests();
    let forgotten: string | null | undefined;
    const forgetful: typeof globalThis.fetch = async (input, init) => {
      const client = new URLSearchParams(String(init?.body ?? "")).get("client_id");
      if (forgotten !== undefined && client === forgotten) return Response.json({ error: "invalid_client" }, { status: 401 });
      return await sent.fetch(input, init);
    };
    // Each comes back to an address of its own, so the second registers beside the first.
    const open = (server: string, name: string): Promise<Client> => {
      const redirectUri = `https://${name}.example/callback`;
      return connect(server, { auth: oauth({ ...LOCAL, redirectUri, open: person().open, store, fetch: forgetful }) });
    };
    const one = await open(url, "one");
    const two = await open(other.url, "two");
    try {
      forgotten = sent.forms[0]?.get("client_id");
      assert.deepEqual(["POST /reg", "GET /auth", "POST /token"].map(count), [2, 2, 2]);
      await later(600, () => callFiveTimes(two));
      assert.deepEqual(["POST /reg", "GET /auth", "POST /token"].map(count), [0, 0, 1]);
      await later(600, () => callFiveTimes(one));
      assert.deepEqual(["POST /reg", "GET /auth", "POST /token"].map(count), [1, 1, 1]);
      await later(1200, () => Promise.all([callFiveTimes(one), callFiveTimes(two)]));
      assert.deepEqual(["POST /reg", "GET /auth", "POST /token"].map(count), [0, 0, 2]);
    } finally {
      await one.close();
      await two.close();
      await other.close();
    }
  });
});

/** Makes the tokens of a store as old as if their time had passed. */
async function age(file: string): Promise<void> {
  const values: Record<string, string> = JSON.parse(await Deno.readTextFile(file));
  let aged = 0;
  for (const [key, text] of Object.entries(values)) {
    const value = JSON.parse(text);
    if (typeof value.expiresAt !== "number") continue;
    values[key] = JSON.stringify({ ...value, expiresAt: 1, renewAt: 1 });
    aged++;
  }
  assert.equal(aged, 1);
  await Deno.writeTextFile(file, JSON.stringify(values));
}

function caller(url: string, file: string): Deno.ChildProcess {
  const program = new URL("./programs/authorized_caller.ts", import.meta.url).pathname;
  const args = ["run", "-A", "--cached-only", "--no-check", program, url, file];
  return new Deno.Command(Deno.execPath(), { args, stdin: "piped", stdout: "piped", stderr: "inherit" }).spawn();
}

/** Starts programs on their work when all of them are ready; gives what they say. */
async function together(children: readonly Deno.ChildProcess[]): Promise<string[]> {
  const readers = children.map(({ stdout }) => stdout.pipeThrough(new TextDecoderStream()).getReader());
  for (const reader of readers) assert.equal((await reader.read()).value, "ready\n");
  await Promise.all(children.map(async ({ stdin }) => {
    const writer = stdin.getWriter();
    await writer.write(new Uint8Array([10]));
    await writer.close();
  }));
  return await Promise.all(children.map(async ({ status }, at) => {
    let text = "";
    for (let read = await readers[at]!.read(); !read.done; read = await readers[at]!.read()) text += read.value;
    assert.equal((await status).code, 0);
    return text;
  }));
}
