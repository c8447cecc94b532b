/** Tests of `transports/http_accept.ts`. */
import assert from "node:assert/strict";
import { acceptsEvents, acceptsJson, USUAL_ACCEPT } from "../../transports/http_accept.ts";

Deno.test("acceptsJson and acceptsEvents read weights, wildcards, and the most specific range (B026)", () => {
  for (
    const [accept, json, events] of [
      [null, true, true],
      [USUAL_ACCEPT, true, true],
      ["*/*", true, true],
      ["application/*, text/*;q=0.5", true, true],
      ["APPLICATION/JSON,text/event-stream", true, true],
      ["application/json;q=0, text/event-stream", false, true],
      ["application/json;q=0, */*", false, true],
      ["text/event-stream;q=0, */*", true, false],
      ["application/json-seq, text/event-stream-x", false, false],
      ["text/html", false, false],
    ] as const
  ) assert.deepEqual([acceptsJson(accept), acceptsEvents(accept)], [json, events], String(accept));
});
