import assert from "node:assert/strict";
import { displayModeFor } from "../../../../protocol/extensions/bridge/display_mode.ts";

Deno.test("apps 13 a mode comes into force when the host has it and the view announced it; else the mode stays", () => {
  const offered = ["inline", "fullscreen", "pip"];
  const announced = ["inline", "fullscreen"];
  assert.equal(displayModeFor("fullscreen", { current: "inline", announced, offered }), "fullscreen");
  assert.equal(displayModeFor("pip", { current: "inline", announced, offered }), "inline");
  assert.equal(displayModeFor("fullscreen", { current: "inline", announced, offered: ["inline"] }), "inline");
  assert.equal(displayModeFor("fullscreen", { current: "inline", announced: undefined, offered }), "inline");
  assert.equal(displayModeFor("inline", { current: "pip", announced: [], offered }), "pip");
});
