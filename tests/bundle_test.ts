import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import config from "../deno.json" with { type: "json" };
import { readImports } from "../scripts/check_imports.ts";
import { ROOT, runDeno } from "../scripts/command.ts";
import { readTokens } from "../scripts/source_tokens.ts";

/** The doors that run anywhere; the others serve one runtime. */
const CORE = [".", "./client", "./server", "./protocol", "./transports"] as const;
/** Loaded on first use, so not part of a door's weight. */
const VALIDATORS = ["ajv/dist/2020.js", "ajv", "@cfworker/json-schema"];
/** The doors that start processes (`connect({ command })`), and what they may ask `process.getBuiltinModule` for. */
const STARTS_PROCESSES: readonly string[] = [".", "./client"];
const ASKED_FOR = ["node:child_process", "node:process", "node:console", "node:fs", "node:net", "node:url"];
const MOST_BYTES = 77_000;

/** What only other doors hold: files of ours, and packages. */
const ELSEWHERE: readonly RegExp[] = [
  /^(?:client|server)\/(?:auth|extensions)\//,
  // What discovers and compares; challenges and scopes are read and written without it.
  /^protocol\/auth\/(?:metadata|resource)\.ts$/,
  // The contract of extensions is of the core; what single ones say is not.
  /^protocol\/extensions\/(?!extension(?:_types)?\.ts$)/,
  /^server\/stores\/tasks\.ts$/,
  /^npm:\/(?:jose|oauth4webapi|yaml)@/,
];
/** Texts that stay in minified code, and a door that has them. */
const MARKERS: readonly (readonly [marker: string, door: keyof typeof config.exports])[] = [
  // Of oauth4webapi.
  ["OAUTH_INVALID_RESPONSE", "./client/auth"],
  ["code_challenge_method", "./client/auth"],
  ["urn:ietf:params:oauth:grant-type:jwt-bearer", "./client/auth"],
  ["trustAnnouncedIssuer", "./client/auth"],
  ["/.well-known/oauth-authorization-server", "./client/auth"],
  // Of jose.
  ["ERR_JWT_CLAIM_VALIDATION_FAILED", "./server/auth"],
  ["bearer.authorizationServers", "./server/auth"],
  ["/.well-known/oauth-protected-resource", "./server/auth"],
  ["io.modelcontextprotocol/tasks", "./server/tasks"],
  ["tasks/cancel", "./client/tasks"],
];

const bundles = new Map<string, Promise<string>>();

/** The door bundled and minified for a browser, without the validators. */
function bundle(door: keyof typeof config.exports): Promise<string> {
  const known = bundles.get(door) ?? makeBundle(door);
  bundles.set(door, known);
  return known;
}

async function makeBundle(door: keyof typeof config.exports): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "causeway-bundle-" });
  try {
    const external = VALIDATORS.map((name) => `--external=${name}`);
    const out = `${folder}/door.js`;
    const entry = `${ROOT}/${config.exports[door]}`;
    const { code, output } = await runDeno(["bundle", "--platform", "browser", "--minify", ...external, "-o", out, entry]);
    assert.equal(code, 0, output);
    return await Deno.readTextFile(out);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("every core door bundles for a browser without a runtime's modules", async (t) => {
  for (const door of CORE) {
    await t.step(door, async () => {
      const code = await bundle(door);
      // Where processes are started, Deno is asked for what it grants, if it is there.
      const rest = STARTS_PROCESSES.includes(door) ? code.replaceAll(/\{Deno:\w+\}=globalThis\b/g, "") : code;
      assert.ok(!/\bDeno\b/.test(rest), `${door} names Deno`);
      assert.doesNotMatch(code, /(?:\bfrom|\bimport|\brequire)\s*\(?\s*["'`]node:/);
      const named = [...code.matchAll(/["'`](node:[\w/]+)["'`]/g)].map(([, name]) => name ?? "");
      if (!STARTS_PROCESSES.includes(door)) assert.deepEqual(named, []);
      for (const name of named) assert.ok(ASKED_FOR.includes(name), `${door} names ${name}`);
      for (const { specifier } of readImports(readTokens(code))) {
        assert.ok(VALIDATORS.includes(specifier), `${door} imports ${specifier}`);
      }
    });
  }
});

Deno.test("the doors ./server and ./client do not grow past 77 kB of gzip", async (t) => {
  for (const door of ["./server", "./client"] as const) {
    await t.step(door, async (step) => {
      const bytes = gzipSync(await bundle(door), { level: 9 }).length;
      // The size belongs to the report, whatever the outcome.
      await step.step(`${bytes} bytes of gzip, at most ${MOST_BYTES}`, () => assert.ok(bytes <= MOST_BYTES, `${bytes} bytes`));
    });
  }
});

/** The files and packages that a door leads to, types and what is loaded on first use included. */
async function modulesOf(door: keyof typeof config.exports): Promise<readonly string[]> {
  const { code, output } = await runDeno(["info", "--json", `${ROOT}/${config.exports[door]}`]);
  assert.equal(code, 0, output);
  const { modules } = JSON.parse(output.slice(output.indexOf("{"))) as { modules: { specifier: string }[] };
  const root = new URL(`file://${ROOT}/`).href;
  return modules.map(({ specifier }) => specifier.startsWith(root) ? specifier.slice(root.length) : specifier);
}

Deno.test("no core door leads to a file of authorization or of an extension, nor to their packages", async (t) => {
  for (const door of CORE) {
    await t.step(door, async () => {
      const modules = await modulesOf(door);
      assert.ok(modules.includes(config.exports[door].slice(2)), modules.join("\n"));
      assert.deepEqual(modules.filter((path) => ELSEWHERE.some((pattern) => pattern.test(path))), []);
    });
  }
});

Deno.test("no core door's code holds a text of authorization or of an extension, which their own doors hold", async (t) => {
  for (const [marker, door] of MARKERS) {
    await t.step(`${marker} of ${door}`, async () => {
      assert.ok((await bundle(door)).includes(marker), `${door} does not hold it`);
      for (const core of CORE) assert.ok(!(await bundle(core)).includes(marker), `${core} holds it`);
    });
  }
});
