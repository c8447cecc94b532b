/** The requests that the bench sends, and what a right answer to them is. */

/** One HTTP request, the same for every contender. */
export interface BenchRequest {
  /** Header pairs beside those of HTTP itself. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body, as text. */
  readonly body: string;
  /** Says what is wrong with an answer, or nothing when it is right. */
  check(answer: unknown): string | undefined;
}

/** The revision that all contenders speak but one. */
export const REVISION = "2026-07-28";
/** The newest that mcp-lite speaks. */
const LITE_REVISION = "2025-06-18";

const COMMON = { "Accept": "application/json, text/event-stream", "Content-Type": "application/json" } as const;

/** The text that the echo carries. */
const TEXT = "The quick brown fox jumps over the lazy dog";

/** A `tools/call` of the tool `echo`. */
export function echoRequest(): BenchRequest {
  return {
    headers: headersFor("tools/call", "echo"),
    body: body("tools/call", { name: "echo", arguments: { text: TEXT } }),
    check: (answer) => {
      const { result } = answer as { result?: { content?: { type?: string; text?: string }[]; isError?: boolean } };
      const text = result?.isError === true ? undefined : result?.content?.[0]?.text;
      return text === TEXT ? undefined : `no echo: ${JSON.stringify(answer)}`;
    },
  };
}

/** The same call for mcp-lite, which knows neither `_meta` of requests nor its headers, and answers with JSON where only that is taken. */
export function liteEchoRequest(): BenchRequest {
  const { check } = echoRequest();
  const params = { name: "echo", arguments: { text: TEXT } };
  return {
    headers: { ...COMMON, "Accept": "application/json", "MCP-Protocol-Version": LITE_REVISION },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
    check,
  };
}

/** A `tools/list` of a server with that many tools, which fit one page. */
export function listRequest(tools: number): BenchRequest {
  return {
    headers: headersFor("tools/list"),
    body: body("tools/list", {}),
    check: (answer) => {
      const { result } = answer as { result?: { tools?: unknown[] } };
      return result?.tools?.length === tools ? undefined : `not ${tools} tools: ${JSON.stringify(answer).slice(0, 300)}`;
    },
  };
}

function headersFor(method: string, name?: string): Record<string, string> {
  return {
    ...COMMON,
    "MCP-Protocol-Version": REVISION,
    "Mcp-Method": method,
    ...(name === undefined ? {} : { "Mcp-Name": name }),
  };
}

function body(method: string, params: object): string {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": REVISION,
    "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  return JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } });
}
