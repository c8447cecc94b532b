/** A plain HTTP server on a real socket for tests of the client. */
import { connect } from "../../client/mod.ts";
import type { Client, HttpConnectOptions, JsonObject, JsonRpcRequest } from "../../client/mod.ts";
import { DISCOVERED, text } from "./scripted.ts";

/** One POST as it arrived. */
export interface Posted {
  readonly message: JsonRpcRequest;
  readonly headers: Headers;
  readonly request: Request;
}

/** A running server. */
export interface Site {
  readonly url: string;
  readonly posts: Posted[];
  /** The POSTs other than `server/discover`. */
  calls(method?: string): Posted[];
  close(): Promise<void>;
}

/** What an answer function gives. */
export type Answer = Response | JsonObject | undefined;

/** A plain HTTP server: what the answer function leaves open, `server/discover` included, is answered as a modern server would. */
export function site(answer: (posted: Posted) => Answer | Promise<Answer>): Site {
  const posts: Posted[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => undefined }, async (request) => {
    const message = JSON.parse(await request.text());
    const posted = { message, headers: request.headers, request };
    posts.push({ ...posted, headers: new Headers(request.headers) });
    const given = await answer(posted) ?? (message.method === "server/discover" ? DISCOVERED : text(""));
    return given instanceof Response ? given : Response.json({ jsonrpc: "2.0", id: message.id, result: given });
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}/mcp`,
    posts,
    calls: (method) =>
      posts.filter(({ message }) => method === undefined ? message.method !== "server/discover" : message.method === method),
    close: () => server.shutdown(),
  };
}

/** Connects, runs, and closes both sides. */
export async function visit(site: Site, options: HttpConnectOptions, run: (client: Client) => Promise<void>): Promise<void> {
  try {
    const client = await connect(site.url, options);
    try {
      await run(client);
    } finally {
      await client.close();
    }
  } finally {
    await site.close();
  }
}

/** An error response with an HTTP status. */
export function rpcError(posted: Posted, status: number, code: number, data?: JsonObject): Response {
  const error = data === undefined ? { code, message: "no" } : { code, message: "no", data };
  return Response.json({ jsonrpc: "2.0", id: posted.message.id, error }, { status });
}
