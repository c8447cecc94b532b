import assert from "node:assert/strict";
import { VERSION } from "../../protocol/version.ts";

Deno.test("VERSION equals the version of the manifest", async () => {
  const manifest = JSON.parse(await Deno.readTextFile(new URL("../../deno.json", import.meta.url)));
  assert.equal(VERSION, manifest.version);
});
