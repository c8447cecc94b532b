/** The ways to one server that the tests of middleware go: in process and over HTTP, stateless and after a handshake. */
import type { JsonObject } from "../../protocol/types.ts";
import type { Server } from "../../server/server_types.ts";
import { answerOf, httpRequest, request } from "./calls.ts";
import { HANDSHAKE_VERSIONS, type Json, shakeHands } from "./handshake_client.ts";

/** One way to a server. */
export interface Way {
  /** What a test is named after. */
  readonly name: string;
  /** Is it a revision that begins with a handshake? */
  readonly handshake: boolean;
  /** Sends a request; gives the response as it would be on the wire. */
  call(method: string, params?: JsonObject): Promise<Json>;
  /** Ends it. */
  close(): Promise<void>;
}

/** Every way to a server, opened one after the other. */
export const WAYS: readonly { readonly name: string; readonly open: (server: Server) => Promise<Way> }[] = [
  {
    name: "2026-07-28 in process",
    open: (server) =>
      Promise.resolve({
        name: "2026-07-28 in process",
        handshake: false,
        call: async (method, params) =>
          JSON.parse(JSON.stringify((await answerOf(server, request(method, params))).response ?? null)),
        close: () => Promise.resolve(),
      }),
  },
  {
    name: "2026-07-28 over HTTP",
    open: (server) =>
      Promise.resolve({
        name: "2026-07-28 over HTTP",
        handshake: false,
        call: async (method, params) => await (await server.fetch(httpRequest(request(method, params)))).json(),
        close: () => Promise.resolve(),
      }),
  },
  ...HANDSHAKE_VERSIONS.map((version) => ({
    name: `${version} on a channel`,
    open: async (server: Server): Promise<Way> => {
      const client = await shakeHands(server, version);
      return {
        name: `${version} on a channel`,
        handshake: true,
        call: (method, params) => client.call(method, params),
        close: () => client.close(),
      };
    },
  })),
  ...HANDSHAKE_VERSIONS.map((version) => ({
    name: `${version} over HTTP without a session`,
    open: (server: Server): Promise<Way> =>
      Promise.resolve({
        name: `${version} over HTTP without a session`,
        handshake: true,
        call: async (method, params) => {
          const response = await server.fetch(
            new Request("http://localhost/mcp", {
              method: "POST",
              headers: {
                "content-type": "application/json",
                accept: "application/json, text/event-stream",
                "mcp-protocol-version": version,
              },
              body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, ...(params === undefined ? {} : { params }) }),
            }),
          );
          return await response.json();
        },
        close: () => Promise.resolve(),
      }),
  })),
];

/** Runs a test on every way to a fresh server. */
export function onEveryWay(name: string, create: () => Server, test: (way: Way) => Promise<void>): void {
  for (const { name: way, open } of WAYS) {
    Deno.test(`${name}, ${way}`, async () => {
      const server = create();
      const opened = await open(server);
      try {
        await test(opened);
      } finally {
        await opened.close();
        await server.close();
      }
    });
  }
}
