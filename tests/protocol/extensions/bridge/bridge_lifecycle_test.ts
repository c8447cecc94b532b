import assert from "node:assert/strict";
import { type BridgeEvent, type BridgeState, bridgeStep } from "../../../../protocol/extensions/bridge/bridge_lifecycle.ts";
import { createRandom } from "../../random.ts";

const STATES: readonly BridgeState[] = ["created", "initializing", "ready", "input", "settled", "closing", "closed"];

/** An event as "view request ping". */
function event(text: string): BridgeEvent {
  const [from, kind, method] = text.split(" ") as ["view" | "host", "request" | "notification" | "response", string];
  return { from, kind, method };
}

/** For each event: the next state in each of the seven states, "-" where it is refused. */
const TABLE: Record<string, string> = {
  "view request ui/initialize": "initializing - - - - - -",
  "view notification ui/notifications/initialized": "- ready - - - - -",
  "view request ping": "- initializing ready input settled closing -",
  "view request tools/call": "- - ready input settled closing -",
  "view request ui/open-link": "- - ready input settled closing -",
  "view notification notifications/message": "- initializing ready input settled closing -",
  "view notification ui/notifications/size-changed": "- initializing ready input settled closing -",
  "view response ping": "- - ready input settled closing -",
  "view response ui/resource-teardown": "- - - - - closed -",
  "host response ui/initialize": "created initializing ready input settled closing -",
  "host notification ui/notifications/tool-input-partial": "- - ready - - - -",
  "host notification ui/notifications/tool-input": "- - input - - - -",
  "host notification ui/notifications/tool-result": "- - - settled - - -",
  "host notification ui/notifications/tool-cancelled": "- - settled settled - - -",
  "host notification ui/notifications/host-context-changed": "- - ready input settled - -",
  "host notification notifications/tools/list_changed": "- - ready input settled - -",
  "host request tools/call": "- - ready input settled - -",
  "host request ping": "- - ready input settled - -",
  "host request ui/resource-teardown": "- - closing closing closing - -",
};

Deno.test("apps 10 the life of a bridge is this table", () => {
  for (const [text, row] of Object.entries(TABLE)) {
    const found = STATES.map((state) => {
      const step = bridgeStep(state, event(text));
      return step.ok ? step.state : "-";
    });
    assert.equal(found.join(" "), row, text);
  }
  for (const state of STATES) assert.deepEqual(bridgeStep(state, { kind: "end" }), { ok: true, state: "closed" });
});

Deno.test("apps 10 a refusal says who can not do what, and when", () => {
  const step = bridgeStep("created", event("view request tools/call"));
  assert.deepEqual(step, { ok: false, refusal: "Sending tools/call: the view cannot do that while the bridge is created" });
});

Deno.test("apps 10 whatever is tried, seeded: nothing to the view before initialized, input once before a result, nothing after the end", () => {
  const random = createRandom(10);
  const events = Object.keys(TABLE);
  for (let run = 0; run < 500; run++) {
    let state: BridgeState = "created";
    const taken: string[] = [];
    for (let i = 0; i < 60; i++) {
      const text = random.pick(events);
      const step = bridgeStep(state, event(text));
      if (!step.ok) continue;
      assert.notEqual(state, "closed", text);
      state = step.state;
      taken.push(text);
    }
    const at = (text: string): number => taken.indexOf(text);
    const count = (text: string): number => taken.filter((one) => one === text).length;
    const initialized = at("view notification ui/notifications/initialized");
    const early = taken.slice(0, initialized < 0 ? undefined : initialized);
    assert.ok(early.every((text) => !text.startsWith("host ") || text.startsWith("host response")));
    const input = "host notification ui/notifications/tool-input";
    const result = "host notification ui/notifications/tool-result";
    const cancelled = "host notification ui/notifications/tool-cancelled";
    assert.ok(count(input) <= 1 && count(result) + count(cancelled) <= 1);
    if (at(result) >= 0) assert.ok(at(input) >= 0 && at(input) < at(result));
    if (at(input) >= 0) assert.ok(taken.lastIndexOf(`${input}-partial`) < at(input));
  }
});
