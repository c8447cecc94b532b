/** Errors of connections that do not come about: which server it was, and what it did instead of answering. */
import assert from "node:assert/strict";
import { connect, TransportError } from "../../client/mod.ts";

const LIMITS = { probeTimeout: 300, requestTimeout: 300, stopGrace: 100 };

/** A program that writes a line, and stays or goes. */
function program(
  line: string,
  then = "",
): { readonly command: string; readonly args: readonly string[]; readonly stderr: "null" } {
  return { command: Deno.execPath(), args: ["eval", `${line}; ${then}`], stderr: "null" };
}

const STAYS = "setInterval(() => 0, 1000)";

Deno.test("connect names a command that does not answer, and quotes what it wrote to its standard output", async () => {
  const limits = { ...LIMITS, probeTimeout: 2000, requestTimeout: 2000 };
  await assert.rejects(connect(program('console.log("Listening on 3000")', STAYS), { limits }), (error) => {
    assert.ok(error instanceof TransportError, String(error));
    assert.deepEqual([error.reason, error.data], ["timeout", { limit: "requestTimeout" }]);
    assert.match(error.message, /2000 ms.*; the server is ".*deno.*"; it wrote to its standard output, .*: Listening on 3000$/);
    return true;
  });
  await assert.rejects(connect(program("", STAYS), { limits: LIMITS }), /300 ms .*; the server is ".*deno.*"$/);
});

Deno.test("connect quotes what a command that exits wrote to its standard output", async () => {
  await assert.rejects(connect(program('console.log("\\x1b[31mDone\\x1b[0m")', "Deno.exit(3)")), {
    reason: "server_exited",
    message: /exited with code 3; it wrote to its standard output, where only messages belong: Done$/,
  });
});

Deno.test("connect says what a command may have meant that is none", async () => {
  const none = /there is no such command or working directory/;
  await assert.rejects(connect({ command: "no-such-program" }), none);
  await assert.rejects(connect({ command: "no-such-program run" }), /working directory; each argument belongs into args$/);
  await assert.rejects(connect({ command: "http://localhost:1" }), /working directory; an address is given to connect as it is$/);
});

Deno.test("connect names an address that does not answer, without what may be secret in it", async () => {
  const silent = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const held: Deno.Conn[] = [];
  const holding = (async () => {
    for await (const connection of silent) held.push(connection);
  })();
  const url = `http://127.0.0.1:${silent.addr.port}/mcp`;
  await assert.rejects(connect(`${url}?key=secret`, { limits: LIMITS }), (error) => {
    assert.ok(error instanceof TransportError, String(error));
    assert.ok(
      error.message.endsWith(`its total time of 300 ms is over (limit probeTimeout); the server is ${url}`),
      error.message,
    );
    return true;
  });
  silent.close();
  for (const connection of held) connection.close();
  await holding;
});

Deno.test("connect says what mostly is the matter with an address where no MCP server is", async () => {
  const answers: readonly (readonly [answer: () => Response, says: RegExp])[] = [
    [() => new Response("", { status: 404 }), /status 404.*; is this the path of an MCP server\?$/],
    [() => new Response("", { status: 405 }), /status 405.*; is this the path of an MCP server\?$/],
    [
      () => new Response("<html>", { headers: { "content-type": "text/html; charset=utf-8" } }),
      /; this is the address of a web page$/,
    ],
    [() => new Response("", { status: 500 }), /\(status 500, [^)]*\)$/],
    [() => new Response("", { status: 307, headers: { location: "/other" } }), /\/other .*; connect to where the server is$/],
  ];
  for (const [answer, says] of answers) {
    const fetch = () => Promise.resolve(answer());
    await assert.rejects(connect("https://h.example/mcp", { fetch }), { reason: "not_mcp", message: says });
  }
});
