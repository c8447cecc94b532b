/** Fuzz targets of the protocol: which revision a request is spoken in, templates, cursors, challenges. */
import { parseChallenges } from "../../protocol/auth/challenge.ts";
import { classify, isModern, versionHeaderFault } from "../../protocol/classification.ts";
import { DIALECTS } from "../../tests/loaded_dialects.ts";
import type { Dialect } from "../../protocol/dialect.ts";
import { isRequest, parseMessage } from "../../protocol/json_rpc.ts";
import type { HandshakeState } from "../../protocol/lifecycle.ts";
import { META } from "../../protocol/meta.ts";
import { catalogueDigest, pageCursor, readCursor } from "../../protocol/pagination.ts";
import type { JsonObject } from "../../protocol/types.ts";
import { uriTemplate } from "../../protocol/uri_template.ts";
import { anyDialect, CAPABILITIES, INFO, writtenCall } from "./messages.ts";
import { mutateJson, mutateText, randomText } from "./random.ts";
import type { Random } from "./random.ts";
import { growth, must, sameJson, target } from "./target.ts";

interface Inbound {
  readonly message: JsonObject;
  readonly headers: readonly (readonly [string, string])[] | undefined;
  readonly served: readonly string[];
  readonly state: HandshakeState | undefined;
  readonly lasting: boolean;
}

const BOUNDS = { jsonDepth: 64, jsonElements: 100_000 } as const;
const METHODS = ["initialize", "ping", "tools/call", "com.example/extra"] as const;

function makeInbound(random: Random): Inbound {
  const { message, headers } = writtenCall(random, anyDialect(random));
  const changed = mutateJson(random, message, 3) as JsonObject;
  const written = headers.map(([name, value]) =>
    [name, random.oneIn(6) ? headerText(mutateText(random, value, 2)) : value] as const
  )
    .filter(() => !random.oneIn(8));
  const extra = random.oneIn(6) ? [["mcp-protocol-version", random.pick([...VERSIONS, "1999-01-01", ""])] as const] : [];
  const served = VERSIONS.filter(() => !random.oneIn(4));
  return {
    message: changed,
    headers: random.oneIn(4) ? undefined : [...written, ...extra],
    served: served.length === 0 ? VERSIONS : served,
    state: random.oneIn(3) ? { ...STATE, version: random.pick([...VERSIONS, "1999-01-01"]) } : undefined,
    lasting: random.oneIn(2),
  };
}

const VERSIONS: readonly string[] = DIALECTS.map(({ version }) => version);
const STATE: HandshakeState = {
  version: "2025-11-25",
  clientInfo: INFO,
  clientCapabilities: CAPABILITIES,
  initialized: true,
  subscriptions: [],
};

function headerText(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, "?");
}

/** Which revision a request is spoken in. */
export const CLASSIFICATION = target<Inbound>({
  name: "classification",
  weight: 20,
  make: makeInbound,
  check({ message, headers: pairs, served: versions, state, lasting }) {
    const read = parseMessage(JSON.stringify(message), BOUNDS);
    if (!read.ok) return;
    const headers = pairs === undefined ? undefined : headersOf(pairs);
    const served = DIALECTS.filter(({ version }) => versions.includes(version));
    const modern = isModern(read.message, headers, served);
    versionHeaderFault(headers, served, state?.version);
    if (!isRequest(read.message)) return;
    const knows = (dialect: Dialect, method: string): boolean => dialect.hasRequest(method, "client") || method === METHODS[3];
    const classified = classify(read.message, headers, served, knows, { state, lasting });
    if (!classified.ok) {
      if (!("error" in classified)) throw new Error("every dialect is loaded");
      must(Number.isInteger(classified.error.code) && classified.error.message !== "", "a refusal has a code and a sentence");
      must(classified.status === 200 || (classified.status >= 400 && classified.status < 500), "a refusal is the client's fault");
      return;
    }
    const { dialect, request } = classified;
    must(served.includes(dialect), "the revision is one that is served");
    must(knows(dialect, request.method), "the method is one of the revision");
    must(sameJson([request.id, request.method], [read.message.id, read.message.method]), "id and method stay");
    if (dialect.handshake !== undefined) return;
    must(modern || read.message.params !== undefined, "a stateless request says so");
    const meta = (read.message.params?._meta ?? {}) as JsonObject;
    must(meta[META.protocolVersion] === dialect.version, "the body names the revision");
    if (headers === undefined) return;
    must(headers.get("mcp-protocol-version") === dialect.version, "no header says another revision than the body");
    must(headers.get("mcp-method") === request.method, "no header says another method than the body");
  },
  growth: [
    growth(
      "many entries in _meta",
      (size) => withMeta(size),
      (message) => classify(message as never, undefined, DIALECTS, () => true),
    ),
  ],
});

