/** Tests of `client/auth/host_lookup.ts` and of what requests of authorization make of its answers. */
import assert from "node:assert/strict";
import { lookupHost } from "../../../client/auth/host_lookup.ts";
import { AuthorizationError, oauth } from "../../../client/auth/mod.ts";
import type { HostLookup, OAuthOptions } from "../../../client/auth/mod.ts";
import { authorizationSite } from "./authorization_server.ts";
import { network, person, refusal, refuse } from "./world.ts";

const ISSUER = "https://as.example";
const PUBLIC = "203.0.113.9";

/** Asks for a token where the names of this network lead to the given addresses. */
async function attempt(options: OAuthOptions, endpoint = "https://h.example/mcp", metadata?: string) {
  const server = authorizationSite(ISSUER);
  const { origin } = new URL(endpoint);
  const document = { resource: origin, authorization_servers: [ISSUER] };
  const at = metadata ?? `${origin}/.well-known/oauth-protected-resource`;
  const net = network([server], { [at]: document });
  const auth = oauth({ fetch: net.fetch, open: person(net.fetch), redirectUri: "http://localhost:3000/callback", ...options });
  const challenge = refusal({ resourceMetadata: metadata });
  const [outcome] = await Promise.allSettled([refuse(auth, endpoint, challenge)]);
  return { outcome, urls: net.urls, server };
}

function names(addresses: Readonly<Record<string, readonly string[]>>): HostLookup {
  return (hostname) => addresses[hostname] ?? [PUBLIC];
}

function assertRefused({ outcome }: Awaited<ReturnType<typeof attempt>>, label: string): void {
  assert.equal(outcome?.status, "rejected", label);
  const { reason } = outcome as PromiseRejectedResult;
  assert.ok(reason instanceof AuthorizationError, label);
  assert.equal(reason.reason, "discovery_failed", label);
  assert.match(reason.message, /private network \(allowPrivateNetwork accepts that\)/, label);
}

const PRIVATE: readonly string[] = [
  "127.0.0.1",
  "127.8.9.1",
  "0.0.0.0",
  "10.0.0.1",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.1.1",
  "192.0.0.8",
  "198.18.0.1",
  "169.254.169.254",
  "100.64.0.1",
  "100.127.255.255",
  "::1",
  "::",
  "0:0:0:0:0:0:0:1",
  "::ffff:10.0.0.1",
  "::FFFF:7f00:1",
  "::10.0.0.1",
  "64:ff9b::10.0.0.1",
  "64:ff9b:1::1",
  "2002:a00:1::",
  "2002:a00::1",
  "2002:7f00:1::1",
  "fe80::1",
  "fe80::1%eth0",
  "fec0::1",
  "fd00:1234::1",
  "fc00::1",
];

const OPEN: readonly string[] = [
  PUBLIC,
  "8.8.8.8",
  "100.63.0.1",
  "100.128.0.1",
  "172.15.0.1",
  "172.32.0.1",
  "192.0.1.1",
  "198.17.0.1",
  "198.20.0.1",
  "2001:db8::1",
  "2002:808:808::1",
  "64:ff9b::8.8.8.8",
  "::ffff:8.8.8.8",
];

Deno.test("no request goes to a name that leads to a private, loopback or link-local address for a public server (M-AUTH-113)", async () => {
  for (const address of PRIVATE) {
    for (const list of [[address], [PUBLIC, address], [address, PUBLIC]]) {
      const found = await attempt({ lookup: names({ "as.example": list }) });
      assertRefused(found, String(list));
      assert.deepEqual(found.server.seen, [], String(list));
    }
  }
  const many = await attempt({ lookup: names({ "as.example": [...Array(1000).fill(PUBLIC), "10.0.0.1"] }) });
  assertRefused(many, "behind many public ones");
  for (const address of OPEN) {
    const { outcome } = await attempt({ lookup: names({ "as.example": [address] }) });
    assert.match(String((outcome as PromiseFulfilledResult<unknown>).value), /^secret-access/, address);
  }
});

Deno.test("the address that a challenge names, and every endpoint of an authorization server, is looked up before it is asked", async () => {
  const elsewhere = await attempt({ lookup: names({ "m.example": ["10.0.0.1"] }) }, undefined, "https://m.example/metadata");
  assertRefused(elsewhere, "resource_metadata");
  assert.deepEqual(elsewhere.urls, []);
  for (const member of ["token_endpoint", "registration_endpoint"]) {
    const server = authorizationSite(ISSUER, { metadata: { [member]: "https://inner.example/x" } });
    const net = network([server], {
      "https://h.example/.well-known/oauth-protected-resource": {
        resource: "https://h.example",
        authorization_servers: [ISSUER],
      },
    });
    const lookup = names({ "inner.example": ["192.168.0.1"] });
    const auth = oauth({ fetch: net.fetch, open: person(net.fetch), redirectUri: "http://localhost:3000/callback", lookup });
    await assert.rejects(refuse(auth, "https://h.example/mcp"), { message: /private network/ }, member);
    assert.ok(net.urls.every((url) => !url.includes("inner.example")), member);
  }
});

