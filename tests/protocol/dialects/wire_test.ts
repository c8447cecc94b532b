/**
 * Tests of what each dialect writes: it is what was committed, it fits the published schema, and it holds nothing of another
 * revision. `UPDATE_WIRE=1 deno test -A tests/protocol/dialects/wire_test.ts` writes the committed files anew.
 */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { Dialect } from "../../../protocol/dialect.ts";
import { DIALECTS } from "../../loaded_dialects.ts";
import { isJsonObject } from "../../../protocol/json.ts";
import type { JsonValue } from "../../../protocol/json.ts";
import { specimens } from "./specimens.ts";

const WIRE = new URL("wire/", import.meta.url);
const SCHEMAS = new URL("../../examples_of_the_spec/schema/", import.meta.url);

const versions = DIALECTS.map(({ version }) => version);
const dialectOf = (version: string): Dialect => DIALECTS.find((dialect) => dialect.version === version) as Dialect;

/** Members that a revision must not write, wherever they stand: other revisions have them. */
const FOREIGN: { readonly [version: string]: readonly string[] } = {
  "2026-07-28": ["elicitationId", "execution", "enumNames", "protocolVersion", "serverInfo"],
  "2025-11-25": ["resultType", "ttlMs", "cacheScope", "inputResponses", "requestState", "execution", "extensions", "enumNames"],
  "2025-06-18": [
    "resultType",
    "ttlMs",
    "cacheScope",
    "inputResponses",
    "requestState",
    "execution",
    "extensions",
    "icons",
    "websiteUrl",
    "$schema",
    "mode",
    "url",
    "elicitationId",
    "oneOf",
    "toolChoice",
    "form",
    "context",
  ],
};

/** The requirements of the handshake revisions, for the names of their tests. */
const idsOf = (version: string, ids: string): string => dialectOf(version).handshake === undefined ? "" : ` (${ids})`;

const texts = new Map(versions.map((version) => {
  const written = Object.fromEntries(specimens(dialectOf(version)).map(({ name, value }) => [name, value]));
  return [version, `${JSON.stringify(written, undefined, 2)}\n`] as const;
}));

for (const version of versions) {
  Deno.test(`dialect ${version} writes what was committed`, () => {
    const file = new URL(`${version}.json`, WIRE);
    if (process.env.UPDATE_WIRE === "1") writeFileSync(file, texts.get(version) as string);
    assert.deepEqual(JSON.parse(texts.get(version) as string), JSON.parse(readFileSync(file, "utf8")));
  });

  Deno.test(`dialect ${version} writes every message and definition as its published schema has it${idsOf(version, "L-TOOL-001, L-TOOL-002, L-TOOL-003")}`, () => {
    const fits = createChecker(version);
    for (const { name, type, value } of specimens(dialectOf(version))) if (type !== undefined) fits(type, value, name);
  });

  Deno.test(`dialect ${version} writes nothing that only other revisions have${idsOf(version, "L-BASE-008, L-LIFE-020")}`, () => {
    for (const { name, value } of specimens(dialectOf(version))) {
      // The context of a completion is another thing than the capability of that name.
      if (name === "request: completion/complete") continue;
      const members = new Set(membersOf(value));
      const foreign = (FOREIGN[version] as readonly string[]).filter((member) => members.has(member));
      assert.deepEqual(foreign, [], `${version}, ${name}`);
      const reserved = [...members].filter((member) => member.startsWith("io.modelcontextprotocol/"));
      if (dialectOf(version).handshake !== undefined) assert.deepEqual(reserved, [], `${version}, ${name}`);
    }
  });
}

Deno.test("the specimens tell the dialects apart", () => {
  assert.equal(new Set(texts.values()).size, versions.length);
});

/** Every member name of a value, at any depth. */
function membersOf(value: JsonValue | undefined): string[] {
  if (Array.isArray(value)) return value.flatMap(membersOf);
  return isJsonObject(value) ? Object.entries(value).flatMap(([key, member]) => [key, ...membersOf(member)]) : [];
}

function createChecker(version: string): (type: string, value: JsonValue, name: string) => void {
  const schema = JSON.parse(readFileSync(new URL(`${version}.json`, SCHEMAS), "utf8"));
  const place = "$defs" in schema ? "$defs" : "definitions";
  const options = { strict: false, validateFormats: false, allErrors: true };
  const ajv = place === "$defs" ? new Ajv2020(options) : new Ajv(options);
  ajv.addSchema(schema, "mcp");
  return (type, value, name) => {
    const check = ajv.compile({ $ref: `mcp#/${place}/${type}` });
    assert.ok(check(value), `${version}, ${name}, ${type}: ${ajv.errorsText(check.errors)}\n${JSON.stringify(value)}`);
  };
}
