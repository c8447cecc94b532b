/** Tests of how values travel in headers, and of the comparison of headers with arguments. */
import assert from "node:assert/strict";
import {
  decodeHeaderValue,
  encodeHeaderValue,
  headerEquals,
  HEADERS,
  paramHeaderFault,
  paramHeaders,
  standardHeaders,
} from "../../protocol/headers.ts";
import type { MirroredParam } from "../../protocol/headers.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { createRandom } from "./random.ts";

const param = (spelled: string, ...path: string[]): MirroredParam => ({
  header: `mcp-param-${spelled.toLowerCase()}`,
  spelled,
  path,
});
const sentinel = (base64: string): string => `=?base64?${base64}?=`;

/** MCP 2026-07-28, Streamable HTTP § Value Encoding, Encoding examples. */
const EXAMPLES: readonly (readonly [value: string, header: string])[] = [
  ["us-west1", "us-west1"],
  ["Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="],
  [" padded ", "=?base64?IHBhZGRlZCA=?="],
  ["line1\nline2", "=?base64?bGluZTEKbGluZTI=?="],
  ["=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="],
];

Deno.test("HEADERS holds names in lower case, as Headers compares them (M-HDR-050)", () => {
  assert.deepEqual(HEADERS, {
    protocolVersion: "mcp-protocol-version",
    method: "mcp-method",
    name: "mcp-name",
    paramPrefix: "mcp-param-",
    sessionId: "mcp-session-id",
    lastEventId: "last-event-id",
  });
});

Deno.test("standardHeaders reads the three headers whatever the case of their names (M-HDR-050)", () => {
  const headers = new Headers({ "MCP-PROTOCOL-VERSION": "v", "mcp-METHOD": "m" });
  assert.deepEqual(standardHeaders(headers), { version: "v", method: "m", name: null });
});

Deno.test("encodeHeaderValue writes the specification's examples (M-HDR-031, M-HDR-035)", () => {
  for (const [value, header] of EXAMPLES) assert.equal(encodeHeaderValue(value), header);
});

Deno.test("decodeHeaderValue reads the specification's examples (M-HDR-033, M-HDR-034)", () => {
  for (const [value, header] of EXAMPLES) assert.equal(decodeHeaderValue(header), value);
});

Deno.test("encodeHeaderValue leaves safe ASCII as it is, the empty value and inner blanks included (M-HDR-030)", () => {
  for (const value of ["", "a", "a b", "42", "-7", "true", "file:///a?b=c#d", "~!@#$%^&*()", '"quoted"']) {
    assert.equal(encodeHeaderValue(value), value);
  }
});

Deno.test("encodeHeaderValue encodes every control character (M-HDR-029, M-HDR-031)", () => {
  for (const code of [0, 1, 9, 10, 13, 0x1f, 0x7f, 0x80, 0x9f, 0xff]) {
    assert.match(encodeHeaderValue(`a${String.fromCharCode(code)}b`), /^=\?base64\?[A-Za-z0-9+/]+=*\?=$/);
  }
});

Deno.test("encodeHeaderValue encodes values that begin or end with a blank (M-HDR-031)", () => {
  for (const value of [" a", "a ", " ", "\ta"]) assert.match(encodeHeaderValue(value), /^=\?base64\?/);
});

Deno.test("encodeHeaderValue leaves what only half looks like the sentinel as it is", () => {
  for (const value of ["=?base64?abc", "abc?=", "=?base64", "?=", "=?", "=?BASE64?YQ==?=", "=?utf-8?YQ==?="]) {
    assert.equal(encodeHeaderValue(value), value);
  }
});

Deno.test("encodeHeaderValue encodes the sentinel around nothing (M-HDR-035)", () => {
  assert.equal(encodeHeaderValue("=?base64??="), sentinel("PT9iYXNlNjQ/Pz0="));
});

Deno.test("decodeHeaderValue takes markers in other letter cases literally (M-HDR-032)", () => {
  for (const value of ["=?BASE64?YQ==?=", "=?Base64?YQ==?=", "=?base64?YQ==?", "?base64?YQ==?=", "=?base64?YQ=="]) {
    assert.equal(decodeHeaderValue(value), value);
  }
});

Deno.test("decodeHeaderValue reads the empty value between the markers", () => {
  assert.equal(decodeHeaderValue("=?base64??="), "");
  assert.equal(decodeHeaderValue(""), "");
});

Deno.test("decodeHeaderValue refuses bad padding and characters outside of the alphabet (M-HDR-041, M-HDR-057)", () => {
  for (const base64 of ["YQ", "YQ=", "YQ===", "Y===", "=", "YQ==YQ==", "Y Q=", "-_==", "literal", "ä"]) {
    assert.equal(decodeHeaderValue(sentinel(base64)), undefined);
  }
});