function headersOf(pairs: readonly (readonly [string, string])[]): Headers {
  const headers = new Headers();
  for (const [name, value] of pairs) headers.append(name, value);
  return headers;
}

function withMeta(size: number): JsonObject {
  const entries = Array.from({ length: size }, (_, at) => [`com.example/k${at}`, at]);
  const own = { [META.protocolVersion]: VERSIONS[0], [META.clientInfo]: INFO, [META.clientCapabilities]: CAPABILITIES };
  return {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/list",
    params: { _meta: { ...own, ...Object.fromEntries(entries) } as JsonObject },
  };
}

interface TemplateInput {
  readonly template: string;
  readonly uri: string;
  readonly values: readonly string[];
}

const PARTS = [
  "app://",
  "a",
  "/",
  "{x}",
  "{y}",
  "{+path}",
  "{/seg}",
  "{/rest*}",
  "{?q,r}",
  "{&s}",
  "{#frag}",
  "?fixed=1",
  "{a,b}",
  "%41",
  "{",
  "}",
  "é",
];

/** URI templates, and URIs that are matched against them. */
export const TEMPLATES = target<TemplateInput>({
  name: "URI templates",
  weight: 10,
  make(random) {
    let template = random.oneIn(4) ? "" : "app://";
    for (let left = random.below(7); left > 0; left--) template += random.pick(PARTS);
    const uri = random.oneIn(2)
      ? template.replace(/\{[^}]*\}/g, () => encodeURI(wellFormed(randomText(random, 6))))
      : randomText(random, 20);
    return {
      template: random.oneIn(5) ? mutateText(random, template, 2) : template,
      uri: random.oneIn(3) ? mutateText(random, uri, 2) : uri,
      values: Array.from({ length: 8 }, () => randomText(random, 6)),
    };
  },
  check({ template, uri, values }) {
    const parsed = attempt(() => uriTemplate(template));
    if (parsed === undefined) return;
    const found = parsed.match(uri);
    if (found !== undefined) {
      for (const value of Object.values(found)) {
        must(!value.split(/[/\\]/).includes("..") && !value.includes("\0"), "no value climbs");
      }
      // What is read can be written, and reads the same again.
      const again = attempt(() => parsed.expand(found));
      if (again !== undefined) must(sameSorted(parsed.match(again), found), "what was read survives writing and reading");
    }
    const given = Object.fromEntries(parsed.names.map((name, at) => [name, values[at % values.length] ?? ""]));
    const written = attempt(() => parsed.expand(given));
    const climbs = Object.values(given).some((value) => value.split(/[/\\]/).includes("..") || value.includes("\0"));
    if (written !== undefined && !climbs) {
      must(sameSorted(parsed.match(written), wellFormedAll(given)), "what was written reads the same");
    }
  },
  growth: [
    growth("a long value", (size) => `app://${"a".repeat(size)}/b`, (uri) => BETWEEN.match(uri), 4000),
    growth("many slashes", (size) => `app://${"a/".repeat(size)}b`, (uri) => BETWEEN.match(uri), 2000),
    growth("many query members", (size) => `app://x?${"q=1&".repeat(size)}r=2`, (uri) => QUERY.match(uri), 1000),
    growth("many escapes", (size) => `app://${"%C3%A9".repeat(size)}/b`, (uri) => BETWEEN.match(uri), 650),
  ],
});

