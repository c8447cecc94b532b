/** Tests of the classification where handshake revisions are served too: every row of what may come in, on every carrier. */
import assert from "node:assert/strict";
import { classify, isModern, versionHeaderFault } from "../../protocol/classification.ts";
import type { Classified, KnownConnection } from "../../protocol/classification.ts";
import type { Dialect } from "../../protocol/dialect.ts";
import { DIALECTS } from "../loaded_dialects.ts";
import type { JsonObject, JsonValue } from "../../protocol/json.ts";
import type { HandshakeState } from "../../protocol/lifecycle.ts";
import { META } from "../../protocol/meta.ts";
import type { JsonRpcMessage, JsonRpcRequest } from "../../protocol/types.ts";

const [MODERN, NEWEST, OLDEST] = DIALECTS.map(({ version }) => version) as [string, string, string];
const ALL = [MODERN, NEWEST, OLDEST];
const HANDSHAKES = DIALECTS.filter(({ handshake }) => handshake !== undefined);

const modernMeta = (version: JsonValue = MODERN): JsonObject => ({
  [META.protocolVersion]: version,
  [META.clientCapabilities]: {},
});

function request(method: string, meta?: JsonValue, params: JsonObject = {}): JsonRpcRequest {
  return { jsonrpc: "2.0", id: 1, method, params: meta === undefined ? params : { ...params, _meta: meta } };
}

const hello = (version: JsonValue): JsonRpcRequest =>
  request("initialize", undefined, { protocolVersion: version, capabilities: {}, clientInfo: { name: "c", version: "1" } });

const stateOf = (version: string): HandshakeState => ({
  version,
  clientInfo: { name: "c", version: "1" },
  clientCapabilities: { roots: {} },
  initialized: true,
  logLevel: "error",
  subscriptions: [],
});

const FRESH: KnownConnection = { state: undefined, lasting: true };
const opened = (version: string): KnownConnection => ({ state: stateOf(version), lasting: true });

interface Options {
  readonly headers?: Record<string, string> | undefined;
  readonly served?: readonly Dialect[];
  readonly known?: KnownConnection | undefined;
}

/** The methods of each dialect are those of its revision, and an extension's. */
function run(message: JsonRpcRequest, { headers, served = DIALECTS, known }: Options = {}): Classified {
  const knows = (dialect: Dialect, method: string): boolean => dialect.hasRequest(method, "client") || method === "x/own";
  return classify(message, headers === undefined ? undefined : new Headers(headers), served, knows, known);
}

function versionOf(classified: Classified): string {
  assert.ok(classified.ok, sentenceOf(classified));
  return classified.dialect.version;
}

function refusal(classified: Classified): readonly [code: number, status: number] {
  assert.ok("error" in classified, "accepted");
  return [classified.error.code, classified.status];
}

const dataOf = (classified: Classified): unknown => "error" in classified ? classified.error.data : undefined;
const sentenceOf = (classified: Classified): string => "error" in classified ? classified.error.message : "";

/** Headers of a stateless request. */
const modernHeaders = (method: string, version = MODERN): Record<string, string> => ({
  "mcp-protocol-version": version,
  "mcp-method": method,
});

// Carriers without headers.

for (const [name, known] of [["before initialize", FRESH], ["in a session", opened(NEWEST)]] as const) {
  Deno.test(`classify serves stateless requests ${name}, whatever the session is (M-VER-022, M-VER-024)`, () => {
    assert.equal(versionOf(run(request("tools/list", modernMeta()), { known })), MODERN);
    assert.equal(versionOf(run(request("x/own", modernMeta()), { known })), MODERN);
    assert.deepEqual(refusal(run(request("ping", modernMeta()), { known })), [-32601, 404]);
    assert.deepEqual(refusal(run(request("initialize", modernMeta()), { known })), [-32601, 404]);
  });

  Deno.test(`classify refuses stateless requests of other versions with -32022 ${name} (M-VER-001, M-VER-002, M-VER-003)`, () => {
    for (const version of ["2099-01-01", NEWEST, OLDEST, ""]) {
      const classified = run(request("tools/list", modernMeta(version)), { known });
      assert.deepEqual(refusal(classified), [-32022, 400], version);
      assert.deepEqual(dataOf(classified), { supported: ALL, requested: version });
    }
  });

  Deno.test(`classify refuses incomplete _meta, and server/discover without it, with -32602 ${name} (M-META-010)`, () => {
    for (const meta of [{ [META.protocolVersion]: MODERN }, { [META.clientCapabilities]: {} }, modernMeta(1), modernMeta(null)]) {
      assert.deepEqual(refusal(run(request("tools/list", meta), { known })), [-32602, 400], JSON.stringify(meta));
    }
    for (const method of ["server/discover", "subscriptions/listen"]) {
      assert.deepEqual(refusal(run(request(method), { known })), [-32602, 400]);
      assert.deepEqual(refusal(run({ jsonrpc: "2.0", id: 1, method }, { known })), [-32602, 400]);
    }
  });

  Deno.test(`classify answers ping ${name} (L-PING-001)`, () => {
    assert.ok(run(request("ping"), { known }).ok);
    assert.ok(run(request("ping", { progressToken: 1 }), { known }).ok);
    assert.ok(run({ jsonrpc: "2.0", id: 1, method: "ping" }, { known }).ok);
  });
}