Deno.test("decodeHeaderValue refuses bytes that are not UTF-8 (M-HDR-041)", () => {
  for (const bytes of ["\xff", "\x80", "\xc3", "\xed\xa0\x80", "\xc0\x80"]) {
    assert.equal(decodeHeaderValue(sentinel(btoa(bytes))), undefined);
  }
});

Deno.test("decodeHeaderValue refuses plain values with characters that no header may hold (M-HDR-041, M-HDR-057)", () => {
  for (const value of ["a\u0080", "é", "a\u0000b", "a\nb", "a\u007f"]) assert.equal(decodeHeaderValue(value), undefined);
});

Deno.test("decodeHeaderValue keeps a byte order mark, which is part of the value", () => {
  assert.equal(decodeHeaderValue(sentinel(btoa("\xef\xbb\xbfa"))), "\ufeffa");
});

Deno.test("decodeHeaderValue decodes once only", () => {
  assert.equal(decodeHeaderValue(encodeHeaderValue(sentinel("YQ=="))), sentinel("YQ=="));
});

Deno.test("encodeHeaderValue writes what decodeHeaderValue reads back, for random text (M-HDR-031)", () => {
  const random = createRandom(2047);
  const parts = ["=?base64?", "?=", "a", " ", "é", "\n"];
  for (let round = 0; round < 3000; round++) {
    const value = random.below(2) === 0
      ? random.text(20)
      : Array.from({ length: random.below(5) }, () => random.pick(parts)).join("");
    const header = encodeHeaderValue(value);
    assert.match(header, /^[\x20-\x7e]*$/);
    assert.equal(new Headers({ a: header }).get("a"), header);
    assert.equal(decodeHeaderValue(header), value);
    assert.ok(headerEquals(header, value));
  }
});

Deno.test("decodeHeaderValue never throws on random text", () => {
  const random = createRandom(822);
  for (let round = 0; round < 3000; round++) {
    const decoded = decodeHeaderValue(random.below(2) === 0 ? random.text(12) : sentinel(random.text(8)));
    assert.ok(decoded === undefined || typeof decoded === "string");
  }
});

Deno.test("headerEquals compares values after decoding (M-HDR-034, B080)", () => {
  assert.ok(headerEquals("=?base64?44OE44O844Or?=", "ツール"));
  assert.ok(headerEquals(sentinel(btoa("plain")), "plain"));
  assert.ok(headerEquals("plain", "plain"));
});

Deno.test("headerEquals compares letter case, blanks and every character (M-HDR-051, B080)", () => {
  for (const [header, value] of [["Tool", "tool"], ["x", " x"], ["x ", "x"], ["x", "x\n"], ["", "x"], ["x, x", "x"]] as const) {
    assert.equal(headerEquals(header, value), false);
  }
});

Deno.test("headerEquals refuses characters that a header may not hold, even when the body has the same (B080)", () => {
  for (const text of ["caf\u00e9", "\u0001", "a\u007f"]) assert.equal(headerEquals(text, text), false);
  assert.ok(headerEquals(encodeHeaderValue("caf\u00e9"), "caf\u00e9"));
});

Deno.test("headerEquals does not take an encoded header for its own text (M-HDR-032, B080)", () => {
  assert.equal(headerEquals(sentinel("YQ=="), sentinel("YQ==")), false);
  assert.equal(headerEquals("=?BASE64?44OE44O844Or?=", "ツール"), false);
  assert.equal(headerEquals(sentinel("YQ"), "a"), false);
});

Deno.test("paramHeaders writes strings, integers and booleans (M-HDR-013, M-HDR-030)", () => {
  const params = [param("Region", "region"), param("Count", "count"), param("Dry", "dry"), param("Neg", "neg")];
  assert.deepEqual(paramHeaders(params, { region: "us-west1", count: 42, dry: false, neg: -7 }), [
    ["Mcp-Param-Region", "us-west1"],
    ["Mcp-Param-Count", "42"],
    ["Mcp-Param-Dry", "false"],
    ["Mcp-Param-Neg", "-7"],
  ]);
});

Deno.test("paramHeaders sends the empty text, zero and false (M-HDR-044)", () => {
  const params = [param("A", "a"), param("B", "b"), param("C", "c")];
  assert.deepEqual(paramHeaders(params, { a: "", b: 0, c: false }).map(([, value]) => value), ["", "0", "false"]);
});

Deno.test("paramHeaders leaves null and absent arguments out (M-HDR-023, M-HDR-045, M-HDR-046)", () => {
  const params = [param("A", "a"), param("B", "b"), param("C", "o", "c")];
  assert.deepEqual(paramHeaders(params, { a: null }), []);
  assert.deepEqual(paramHeaders(params, { o: null }), []);
  assert.deepEqual(paramHeaders(params, { o: "text" }), []);
  assert.deepEqual(paramHeaders(params, undefined), []);
});

