/** Requests to a server over `fetch`, with headers and declarations as a test wants them. */
import type { JsonObject } from "../../protocol/types.ts";
import type { Server } from "../../server/server_types.ts";

/** What goes with a request. */
export interface RawCall {
  /** `Mcp-Name`; absent when undefined. */
  readonly name?: string | undefined;
  /** `Mcp-Method`, when it is another one. */
  readonly method?: string | undefined;
  /** The client's capabilities. */
  readonly declared?: JsonObject | undefined;
  /** The caller. */
  readonly principal?: string | undefined;
}

/** The answer. */
export interface RawAnswer {
  /** The HTTP status. */
  readonly status: number;
  /** The result. */
  readonly result?: JsonObject;
  /** The error. */
  readonly error?: { readonly code: number; readonly message: string; readonly data?: JsonObject };
}

/** Sends one request; a stream is read to the answer at its end. */
export async function callRaw(server: Server, method: string, params: JsonObject, call: RawCall = {}): Promise<RawAnswer> {
  const response = await sendRaw(server, method, params, call);
  const text = await response.text();
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  const answer = isStream ? [...text.matchAll(/^data: (.+)$/gm)].at(-1)?.[1] ?? "" : text;
  return { status: response.status, ...JSON.parse(answer) };
}

/** Sends one request, and gives the answer as it comes. */
export async function sendRaw(server: Server, method: string, params: JsonObject, call: RawCall = {}): Promise<Response> {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": call.declared ?? {},
  };
  const request = new Request("http://localhost/mcp", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": call.method ?? method,
      ...(call.name === undefined ? {} : { "mcp-name": call.name }),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } }),
  });
  const auth = call.principal === undefined ? {} : { auth: { principal: call.principal, scopes: [], claims: {} } };
  return await server.respond(request, auth);
}
