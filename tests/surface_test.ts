import assert from "node:assert/strict";
import { readDoors, readSurface } from "../scripts/surface.ts";
import { SURFACE } from "./surface.ts";

Deno.test("each door exports exactly the names in tests/surface.ts", async (t) => {
  const doors = await readDoors();
  assert.deepEqual(Object.keys(doors).sort(), Object.keys(SURFACE).sort());
  for (const [door, file] of Object.entries(doors)) {
    await t.step(door, async () => {
      assert.deepEqual(await readSurface(file), SURFACE[door], `${door}: run "deno task surface --write" if the change is meant`);
    });
  }
});