Deno.test("paramHeaders reads at the exact path, own members only (M-HDR-022, B038)", () => {
  assert.deepEqual(paramHeaders([param("Deep", "a", "b")], { a: { b: "x" }, b: "y" }), [["Mcp-Param-Deep", "x"]]);
  assert.deepEqual(paramHeaders([param("A", "constructor", "name"), param("B", "__proto__")], {}), []);
  assert.deepEqual(paramHeaders([param("A", "a", "length")], { a: [1, 2] }), []);
});

Deno.test("paramHeaders encodes values, so that none ends the header (M-HDR-029)", () => {
  const [pair] = paramHeaders([param("A", "a")], { a: "x\r\nEvil: 1" });
  assert.equal(pair?.[1], sentinel(btoa("x\r\nEvil: 1")));
});

const fault = (args: JsonObject | undefined, headers: Record<string, string>, ...params: MirroredParam[]): string | undefined =>
  paramHeaderFault(params, args, new Headers(headers));

Deno.test("paramHeaderFault accepts headers that equal their arguments, encoded or not (M-HDR-034, M-HDR-042)", () => {
  assert.equal(fault({ r: "us-west1" }, { "mcp-param-region": "us-west1" }, param("Region", "r")), undefined);
  assert.equal(fault({ r: "世界" }, { "MCP-PARAM-REGION": encodeHeaderValue("世界") }, param("Region", "r")), undefined);
  assert.equal(fault({ r: true }, { "mcp-param-region": "true" }, param("Region", "r")), undefined);
  assert.equal(fault({ r: "" }, { "mcp-param-region": "" }, param("Region", "r")), undefined);
});

Deno.test("paramHeaderFault names the header and no value when they differ (M-HDR-042)", () => {
  const found = fault({ r: "us-east1" }, { "mcp-param-region": "us-west1" }, param("Region", "r"));
  assert.equal(found, "Header Mcp-Param-Region differs from the argument");
});

Deno.test("paramHeaderFault compares integers as numbers (M-HDR-053, B080)", () => {
  for (const header of ["42", "42.0", "042", "4.2e1"]) {
    assert.equal(fault({ n: 42 }, { "mcp-param-n": header }, param("N", "n")), undefined, header);
  }
  for (const header of ["43", "42.1", "", " ", "4 2", "forty-two", "42, 42"]) {
    assert.match(fault({ n: 42 }, { "mcp-param-n": header }, param("N", "n")) ?? "", /differs/, header);
  }
});

Deno.test("paramHeaderFault does not take a missing number for zero", () => {
  assert.match(fault({ n: 0 }, { "mcp-param-n": "" }, param("N", "n")) ?? "", /differs/);
  assert.match(fault({ n: 0 }, {}, param("N", "n")) ?? "", /is missing/);
});

Deno.test("paramHeaderFault compares booleans by their lower-case text", () => {
  for (const header of ["True", "TRUE", "1", "yes", "false"]) {
    assert.match(fault({ b: true }, { "mcp-param-b": header }, param("B", "b")) ?? "", /differs/);
  }
});

Deno.test("paramHeaderFault compares text as text, also when it looks like a number", () => {
  assert.match(fault({ s: "42" }, { "mcp-param-s": "42.0" }, param("S", "s")) ?? "", /differs/);
});

Deno.test("paramHeaderFault wants no header for null and absent arguments (M-HDR-047, M-HDR-048)", () => {
  for (const args of [{ r: null }, {}, undefined]) assert.equal(fault(args, {}, param("Region", "r")), undefined);
});

Deno.test("paramHeaderFault refuses a header for a null or absent argument", () => {
  for (const args of [{ r: null }, {}, undefined]) {
    assert.match(fault(args, { "mcp-param-region": "x" }, param("Region", "r")) ?? "", /argument is absent/);
  }
});

Deno.test("paramHeaderFault refuses a missing header for a given argument (M-HDR-049)", () => {
  for (const r of ["x", "", 0, false]) assert.match(fault({ r }, {}, param("Region", "r")) ?? "", /Mcp-Param-Region is missing/);
});

Deno.test("paramHeaderFault refuses values that can not be decoded (M-HDR-041)", () => {
  for (const header of [sentinel("YQ"), sentinel(btoa("\xff")), "caf\u00e9"]) {
    assert.match(fault({ r: "x" }, { "mcp-param-region": header }, param("Region", "r")) ?? "", /holds an invalid value/);
  }
});

Deno.test("paramHeaderFault ignores headers of which the tool knows nothing", () => {
  assert.equal(fault({ r: "x" }, { "mcp-param-other": "y" }), undefined);
});

Deno.test("paramHeaderFault accepts what paramHeaders writes, for random arguments (M-HDR-042)", () => {
  const random = createRandom(42);
  const params = [param("A", "a"), param("B", "o", "b")];
  const value = () => random.pick([random.text(10), random.below(1000), -random.below(1000), true, false, null, undefined]);
  for (let round = 0; round < 2000; round++) {
    const args = { a: value(), o: { b: value() } } as JsonObject;
    assert.equal(paramHeaderFault(params, args, new Headers(paramHeaders(params, args))), undefined);
  }
});
