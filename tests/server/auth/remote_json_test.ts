/** Tests of `server/auth/remote_json.ts`. */
import assert from "node:assert/strict";
import { remoteJson } from "../../../server/auth/remote_json.ts";

Deno.test("remoteJson tells why the platform does not reach a server, without the query, and nothing that another fetch says", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  const url = `http://127.0.0.1:${port}/jwks?key=secret`;
  const why = await remoteJson(url, globalThis.fetch).then(() => "", (error: Error) => error.message);
  assert.match(why, /^GET http:\/\/127\.0\.0\.1:\d+\/jwks: the server cannot be reached \(.*refused.*\)$/i);
  assert.doesNotMatch(why, /secret/);
  const quoting = (): Promise<Response> => Promise.reject(new TypeError("cannot send secret"));
  await assert.rejects(remoteJson(url, quoting), (error) => {
    assert.doesNotMatch(Deno.inspect(error), /secret/);
    return true;
  });
});
