/** Tests of `server/http/origin.ts`. */
import assert from "node:assert/strict";
import { createOriginGuard } from "../../../server/http/origin.ts";

Deno.test("createOriginGuard lets loopback through, on any port and in any case (B030, M-HTTP-002)", () => {
  const guard = createOriginGuard();
  for (const host of ["localhost", "LOCALHOST:3000", "127.0.0.1", "127.8.9.1:80", "[::1]", "[::1]:3000", "app.localhost:1"]) {
    assert.equal(guard.hostFault(host), undefined, host);
  }
  for (
    const origin of [
      "http://localhost:5173",
      "http://127.0.0.1",
      "http://[::1]:5173",
      "HTTP://LOCALHOST:3000",
      "https://localhost",
    ]
  ) {
    assert.equal(guard.originFault(origin), undefined, origin);
  }
});

Deno.test("createOriginGuard refuses what is foreign, degenerate or looks alike (B030, M-HTTP-003)", () => {
  const guard = createOriginGuard();
  const hosts = [
    "evil.example",
    "localhost.evil.example",
    "localhost@evil.example",
    "127.0.0.1.evil.example",
    "1270.0.0.1",
    "localhost:80:80",
    "localhost/",
    "",
    "a b",
    "[::1",
    "[::2]",
    "0.0.0.0",
    "localhost.",
    "evil-localhost",
  ];
  for (const host of hosts) assert.match(guard.hostFault(host)?.sentence ?? "", /^(?:Forbidden|Bad request): /, host);
  assert.match(guard.hostFault(null)?.sentence ?? "", /^Forbidden: the Host header is missing/);
  const origins = [
    "null",
    "",
    "http://",
    "file://",
    "https://evil.example",
    "http://localhost.evil.example",
    "http://localhost/path",
    "http://user@localhost",
    "http://localhost, http://evil.example",
    "ftp://localhost",
    "localhost",
    "http://localhost:99999",
    "http://localhost\\evil.example",
  ];
  for (const origin of origins) assert.match(guard.originFault(origin)?.sentence ?? "", /^Forbidden: /, origin);
});

Deno.test("createOriginGuard lets configured hosts through, with their port or on any", () => {
  const guard = createOriginGuard(["MCP.example.com", "other.example.com:8443"]);
  for (const host of ["mcp.example.com", "mcp.example.com:443", "MCP.EXAMPLE.COM:9", "other.example.com:8443"]) {
    assert.equal(guard.hostFault(host), undefined, host);
  }
  for (const host of ["other.example.com", "other.example.com:443", "x.mcp.example.com"]) assert.ok(guard.hostFault(host), host);
});

Deno.test("createOriginGuard takes configured origins by scheme, host and port", () => {
  const guard = createOriginGuard([], ["https://app.example.com", "http://app.example.com:8080"]);
  for (
    const origin of [
      "https://app.example.com",
      "https://APP.example.com",
      "https://app.example.com:443",
      "http://app.example.com:8080",
    ]
  ) {
    assert.equal(guard.originFault(origin), undefined, origin);
  }
  for (const origin of ["http://app.example.com", "https://app.example.com:8443", "https://x.app.example.com"]) {
    assert.ok(guard.originFault(origin), origin);
  }
});

Deno.test("createOriginGuard decides again for each value", () => {
  const guard = createOriginGuard();
  for (let round = 0; round < 2; round++) {
    assert.equal(guard.hostFault("localhost"), undefined);
    assert.ok(guard.hostFault("evil.example"));
    assert.ok(guard.hostFault("evil.example"));
  }
});

Deno.test("createOriginGuard names what is wrong with its options", () => {
  assert.throws(() => createOriginGuard(["a", "https://b"]), /^TypeError: hosts\[1\]: Expected a host/);
  assert.throws(() => createOriginGuard(["*"]), /^TypeError: hosts\[0\]: /);
  assert.throws(() => createOriginGuard([7 as never]), /^TypeError: hosts\[0\]: /);
  for (const origin of ["app.example.com", "https://app.example.com/", "*", "null", 7]) {
    assert.throws(() => createOriginGuard([], [origin as never]), /^TypeError: origins\[0\]: Expected an origin/, String(origin));
  }
});

Deno.test("createOriginGuard() compares configured IPv6 hosts in their normal form", () => {
  const guard = createOriginGuard(["[2001:DB8:0::1]", "[2001:db8::2]:8443"]);
  for (const host of ["[2001:db8::1]", "[2001:db8::1]:3000", "[2001:db8::2]:8443"]) {
    assert.equal(guard.hostFault(host), undefined, host);
  }
  assert.match(guard.hostFault("[2001:db8::2]:1")?.sentence ?? "", /hosts/);
});

Deno.test("the guard says of which option a host or an origin is not", () => {
  const guard = createOriginGuard();
  const end = "of this server";
  assert.equal(
    guard.hostFault("evil.example")?.sentence,
    `Forbidden: the Host header names a host that is not among the option hosts ${end}`,
  );
  assert.equal(
    guard.originFault("https://evil.example")?.sentence,
    `Forbidden: the Origin header names an origin that is not among the option origins ${end}`,
  );
});

Deno.test("the guard takes a host with an empty port as the host alone (RFC 3986 § 3.2.3)", () => {
  const guard = createOriginGuard(["mcp.example.com", "other.example.com:8443"]);
  for (const host of ["localhost:", "LOCALHOST:", "127.0.0.1:", "[::1]:", "mcp.example.com:"]) {
    assert.equal(guard.hostFault(host), undefined, host);
  }
  for (const host of ["evil.example:", "other.example.com:", "[::2]:"]) {
    assert.match(guard.hostFault(host)?.sentence ?? "", /^Forbidden: /);
  }
  assert.match(guard.hostFault("localhost::")?.sentence ?? "", /^Bad request: /);
  assert.match(guard.hostFault(":")?.sentence ?? "", /^Bad request: /);
  // Who leaves the port out by mistake would let every port in.
  assert.throws(() => createOriginGuard(["mcp.example.com:"]), /^TypeError: hosts\[0\]: Expected a host/);
});

Deno.test("the guard tells what is no host from a host that is refused (RFC 9112 § 3.2)", () => {
  const guard = createOriginGuard();
  for (const host of ["", "a b", "localhost/", "localhost@evil.example", "localhost, evil.example", "localhost:99999", "[::1"]) {
    assert.deepEqual(guard.hostFault(host), { status: 400, sentence: "Bad request: the Host header is not a host" }, host);
  }
});