Deno.test("classify takes initialize in the version that it proposes, or else in the newest with a handshake (M-VER-023, L-LIFE-009, L-LIFE-010, L-LIFE-011)", () => {
  for (const version of [NEWEST, OLDEST]) assert.equal(versionOf(run(hello(version), { known: FRESH })), version);
  for (const version of [MODERN, "2024-11-05", "2031-01-01", "", 7, null, ["2025-06-18"]]) {
    assert.equal(versionOf(run(hello(version), { known: FRESH })), NEWEST, JSON.stringify(version));
  }
  assert.equal(versionOf(run({ jsonrpc: "2.0", id: 1, method: "initialize" }, { known: FRESH })), NEWEST);
  const served = [DIALECTS[0], DIALECTS[2]] as Dialect[];
  assert.equal(versionOf(run(hello(NEWEST), { served, known: FRESH })), OLDEST);
});

Deno.test("classify refuses a second initialize with -32600", () => {
  for (const version of [NEWEST, OLDEST, "2031-01-01"]) {
    assert.deepEqual(refusal(run(hello(version), { known: opened(OLDEST) })), [-32600, 400]);
  }
});

Deno.test("classify refuses other requests before initialize with -32602, naming initialize and the versions (L-LIFE-001)", () => {
  for (const meta of [undefined, {}, { progressToken: 1 }, { traceparent: "x" }]) {
    const classified = run(request("tools/list", meta), { known: FRESH });
    assert.deepEqual(refusal(classified), [-32602, 400]);
    assert.deepEqual(dataOf(classified), { supported: ALL });
    for (const part of ["initialize", ...ALL]) assert.ok(sentenceOf(classified).includes(part), part);
  }
});

Deno.test("classify serves requests of a session in its revision, with what is known of the client (M-VER-025, L-LIFE-015)", () => {
  for (const version of [NEWEST, OLDEST]) {
    for (const meta of [undefined, {}, { progressToken: 1 }, { traceparent: "x" }]) {
      const classified = run(request("tools/call", meta, { name: "a" }), { known: opened(version) });
      assert.equal(versionOf(classified), version);
      assert.ok(classified.ok);
      const { clientInfo, clientCapabilities, logLevel } = classified.request;
      assert.deepEqual([clientInfo, clientCapabilities, logLevel], [{ name: "c", version: "1" }, { roots: {} }, "error"]);
    }
    assert.deepEqual(refusal(run(request("tasks/get"), { known: opened(version) })), [-32601, 200]);
    assert.deepEqual(refusal(run(request("tools/call", "odd"), { known: opened(version) })), [-32602, 200]);
  }
});

Deno.test("classify ends a session whose revision is served no more with 404", () => {
  const served = [DIALECTS[0], DIALECTS[2]] as Dialect[];
  assert.deepEqual(refusal(run(request("tools/list"), { served, known: opened(NEWEST) })), [-32600, 404]);
});

// HTTP.

Deno.test("classify serves stateless requests over HTTP beside a session (M-VER-022, M-VER-024)", () => {
  for (const known of [undefined, FRESH, opened(NEWEST)]) {
    const headers = modernHeaders("tools/list");
    assert.equal(versionOf(run(request("tools/list", modernMeta()), { headers, known })), MODERN);
  }
});

Deno.test("classify refuses stateless headers over a body without _meta with 400", () => {
  assert.deepEqual(refusal(run(request("tools/list"), { headers: modernHeaders("tools/list") })), [-32602, 400]);
  assert.deepEqual(refusal(run(request("tools/list"), { headers: { "mcp-protocol-version": MODERN } })), [-32020, 400]);
  assert.deepEqual(refusal(run(request("tools/list"), { headers: { "mcp-method": "tools/list" } })), [-32020, 400]);
  assert.deepEqual(refusal(run(hello(NEWEST), { headers: modernHeaders("initialize") })), [-32602, 400]);
  assert.deepEqual(refusal(run(hello(NEWEST), { headers: { "mcp-protocol-version": MODERN } })), [-32020, 400]);
});

