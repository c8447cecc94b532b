/** The authorization server and the protected server of the example, and a count of what the former was asked. */
import assert from "node:assert/strict";
import type { OAuthOptions } from "../../client/auth/mod.ts";
import { textOf } from "../../client/mod.ts";
import type { Client } from "../../client/mod.ts";
import { startAuthorizationServer } from "../../examples/authorization/authorization_server.ts";
import { SCOPES, startNotesServer } from "../../examples/authorization/notes_server.ts";

/** Options of a client that reaches them. */
export const LOCAL: OAuthOptions = { clientName: "Note taker", allowInsecureLoopback: true };

/** Makes five calls at once, which have to go well. */
export async function callFiveTimes(client: Client): Promise<void> {
  const results = await Promise.all(Array.from({ length: 5 }, () => client.callTool("list_notes")));
  assert.deepEqual(results.map(textOf), Array(5).fill("no notes"));
}

/** Both servers, on loopback. */
export interface AuthorizationWorld {
  readonly issuer: string;
  /** The protected server. */
  readonly url: string;
  /** How often the authorization server was asked for this, as in `POST /token`, since the last count of it. */
  count(line: string): number;
  /** Makes known one more resource with the same scopes. */
  protect(resource: string): void;
}

/** What may be different about a world. */
export interface WorldOptions {
  /** Seconds that an access token lasts. */
  readonly lifetime?: number;
  /** Answers the authorization server when it asks for metadata documents of clients. */
  readonly fetch?: typeof globalThis.fetch;
}

/** Starts both, hands them to `use`, and ends them. */
export async function inWorld(use: (world: AuthorizationWorld) => Promise<void>, options: WorldOptions = {}): Promise<void> {
  let requests: string[] = [];
  const server = await startAuthorizationServer({
    accounts: { ada: "engine" },
    onRequest: (line) => void requests.push(line),
    ...options,
  });
  const notes = await startNotesServer(server.issuer);
  server.protect(notes.url, SCOPES);
  try {
    await use({
      issuer: server.issuer,
      url: notes.url,
      count: (wanted) => {
        const all = requests.length;
        requests = requests.filter((line) => line !== wanted);
        return all - requests.length;
      },
      protect: (resource) => server.protect(resource, SCOPES),
    });
  } finally {
    await notes.close();
    await server.close();
  }
}
