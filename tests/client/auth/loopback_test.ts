/** Tests of `client/auth/loopback.ts`, and of `oauth` with its listener. */
import assert from "node:assert/strict";
import { ROOT } from "../../../scripts/command.ts";
import { browserCommand, listenForRedirect, openBrowser } from "../../../client/auth/loopback.ts";
import { memoryTokenStore, oauth } from "../../../client/auth/mod.ts";
import { connect } from "../../../client/mod.ts";
import { until } from "../../until.ts";
import { world } from "./world.ts";

const ANY = new URL("http://127.0.0.1:0/callback");
const never = new AbortController().signal;

async function get(url: string | URL): Promise<number> {
  const response = await fetch(url);
  assert.doesNotMatch(await response.text(), /secret|error/);
  return response.status;
}

Deno.test("listenForRedirect takes the first redirect that is accepted, and nothing else", async () => {
  const listener = await listenForRedirect(ANY, (parameters) => parameters.get("state") === "s");
  assert.ok(listener !== undefined);
  try {
    const at = (query: string): string => `${listener.redirectUri}?${query}`;
    assert.match(listener.redirectUri, /^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    assert.equal(await get(at("state=other&code=secret")), 400);
    assert.equal(await get(listener.redirectUri.replace("callback", "favicon.ico")), 404);
    const posted = await fetch(at("state=s&code=secret"), { method: "POST" });
    assert.equal(posted.status, 404);
    await posted.body?.cancel();
    const waiting = listener.wait(never);
    const [parameters, status] = await Promise.all([waiting, get(at("state=s&code=k&error_description=%3Cscript%3E"))]);
    assert.equal(status, 200);
    assert.equal(parameters.get("code"), "k");
  } finally {
    listener.close();
  }
});

Deno.test("listenForRedirect survives requests for what is no address, and its end closes connections that others hold open", async () => {
  const listener = await listenForRedirect(ANY, () => true);
  assert.ok(listener !== undefined);
  const port = Number(new URL(listener.redirectUri).port);
  const connection = await Deno.connect({ hostname: "127.0.0.1", port });
  try {
    for (const target of ["//[", "http://[", "//:x"]) {
      const odd = await Deno.connect({ hostname: "127.0.0.1", port });
      await odd.write(new TextEncoder().encode(`GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`));
      const status = new TextDecoder().decode((await new Response(odd.readable).bytes()).subarray(0, 12));
      assert.match(status, /^HTTP\/1\.1 40[04]$/);
    }
    await connection.write(new TextEncoder().encode("GET /callback HT"));
    const [, status] = await Promise.all([listener.wait(never), get(listener.redirectUri)]);
    assert.equal(status, 200);
    listener.close();
    // The port's end is the connection's end; otherwise this read would wait for ever.
    assert.equal(await connection.read(new Uint8Array(1)).catch(() => null), null);
  } finally {
    listener.close();
    connection.close();
  }
});

Deno.test("listenForRedirect ends by its signal, and gives up where the port is taken", async () => {
  const listener = await listenForRedirect(ANY, () => true);
  assert.ok(listener !== undefined);
  const abort = new AbortController();
  const waiting = listener.wait(abort.signal);
  assert.equal(await listenForRedirect(new URL(listener.redirectUri), () => true), undefined);
  abort.abort(new Error("enough"));
  await assert.rejects(waiting, { message: "enough" });
  listener.close();
  const again = await listenForRedirect(new URL(listener.redirectUri), () => true);
  assert.ok(again !== undefined);
  again.close();
});

Deno.test("openBrowser opens neither scripts nor files nor plain http, and no shell reads the address", async () => {
  for (
    const url of ["javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "http://as.example/", "ftp://as.example/"]
  ) {
    await assert.rejects(openBrowser(new URL(url)), { kind: "authorization", reason: "denied" }, url);
  }
  const url = new URL('https://as.example/a?x=1&calc.exe&y="$(id)`id`;|^%26 z#&').href;
  assert.doesNotMatch(url.replace(/[^\s"]/g, ""), /./);
  for (const platform of ["win32", "darwin", "linux"]) {
    const [command, args] = browserCommand(platform, url);
    assert.doesNotMatch(command, /cmd|sh$|powershell/);
    assert.equal(args.at(-1), url);
  }
});

/** The program that opens pages here, without its arguments. */
const [opener] = browserCommand(Deno.build.os === "windows" ? "win32" : Deno.build.os, "");

Deno.test("openBrowser needs the permission to start the browser and no other, and hands it the environment", {
  ignore: Deno.build.os === "windows",
}, async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(
      `${folder}/${opener}`,
      '#!/bin/sh\nprintf "%s %s" "$1" "$SHOWN_ON" > "$0.new" && mv "$0.new" "$0.out"\n',
    );
    await Deno.chmod(`${folder}/${opener}`, 0o700);
    const program = `${ROOT}/tests/client/auth/programs/open_browser.ts`;
    const env = { PATH: `${folder}:${Deno.env.get("PATH")}`, SHOWN_ON: "display-1" };
    // Started by Node's module, Deno would have all permissions.
    const run = async (...flags: string[]): Promise<string> => {
      const args = ["run", "--quiet", "--no-prompt", "--no-check", ...flags, program];
      return new TextDecoder().decode((await new Deno.Command(Deno.execPath(), { args, env }).output()).stdout).trim();
    };
    assert.match(await run(), /^AuthorizationError: Opening the browser: /);
    assert.equal(await run(`--allow-run=${opener}`), "opened");
    const shown = (): Promise<string> => Deno.readTextFile(`${folder}/${opener}.out`).catch(() => "");
    await until(async () => await shown() !== "");
    assert.equal(await shown(), "https://as.example/authorize?a=1&b=%20 display-1");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("oauth waits on its listener for the browser, and comes back to the same address where it is registered", async () => {
  const there = world();
  const store = memoryTokenStore();
  const visited: string[] = [];
  const flow = () =>
    oauth({
      store,
      allowInsecureLoopback: true,
      open: async (url, { redirectUri }) => {
        visited.push(redirectUri);
        const response = await fetch(url);
        assert.equal(response.status, 200);
        await response.body?.cancel();
      },
    });
  try {
    for (let round = 0; round < 2; round++) {
      const client = await connect(there.site.url, { auth: flow() });
      await client.callTool("x");
      await client.close();
      there.server.valid.clear();
      there.server.lies = {
        answer: (_, { params }) =>
          params.get("grant_type") === "refresh_token" ? Response.json({ error: "invalid_grant" }, { status: 400 }) : undefined,
      };
    }
    assert.equal(new Set(visited).size, 1);
    assert.equal(visited.length, 2);
    assert.equal(there.server.at("/register").length, 1);
  } finally {
    await there.close();
  }
});
