/** A server of the handshake revisions on a real socket, written by hand, for tests of the client. */
import type { JsonObject } from "../../client/mod.ts";

/** One HTTP request as it arrived. */
export interface Visited {
  /** The HTTP method. */
  readonly verb: string;
  /** The headers. */
  readonly headers: Headers;
  /** The message of a POST. */
  readonly message: { readonly id?: unknown; readonly method?: string; readonly params?: JsonObject; readonly result?: unknown };
}

/** What an answer function gives: a response, a result, or nothing for the usual answer. */
export type OldAnswer = Response | JsonObject | undefined;

/** A running server. */
export interface OldSite {
  readonly url: string;
  readonly visits: Visited[];
  /** The methods of the POSTs, in order; responses are "response". */
  methods(): string[];
  /** Ends the session: its id is unknown from now on. */
  forget(): void;
  close(): Promise<void>;
}

/** Options of {@linkcode oldSite}. */
export interface OldSiteOptions {
  /** The revision that it chooses. */
  readonly version?: string;
  /** Does it give session ids? */
  readonly sessions?: boolean;
  /** What it declares. */
  readonly capabilities?: JsonObject;
  /** Answers GET. */
  readonly onGet?: () => Response;
  /** Answers DELETE. */
  readonly onDelete?: () => Response;
}

/** Starts one. `answer` comes first; what it leaves open is answered as such servers do. */
export function oldSite(answer: (visited: Visited) => OldAnswer | Promise<OldAnswer>, options: OldSiteOptions = {}): OldSite {
  const { version = "2025-11-25", sessions = false, capabilities = { tools: {} } } = options;
  const visits: Visited[] = [];
  let count = 0;
  let session: string | undefined;
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => undefined }, async (request) => {
    const verb = request.method;
    const text = await request.text();
    if (new URL(request.url).pathname !== "/mcp") return new Response(null, { status: 404 });
    const message = verb === "POST" ? JSON.parse(text) : {};
    const visited: Visited = { verb, headers: new Headers(request.headers), message };
    visits.push(visited);
    if (verb === "GET") return options.onGet?.() ?? new Response(null, { status: 405 });
    if (verb === "DELETE") return options.onDelete?.() ?? new Response(null, { status: 200 });
    const given = await answer(visited);
    if (given instanceof Response) return given;
    const { id, method } = message;
    const own = request.headers.get("mcp-session-id");
    if (sessions && method !== "initialize" && own !== session) {
      return new Response("unknown session", { status: own ? 404 : 400 });
    }
    if (method === undefined || id === undefined) return new Response(null, { status: 202 });
    if (method === "initialize") {
      const headers: HeadersInit = sessions ? { "mcp-session-id": session = `s${++count}` } : {};
      const result = given ?? { protocolVersion: version, capabilities, serverInfo: { name: "old", version: "1" } };
      return Response.json({ jsonrpc: "2.0", id, result }, { headers });
    }
    if (method === "server/discover" && given === undefined) {
      return Response.json({ jsonrpc: "2.0", id, error: { code: -32601, message: "no" } });
    }
    return Response.json({ jsonrpc: "2.0", id, result: given ?? { content: [{ type: "text", text: "old" }] } });
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}/mcp`,
    visits,
    methods: () => visits.filter(({ verb }) => verb === "POST").map(({ message }) => message.method ?? "response"),
    forget: () => session = undefined,
    close: () => server.shutdown(),
  };
}

/** An answer as an event stream that the test goes on writing. */
export function eventStream(): {
  readonly response: Response;
  readonly send: (message: JsonObject) => void;
  readonly end: () => void;
} {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({ start: (own) => void (controller = own) });
  const write = (text: string): void => controller?.enqueue(new TextEncoder().encode(text));
  return {
    response: new Response(body, { headers: { "content-type": "text/event-stream" } }),
    send: (message) => write(`data: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`),
    end: () => {
      try {
        controller?.close();
      } catch {
        // The client has gone.
      }
    },
  };
}