const BETWEEN = uriTemplate("app://{+path}/b");
const QUERY = uriTemplate("app://x{?q,r}");

/** The only way in which reading a template and writing a URI may fail. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof TypeError && /^(?:Parsing|Expanding) the URI template/.test(error.message)) return undefined;
    throw error;
  }
}

function wellFormed(text: string): string {
  return text.toWellFormed();
}

function wellFormedAll(values: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, wellFormed(value)]));
}

function sameSorted(a: object | undefined, b: object): boolean {
  return a !== undefined && sameJson(Object.entries(a).sort(), Object.entries(b).sort());
}

interface CursorInput {
  readonly cursor: string;
  readonly names: readonly string[];
}

/** Cursors of lists. */
export const CURSORS = target<CursorInput>({
  name: "cursors",
  weight: 8,
  make(random) {
    const names = Array.from({ length: random.below(6) }, () => randomText(random, 4));
    const good = pageCursor(catalogueDigest("tools", names, 2), 2 * (1 + random.below(1000)));
    return { names, cursor: random.oneIn(8) ? randomText(random, 30) : mutateText(random, good, 2) };
  },
  check({ cursor, names }) {
    const digest = catalogueDigest("tools", names, 2);
    const offset = readCursor(cursor, digest);
    if (offset === undefined) return;
    must(Number.isSafeInteger(offset) && offset > 0, "an offset is a whole number");
    must(pageCursor(digest, offset) === cursor, "a cursor is read only in the form in which it is written");
    must(readCursor(cursor, catalogueDigest("prompts", names, 2)) === undefined, "a cursor belongs to one list");
  },
  growth: [
    growth("a long cursor", (size) => "f".repeat(size), (cursor) => readCursor(cursor, "f".repeat(16))),
    growth(
      "a long list",
      (size) => Array.from({ length: size }, (_, at) => `tool_${at}`),
      (names) => catalogueDigest("tools", names, 2),
    ),
  ],
});

const CHALLENGES_OF = [
  'Bearer realm="x"',
  "Bearer",
  'DPoP algs="ES256 RS256"',
  "Basic dXNlcg==",
  'Bearer error="invalid_token", scope="a b"',
  "Negotiate abc=, Bearer x = y",
];

/** `WWW-Authenticate`. */
export const CHALLENGES = target<string>({
  name: "challenges",
  weight: 8,
  make(random) {
    const parts = Array.from({ length: random.below(4) }, () => random.pick(CHALLENGES_OF));
    const text = parts.join(random.pick([", ", ",", " , ,"]));
    return random.oneIn(6) ? randomText(random, 30) : mutateText(random, text, 3);
  },
  check(header) {
    const challenges = parseChallenges(header);
    for (const { scheme, params } of challenges) {
      must(/^[!#$%&'*+\-.^_`|~0-9a-z]+$/.test(scheme), "a scheme is a token in lower case");
      for (const [name, value] of params) {
        must(name === name.toLowerCase() && typeof value === "string", "a parameter has a name");
      }
    }
    must(sameJson(parseChallenges(`Mark realm="m", ${header}`)[0]?.scheme, "mark"), "what stands first is read first");
  },
  growth: [
    growth("many commas", (size) => `Bearer ${",".repeat(size)}`, parseChallenges),
    growth("many parameters", (size) => `Bearer ${'a="b",'.repeat(size)}`, parseChallenges),
    growth("many schemes", (size) => "Bearer,".repeat(size), parseChallenges),
    growth("a quote that never ends", (size) => `Bearer a="${'\\"'.repeat(size)}`, parseChallenges),
    growth("many equals signs", (size) => `Bearer a${"=".repeat(size)}`, parseChallenges),
    growth("quotes that never end, many times", (size) => `Bearer ${'a="b'.repeat(size)}`, parseChallenges),
  ],
});
