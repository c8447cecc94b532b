/** Tests of `transports/sessions/event_budget.ts`. */
import assert from "node:assert/strict";
import { EventBudget } from "../../../transports/sessions/event_budget.ts";

const event = (sequence: number, bytes: number) => ({ session: "s", stream: "a", sequence, bytes });

Deno.test("EventBudget names the oldest events when there are too many, or too many bytes", () => {
  const budget = new EventBudget(3, 10);
  const [one, two, three, four, five] = [event(1, 1), event(2, 1), event(3, 1), event(4, 8), event(5, 11)] as const;
  assert.deepEqual([one, two, three].map((each) => budget.add(each)), [[], [], []]);
  assert.deepEqual(budget.add(four), [one]);
  assert.deepEqual(budget.add(one), [two]);
  assert.deepEqual(budget.add(two), [three]);
  assert.deepEqual(budget.add(five), [five], "larger than all may be together");
  assert.equal(budget.size, 3);
});

Deno.test("EventBudget gives back the bytes of what is taken out", () => {
  const budget = new EventBudget(10, 10);
  const [one, two] = [event(1, 6), event(2, 6)] as const;
  budget.add(one);
  budget.delete(one);
  budget.delete(one);
  assert.deepEqual(budget.add(two), []);
  assert.deepEqual(budget.clear(), [two]);
  assert.deepEqual([budget.size, budget.add(event(3, 10))], [0, []]);
});