Deno.test("classify refuses a handshake revision's header over a stateless body, and the reverse, with -32020 and 400 (M-HDR-003, B078)", () => {
  for (const version of [NEWEST, OLDEST]) {
    for (const headers of [{ "mcp-protocol-version": version }, modernHeaders("tools/list", version)]) {
      assert.deepEqual(refusal(run(request("tools/list", modernMeta()), { headers })), [-32020, 400]);
      const halfway = { [META.clientCapabilities]: {} };
      assert.deepEqual(refusal(run(request("tools/list", halfway), { headers })), [-32020, 400]);
      assert.match(
        JSON.stringify(run(request("tools/list", halfway), { headers })),
        /begins with initialize, but _meta is of a /,
      );
    }
    const headers = modernHeaders("tools/list");
    assert.deepEqual(refusal(run(request("tools/list", modernMeta(version)), { headers })), [-32020, 400]);
  }
});

Deno.test("classify does not read a missing header as an old version when the body is stateless (M-HDR-005)", () => {
  for (const known of [undefined, opened(NEWEST)]) {
    assert.deepEqual(refusal(run(request("tools/list", modernMeta()), { headers: {}, known })), [-32020, 400]);
  }
});

Deno.test("classify refuses a handshake revision in _meta with -32022, listing what is served (M-VER-001, M-VER-002, M-VER-003)", () => {
  for (const version of [NEWEST, OLDEST]) {
    const classified = run(request("tools/list", modernMeta(version)), { headers: modernHeaders("tools/list", version) });
    assert.deepEqual(refusal(classified), [-32022, 400]);
    assert.deepEqual(dataOf(classified), { supported: ALL, requested: version });
  }
});

Deno.test("classify refuses unknown versions in the header with 400, listing what is served (L-HDR-004, B078)", () => {
  for (const version of ["1999-01-01", "2025-03-26", "2099-01-01", "abc", "", `${NEWEST}, ${NEWEST}`]) {
    for (const known of [undefined, opened(NEWEST)]) {
      const classified = run(request("tools/list"), { headers: { "mcp-protocol-version": version }, known });
      assert.deepEqual(refusal(classified), [-32022, 400], version);
      assert.deepEqual(dataOf(classified), { supported: ALL, requested: version });
    }
  }
});

Deno.test("classify takes initialize over HTTP, whatever older version the header names (L-LIFE-009, L-LIFE-010, B078)", () => {
  for (const known of [undefined, FRESH]) {
    for (const version of [undefined, NEWEST, OLDEST, "2025-03-26", "abc"]) {
      const headers: Record<string, string> = version === undefined ? {} : { "mcp-protocol-version": version };
      assert.equal(versionOf(run(hello(OLDEST), { headers, known })), OLDEST);
      assert.equal(versionOf(run(hello("2025-03-26"), { headers, known })), NEWEST);
    }
  }
  assert.deepEqual(refusal(run(hello(NEWEST), { headers: {}, known: opened(NEWEST) })), [-32600, 400]);
});

Deno.test("classify follows the session when the header is absent, and refuses one that differs (L-HDR-004, L-LIFE-015, B078)", () => {
  for (const [agreed, other] of [[NEWEST, OLDEST], [OLDEST, NEWEST]] as const) {
    const known = opened(agreed);
    assert.equal(versionOf(run(request("tools/list"), { headers: {}, known })), agreed);
    assert.equal(versionOf(run(request("tools/list"), { headers: { "mcp-protocol-version": agreed }, known })), agreed);
    const classified = run(request("tools/list"), { headers: { "mcp-protocol-version": other }, known });
    assert.deepEqual(refusal(classified), [-32600, 400]);
  }
});

Deno.test("classify serves a single exchange in the header's revision, and in the oldest without one (M-HDR-004, L-HDR-003)", () => {
  for (const version of [NEWEST, OLDEST]) {
    assert.equal(versionOf(run(request("tools/list"), { headers: { "mcp-protocol-version": version } })), version);
  }
  const classified = run(request("tools/list", { progressToken: 1 }), { headers: {} });
  assert.equal(versionOf(classified), OLDEST);
  assert.deepEqual(classified.ok && [classified.request.clientCapabilities, classified.request.progressToken], [{}, 1]);
  assert.deepEqual(refusal(run(request("server/discover"), { headers: {} })), [-32601, 200]);
});

// One kind of revision alone.

Deno.test("classify knows no handshake where none is served (M-VER-019)", () => {
  const served = [DIALECTS[0]] as Dialect[];
  const bare = run(hello(NEWEST), { headers: {}, served });
  assert.deepEqual([refusal(bare), dataOf(bare)], [[-32020, 400], { supported: [MODERN] }]);
  assert.deepEqual(refusal(run(hello(NEWEST), { served, known: FRESH })), [-32602, 400]);
  assert.deepEqual(refusal(run(request("ping"), { served, known: FRESH })), [-32602, 400]);
});

