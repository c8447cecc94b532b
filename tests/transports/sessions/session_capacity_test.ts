/** Tests of `transports/sessions/session_capacity.ts`. */
import assert from "node:assert/strict";
import { resolveLimits } from "../../../protocol/limits.ts";
import { SessionCapacity } from "../../../transports/sessions/session_capacity.ts";
import type { Place } from "../../../transports/sessions/session_capacity.ts";

function taken(place: Place): () => void {
  assert.ok(place.ok, "taken");
  return place.give;
}

Deno.test("SessionCapacity takes as many as both limits allow, and names the one that is reached (limit sessions, limit sessionsPerPrincipal)", () => {
  const capacity = new SessionCapacity(resolveLimits({ sessions: 3, sessionsPerPrincipal: 2 }));
  const give = taken(capacity.take("anna"));
  taken(capacity.take("anna"));
  assert.deepEqual(capacity.take("anna"), {
    ok: false,
    sentence: "Capacity reached: the caller has 2 sessions open (limit sessionsPerPrincipal 2)",
    limit: { name: "sessionsPerPrincipal", value: 2 },
  });
  taken(capacity.take("ben"));
  // Where both are reached, room that another session makes would not help.
  const own = capacity.take("anna");
  assert.equal(own.ok ? undefined : own.limit.name, "sessionsPerPrincipal");
  assert.deepEqual(capacity.take("cleo"), {
    ok: false,
    sentence: "Capacity reached: 3 sessions are open (limit sessions 3)",
    limit: { name: "sessions", value: 3 },
  });
  give();
  give();
  taken(capacity.take("anna"));
  assert.equal(capacity.take("ben").ok, false);
});

Deno.test("SessionCapacity counts callers that nobody knows in total only", () => {
  const capacity = new SessionCapacity(resolveLimits({ sessions: 3, sessionsPerPrincipal: 1 }));
  for (let at = 0; at < 3; at++) taken(capacity.take(undefined));
  assert.equal(capacity.take(undefined).ok, false);
});
