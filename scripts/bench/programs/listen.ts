/** Serves a fetch handler on a free port of loopback, prints the port, and ends when standard input ends. */

/** Serves until standard input ends. */
export async function listen(fetch: (request: Request) => Response | Promise<Response>): Promise<void> {
  const server = Deno.serve({
    hostname: "127.0.0.1",
    port: 0,
    onListen: ({ port }) => Deno.stdout.writeSync(new TextEncoder().encode(`${JSON.stringify({ port })}\n`)),
  }, (request) => fetch(request));
  for await (const _chunk of Deno.stdin.readable);
  await server.shutdown();
}