Deno.test("classify answers stateless requests as older servers do where only handshakes are served (L-ERR-001, L-HDR-004)", () => {
  const discover = request("server/discover", modernMeta());
  const first = run(discover, { served: HANDSHAKES, known: FRESH });
  assert.deepEqual([refusal(first), dataOf(first)], [[-32602, 400], { supported: [NEWEST, OLDEST] }]);
  const later = run(discover, { served: HANDSHAKES, known: opened(NEWEST) });
  assert.deepEqual(refusal(later), [-32601, 200]);
  const overHttp = run(discover, { served: HANDSHAKES, headers: modernHeaders("server/discover") });
  assert.deepEqual(refusal(overHttp), [-32602, 400]);
  assert.deepEqual(dataOf(overHttp), { supported: [NEWEST, OLDEST], requested: MODERN });
  const inSession = { served: HANDSHAKES, headers: { "mcp-protocol-version": "abc" }, known: opened(NEWEST) };
  assert.deepEqual(refusal(run(request("tools/list"), inSession)), [-32602, 400]);
});

Deno.test("classify takes no notice of Mcp-Method where the version header names a handshake revision", () => {
  const headers = (method: string): Record<string, string> => modernHeaders(method, NEWEST);
  assert.equal(versionOf(run(hello(NEWEST), { headers: headers("initialize") })), NEWEST);
  assert.equal(versionOf(run(request("tools/list"), { headers: headers("tools/list") })), NEWEST);
  assert.equal(versionOf(run(request("tools/list"), { headers: headers("other"), known: opened(NEWEST) })), NEWEST);
  assert.deepEqual(refusal(run(request("tools/list", modernMeta()), { headers: headers("tools/list") })), [-32020, 400]);
});

// What is no request.

Deno.test("isModern tells notifications and answers apart by _meta and headers", () => {
  const headers = (record?: Record<string, string>): Headers | undefined => record && new Headers(record);
  const modern = (message: JsonRpcMessage, record?: Record<string, string>, served = DIALECTS): boolean =>
    isModern(message, headers(record), served);
  const cancelled: JsonRpcMessage = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } };
  const answer: JsonRpcMessage = { jsonrpc: "2.0", id: 1, result: { _meta: modernMeta() } };
  for (const message of [cancelled, answer]) {
    assert.equal(modern(message), false);
    assert.equal(modern(message, {}), false);
    assert.equal(modern(message, { "mcp-protocol-version": NEWEST }), false);
    assert.equal(modern(message, { "mcp-protocol-version": MODERN }), true);
    assert.equal(modern(message, { "mcp-protocol-version": "abc" }), true);
    assert.equal(modern(message, { "mcp-method": "notifications/cancelled" }), true);
    assert.equal(modern(message, { "mcp-method": "notifications/cancelled", "mcp-protocol-version": NEWEST }), false);
    assert.equal(modern(message, {}, [DIALECTS[0] as Dialect]), true);
    assert.equal(modern(message, { "mcp-protocol-version": MODERN }, HANDSHAKES), false);
  }
  assert.equal(modern({ ...cancelled, params: { _meta: modernMeta() } }), true);
  assert.equal(modern({ ...cancelled, params: { _meta: { progressToken: 1, traceparent: "x" } } }), false);
});

Deno.test("versionHeaderFault compares the header with what is served and agreed on (L-HDR-004, B078)", () => {
  const fault = (version: string | undefined, agreed: string | undefined): unknown => {
    const found = versionHeaderFault(
      new Headers(version === undefined ? {} : { "mcp-protocol-version": version }),
      DIALECTS,
      agreed,
    );
    return found && [found.error.code, found.status];
  };
  assert.equal(versionHeaderFault(undefined, DIALECTS, NEWEST), undefined);
  const stateless = versionHeaderFault(new Headers({ "mcp-protocol-version": MODERN }), DIALECTS, undefined);
  assert.match(stateless?.error.message ?? "", /by POST alone$/, "what is served is not called unsupported");
  for (const agreed of [undefined, NEWEST]) {
    assert.equal(fault(undefined, agreed), undefined);
    assert.equal(fault(NEWEST, agreed), undefined);
    for (const version of [MODERN, "abc", "", "2025-03-26"]) assert.deepEqual(fault(version, agreed), [-32602, 400]);
  }
  assert.deepEqual(fault(OLDEST, NEWEST), [-32600, 400]);
  assert.equal(fault(OLDEST, undefined), undefined);
});

Deno.test("classify never repeats more of a header than a name's length", () => {
  const version = "x".repeat(10_000);
  const classified = run(request("tools/list"), { served: HANDSHAKES, headers: { "mcp-protocol-version": version } });
  assert.ok(JSON.stringify(classified).length < 1000);
});
