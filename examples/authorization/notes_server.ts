/** A protected MCP server on a free port of 127.0.0.1: reading notes needs one scope, writing them another one as well. */
import { defineServer, tool } from "@causeway/mcp/server";
import { bearer, jwt } from "@causeway/mcp/server/auth";

/** The scopes of the server, and what each allows, in words. */
export const SCOPES = { "notes:read": "Read your notes", "notes:write": "Write notes for you" } as const;

/** A running server. */
export interface NotesServer {
  /** Its address, which is its identifier as well. */
  readonly url: string;
  /** Ends it. */
  close(): Promise<void>;
}

/** Starts the server; it takes tokens of one issuer. */
export async function startNotesServer(issuer: string): Promise<NotesServer> {
  const listening = Promise.withResolvers<Deno.NetAddr>();
  const options = { hostname: "127.0.0.1", port: 0, onListen: listening.resolve };
  const http = Deno.serve(options, async (request) => await (await ready).fetch(request));
  const ready = listening.promise.then(({ port }) => notes(`http://127.0.0.1:${port}/mcp`, issuer));
  const server = await ready;
  return {
    url: server.url,
    close: async () => {
      await server.close();
      await http.shutdown();
    },
  };
}

function notes(url: string, issuer: string) {
  const auth = bearer({
    resource: url,
    authorizationServers: [issuer],
    // Every request needs this one. The other one is asked for as soon as somebody writes, not before.
    scopes: ["notes:read"],
    verify: jwt({ issuer, audience: url, type: "at+jwt" }),
  });
  const kept = new Map<unknown, string[]>();
  const list = tool({
    name: "list_notes",
    description: "Lists your notes",
    handler: (_args, ctx) => kept.get(auth.of(ctx).claims.sub)?.join("\n") ?? "no notes",
  });
  const add = tool({
    name: "add_note",
    description: "Adds a note",
    scopes: ["notes:write"],
    args: { text: { type: "string", required: true } },
    handler({ text }, ctx) {
      // The person. `principal` would tell apart the clients of one person as well.
      const { sub } = auth.of(ctx).claims;
      kept.set(sub, [...kept.get(sub) ?? [], text]);
      return "kept";
    },
  });
  const { fetch, close } = defineServer({ name: "notes", version: "1.0.0", auth, tools: [list, add] });
  return { url, fetch, close };
}