Deno.test("a private server, the server's own host, and allowPrivateNetwork are left alone", async () => {
  const inside = names({ "as.example": ["10.0.0.1"], "h.example": ["10.0.0.2"] });
  const cases = [
    [{ lookup: inside, allowPrivateNetwork: true }, undefined],
    [{ lookup: inside, allowInsecureLoopback: true }, "https://localhost/mcp"],
    [{ lookup: inside }, "https://10.0.0.7/mcp"],
    [{ lookup: names({ "h.example": ["10.0.0.2"] }) }, undefined],
  ] as const;
  for (const [options, endpoint] of cases) {
    const { outcome } = await attempt(options, endpoint);
    assert.match(String((outcome as PromiseFulfilledResult<unknown>).value), /^secret-access/, Deno.inspect(options));
  }
});

Deno.test("a look-up that fails, is not permitted or says nonsense leaves the request to decide", async () => {
  const lookups: readonly HostLookup[] = [
    () => {
      throw new Error("no resolver");
    },
    () => Promise.reject(new Error("not permitted")),
    () => [],
    () => ["no address", ""],
    () => undefined as never,
  ];
  for (const lookup of lookups) {
    const { outcome } = await attempt({ lookup });
    assert.match(String((outcome as PromiseFulfilledResult<unknown>).value), /^secret-access/);
  }
});

Deno.test("a look-up without end ends with its request", async () => {
  let begun: () => void = () => undefined;
  const looking = new Promise<void>((resolve) => begun = resolve);
  const lookup: HostLookup = () => {
    begun();
    return new Promise(() => undefined);
  };
  const document = { resource: "https://h.example", authorization_servers: [ISSUER] };
  const net = network([authorizationSite(ISSUER)], { "https://h.example/.well-known/oauth-protected-resource": document });
  const auth = oauth({ fetch: net.fetch, open: person(net.fetch), redirectUri: "http://localhost:3000/callback", lookup });
  const abort = new AbortController();
  const request = { url: "https://h.example/mcp", method: "POST", signal: abort.signal };
  const answer = Promise.resolve(auth.challenged(refusal(), request));
  await looking;
  abort.abort(new Error("given up"));
  await assert.rejects(answer, /given up/);
  assert.ok(net.urls.every((url) => url.startsWith("https://h.example/")));
});

Deno.test("lookupHost() gives what the system's resolver says, and fails for a name that it does not know", async () => {
  const found = await lookupHost("localhost");
  assert.ok(found.length > 0 && found.every((one) => one === "::1" || one.startsWith("127.")), String(found));
  await assert.rejects(lookupHost("no-such-host.invalid"));
});

Deno.test("lookupHost() fails, and asks nobody, where there is no resolver or the program may not ask it", async () => {
  const run = async (flags: readonly string[], more: readonly string[] = []): Promise<string> => {
    const path = new URL("./programs/look_up.ts", import.meta.url).pathname;
    const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["run", "--no-check", ...flags, path, ...more] }).output();
    return new TextDecoder().decode(stdout).trim();
  };
  assert.equal(await run([]), "Looking up a name: not permitted");
  assert.equal(await run(["--allow-net=localhost:443"]), "Looking up a name: not permitted");
  assert.match(await run(["--allow-net=localhost"]), /^(?:127\.0\.0\.1|::1)/);
  assert.equal(await run(["--allow-net"], ["without"]), "Looking up a name: the platform has no resolver");
});

Deno.test("names are looked up by the system's resolver when the program has no fetch of its own, and by none when it has", async () => {
  const asked: string[] = [];
  const real = Object.getOwnPropertyDescriptor(process, "getBuiltinModule") as PropertyDescriptor;
  const lookup = (hostname: string, _: unknown, done: (error: null, addresses: readonly { address: string }[]) => void) => {
    asked.push(hostname);
    done(null, [{ address: "10.0.0.1" }]);
  };
  Object.defineProperty(process, "getBuiltinModule", { configurable: true, value: () => ({ lookup }) });
  try {
    const { outcome } = await attempt({});
    assert.equal(outcome?.status, "fulfilled");
    assert.deepEqual(asked, []);
    const auth = oauth({ open: () => undefined, redirectUri: "https://app.example/callback" });
    const challenge = refusal({ resourceMetadata: "https://metadata.invalid/x" });
    await assert.rejects(refuse(auth, "https://h.invalid/mcp", challenge), { message: /private network/ });
    assert.deepEqual(asked, ["metadata.invalid"]);
  } finally {
    Object.defineProperty(process, "getBuiltinModule", real);
  }
});
