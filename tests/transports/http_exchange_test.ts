/** Tests of `transports/http_exchange.ts`. */
import assert from "node:assert/strict";
import { HttpExchange } from "../../transports/http_exchange.ts";

function exchange(own = new AbortController(), outer?: AbortController): HttpExchange {
  const request = new Request("http://localhost/", { headers: { "x-own": "yes" }, signal: own.signal });
  return new HttpExchange(request, undefined, outer?.signal);
}

Deno.test("HttpExchange shows the headers, the caller and that it is HTTP", () => {
  const principal = { principal: "p", scopes: [] } as never;
  const shown = new HttpExchange(new Request("http://localhost/", { headers: { "X-Own": "yes" } }), principal, undefined);
  assert.deepEqual([shown.headers.get("x-own"), shown.principal, shown.connection.transport], ["yes", principal, "http"]);
});

Deno.test("HttpExchange tells every listener once, whoever goes: the request or the application's signal", () => {
  for (const which of ["own", "outer"] as const) {
    const signals = { own: new AbortController(), outer: new AbortController() };
    const told: number[] = [];
    const own = exchange(signals.own, signals.outer);
    own.onDisconnect(() => told.push(1));
    own.onDisconnect(() => told.push(2));
    signals[which].abort();
    signals.own.abort();
    own.disconnect();
    assert.deepEqual(told, [1, 2]);
  }
});

Deno.test("HttpExchange does not tell a listener that was taken back", () => {
  const own = new AbortController();
  const told: number[] = [];
  const shown = exchange(own);
  const takeBack = shown.onDisconnect(() => told.push(1));
  shown.onDisconnect(() => told.push(2));
  takeBack();
  takeBack();
  own.abort();
  assert.deepEqual(told, [2]);
});

Deno.test("HttpExchange does not tell a listener that an earlier one takes back", () => {
  const told: number[] = [];
  const shown = exchange();
  shown.onDisconnect(() => {
    told.push(1);
    takeBack();
  });
  const takeBack = shown.onDisconnect(() => told.push(2));
  shown.onDisconnect(() => told.push(3));
  shown.disconnect();
  assert.deepEqual(told, [1, 3]);
});

Deno.test("HttpExchange ignores the signal after the last listener was taken back, and hears it again for a new one", () => {
  const own = new AbortController();
  const told: number[] = [];
  const shown = exchange(own);
  shown.onDisconnect(() => told.push(1))();
  shown.onDisconnect(() => told.push(2));
  own.abort();
  assert.deepEqual(told, [2]);
});

Deno.test("HttpExchange tells a listener soon that comes after the end, or after the signal was aborted", async () => {
  const own = new AbortController();
  own.abort();
  const told: string[] = [];
  exchange(own).onDisconnect(() => told.push("own"));
  const outer = new AbortController();
  outer.abort();
  exchange(undefined, outer).onDisconnect(() => told.push("outer"));
  const gone = exchange();
  gone.disconnect();
  gone.onDisconnect(() => told.push("gone"));
  assert.deepEqual(told, []);
  await Promise.resolve();
  await Promise.resolve();
  assert.deepEqual(told.sort(), ["gone", "outer", "own"]);
});
