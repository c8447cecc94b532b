import assert from "node:assert/strict";
import config from "../deno.json" with { type: "json" };
import { readImports } from "../scripts/check_imports.ts";
import { bundleDoor, bundleEntry, VALIDATORS } from "../scripts/bundle_door.ts";
import type { Door, DoorBundle } from "../scripts/bundle_door.ts";
import { ROOT, runDeno } from "../scripts/command.ts";
import { readTokens } from "../scripts/source_tokens.ts";
import { inCopy, takeHooksOut } from "./extension_hooks.ts";

/** The doors that run anywhere; the others serve one runtime. */
const CORE = [".", "./client", "./server", "./protocol", "./transports"] as const;
/** The doors that start processes (`connect({ command })`), and what they may ask `process.getBuiltinModule` for. */
const STARTS_PROCESSES: readonly string[] = [".", "./client"];
const ASKED_FOR = ["node:child_process", "node:process", "node:console", "node:fs", "node:net", "node:url"];
/** What programs load at their start, after gzip. */
const MOST_BYTES = { "./server": 53_900, "./client": 47_700 } as const;

/** What a program that has no extension loads for them, on each end. */
const MOST_FOR_EXTENSIONS = 300;

/** What only other doors hold: files of ours, and packages. */
const ELSEWHERE: readonly RegExp[] = [
  /^(?:client|server)\/(?:auth|extensions)\//,
  // What discovers and compares; challenges and scopes are read and written without it.
  /^protocol\/auth\/(?:metadata|resource)\.ts$/,
  // The contract of extensions is of the core; what single ones say is not.
  /^protocol\/extensions\/(?!extension(?:s_together|_\w+)?\.ts$)/,
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

const bundles = new Map<Door, Promise<DoorBundle>>();

/** The door bundled and minified for a browser, without the validators. */
function bundle(door: Door): Promise<DoorBundle> {
  const known = bundles.get(door) ?? bundleDoor(door);
  bundles.set(door, known);
  return known;
}

Deno.test("every core door bundles for a browser without a runtime's modules", async (t) => {
  for (const door of CORE) {
    await t.step(door, async () => {
      const { all: code } = await bundle(door);
      // Where processes are started, Deno is asked for what it grants, if it is there.
      const rest = STARTS_PROCESSES.includes(door) ? code.replaceAll(/\{Deno:\w+\}=globalThis\b/g, "") : code;
      assert.ok(!/\bDeno\b/.test(rest), `${door} names Deno`);
      assert.doesNotMatch(code, /(?:\bfrom|\bimport|\brequire)\s*\(?\s*["'`]node:/);
      const named = [...code.matchAll(/["'`](node:[\w/]+)["'`]/g)].map(([, name]) => name ?? "");
      if (!STARTS_PROCESSES.includes(door)) assert.deepEqual(named, []);
      for (const name of named) assert.ok(ASKED_FOR.includes(name), `${door} names ${name}`);
      for (const { specifier } of readImports(readTokens(code))) {
        // Chunks of the same bundle lie beside each other.
        assert.ok(VALIDATORS.includes(specifier) || /^\.\/[\w-]+\.js$/.test(specifier), `${door} imports ${specifier}`);
      }
    });
  }
});

Deno.test("what a program loads at its start of ./server and ./client does not grow", async (t) => {
  for (const door of ["./server", "./client"] as const) {
    await t.step(door, async (step) => {
      const { startBytes } = await bundle(door);
      const most = MOST_BYTES[door];
      // The size belongs to the report, whatever the outcome.
      await step.step(`${startBytes} bytes of gzip, at most ${most}`, () => assert.ok(startBytes <= most, `${startBytes} bytes`));
    });
  }
});

Deno.test("a server or a client without extensions loads at most 300 bytes of gzip for them", async (t) => {
  await inCopy(async (folder) => {
    const weigh = async () => ({
      server: (await bundleEntry(folder, "server.ts")).startBytes,
      client: (await bundleEntry(folder, "client.ts")).startBytes,
    });
    const whole = await weigh();
    await takeHooksOut(folder);
    const rest = await weigh();
    for (const end of ["server", "client"] as const) {
      const held = whole[end] - rest[end];
      // What is taken out must have been there; the sizes belong to the report.
      await t.step(`${end}: ${held} bytes of ${whole[end]}`, () => assert.ok(held > 0 && held <= MOST_FOR_EXTENSIONS, `${held}`));
    }
  });
});

/** The files and packages that a door leads to, types and what is loaded on first use included. */
async function modulesOf(door: Door): Promise<readonly string[]> {
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
      assert.ok((await bundle(door)).all.includes(marker), `${door} does not hold it`);
      for (const core of CORE) assert.ok(!(await bundle(core)).all.includes(marker), `${core} holds it`);
    });
  }
});

Deno.test("a bundled program serves all that is loaded at its first use, validators included, in one file and in several", async (t) => {
  const program = `${ROOT}/tests/server/programs/every_room.ts`;
  const served = JSON.stringify([[{ type: "text", text: "decline" }], 2, true, true]);
  for (const form of ["one file", "several files"]) {
    await t.step(form, async () => {
      const folder = await Deno.makeTempDir({ prefix: "causeway-bundled-" });
      try {
        const options = form === "one file" ? ["-o", `${folder}/every_room.js`] : ["--code-splitting", "--outdir", folder];
        const bundled = await runDeno(["bundle", "--platform", "browser", "--minify", ...options, program]);
        assert.equal(bundled.code, 0, bundled.output);
        const { output } = await runDeno(["run", "--no-config", "--no-check", `${folder}/every_room.js`]);
        assert.equal(output.trim(), served);
      } finally {
        await Deno.remove(folder, { recursive: true });
      }
    });
  }
});
