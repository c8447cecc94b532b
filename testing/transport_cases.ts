/** `transportCases`: what every carrier has to do, as functions that throw when it does not. */
import { DIALECTS } from "../protocol/dialects/mod.ts";
import type { Dialect } from "../protocol/dialect.ts";
import { isResponse } from "../protocol/json_rpc.ts";
import type { JsonObject, JsonRpcMessage, JsonRpcResponse, RequestId } from "../protocol/types.ts";
import { checkFunction } from "../protocol/unknown_option.ts";
import type { Server } from "../server/server_types.ts";
import type { ExchangeOptions, Transport } from "../transports/transport.ts";
import { endsWithin } from "../transports/ends_within.ts";
import { caseServer } from "./case_server.ts";
import type { CaseServer } from "./case_server.ts";

/** One thing that a carrier has to do. */
export interface TransportCase {
  /** A sentence. */
  readonly name: string;
  /** Tries it over a fresh carrier, in bounded time. Rejects with an `Error` whose message says what was wrong. */
  run(): Promise<void>;
}

/**
 * The cases that a carrier of your own must pass, as plain functions for any test runner. Each opens its own carrier to its own
 * server, and closes it.
 *
 * ```ts
 * import { transportCases } from "@causeway/mcp/testing";
 * import { connectInMemory } from "@causeway/mcp/transports";
 *
 * for (const { name, run } of transportCases((server) => Promise.resolve(connectInMemory(server)))) {
 *   Deno.test(name, run);
 * }
 * ```
 *
 * @param open Connects to a server over the carrier: the client's end.
 * @throws {TypeError} When it is not a function.
 */
export function transportCases(open: (server: Server) => Promise<Transport>): readonly TransportCase[] {
  checkFunction(open, "transportCases.open");
  return CASES.map(([name, body]) => ({ name, run: () => runCase(open, name, body) }));
}

/** Milliseconds for one case. */
const PATIENCE = 10_000;

interface Trial {
  readonly transport: Transport;
  readonly served: CaseServer;
}

type Body = (trial: Trial) => Promise<void>;

const CASES: readonly (readonly [name: string, body: Body])[] = [
  ["A request is answered with a response under its id, and nothing follows", answersOnce],
  ["An id comes back as it was sent, be it a number or a text", keepsIds],
  ["Text of every kind arrives unchanged, both ways", keepsText],
  ["A long message arrives whole", keepsLength],
  ["Notifications of a call come in order, before its response", keepsOrder],
  ["Calls at the same time get their own answers, whichever comes first", keepsApart],
  ["An error of the server is a message, and the next call is answered", passesErrors],
  ["Aborting the signal ends the exchange with its reason, and the server hears of it", abortsBySignal],
  ["Ending the iteration early is heard by the server, and the next call is answered", abortsByReturn],
  ["A signal that is aborted already sends nothing", sendsNothing],
  ["A notification is sent without waiting for an answer", sendsNotifications],
  ["Closing ends open exchanges and incoming messages; a second close does nothing", closes],
  ["After closing, an exchange and a notification fail", staysClosed],
];

async function runCase(open: (server: Server) => Promise<Transport>, name: string, body: Body): Promise<void> {
  const served = caseServer();
  const transport = await open(served.server);
  try {
    const work = body({ transport, served });
    if (!(await endsWithin(work, PATIENCE))) fail(`it was not over after ${PATIENCE} ms`);
  } catch (cause) {
    throw new Error(`${name}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  } finally {
    await transport.close();
    await served.server.close();
  }
}

async function answersOnce({ transport }: Trial): Promise<void> {
  const messages = await all(call(transport, 1, "echo", { a: 1 }));
  same(messages.length, 1, "the number of messages");
  same(echoed(messages[0]), { a: 1 }, "the structured content");
}

async function keepsIds({ transport }: Trial): Promise<void> {
  for (const id of [1, "1", "b c", 0, Number.MAX_SAFE_INTEGER]) {
    const [message] = await all(call(transport, id, "echo", {}));
    same(message !== undefined && isResponse(message) ? message.id : undefined, id, "the id of the response");
  }
}

async function keepsText({ transport }: Trial): Promise<void> {
  const texts = [
    '"quoted" \\ back',
    "line\nend\r\nand\ttab",
    "\u2028\u2029\ufeff",
    "\u0000\u001f\u007f",
    "é 中 🦊",
    "data: x\n\nevent: y",
  ];
  for (const text of texts) {
    const [message] = await all(call(transport, text, "echo", { text, [text]: text }));
    same(echoed(message), { text, [text]: text }, "the text");
  }
}

async function keepsLength({ transport }: Trial): Promise<void> {
  const text = "é".repeat(150_000);
  const [message] = await all(call(transport, 1, "echo", { text }));
  same((echoed(message) as { text?: string } | undefined)?.text?.length, text.length, "the length of the text");
}

async function keepsOrder({ transport }: Trial): Promise<void> {
  const messages = await all(call(transport, "counting", "count", { to: 5 }));
  const steps = messages.map((message) => "method" in message ? message.params?.progress : "response");
  same(steps, [1, 2, 3, 4, 5, "response"], "the steps");
}

async function keepsApart({ transport }: Trial): Promise<void> {
  const turns = [8, 1, 5, 0, 3];
  const answers = await Promise.all(turns.map((turns, index) => all(call(transport, index, "late", { turns }))));
  same(answers.map((messages) => echoed(messages.at(-1))), turns.map((turns) => ({ turns })), "the answers");
}

async function passesErrors({ transport }: Trial): Promise<void> {
  const [message] = await all(call(transport, 1, "no_such_tool", {}));
  if (message === undefined || !("error" in message)) fail("calling an unknown tool was not answered with an error");
  await answersOnce({ transport } as Trial);
}

async function abortsBySignal({ transport, served }: Trial): Promise<void> {
  const abort = new AbortController();
  const reason = new Error("enough");
  const outcome = all(call(transport, 1, "wait", {}, { signal: abort.signal })).then(() => undefined, (error) => error);
  await served.until(() => served.begun() === 1);
  abort.abort(reason);
  if (await outcome !== reason) fail("the exchange did not reject with the reason of the signal");
  await served.until(() => served.ended() === 1);
}

async function abortsByReturn({ transport, served }: Trial): Promise<void> {
  const messages = call(transport, 1, "wait", {})[Symbol.asyncIterator]();
  const first = messages.next().then(() => undefined, () => undefined);
  await served.until(() => served.begun() === 1);
  await messages.return?.();
  await first;
  await served.until(() => served.ended() === 1);
  same((await all(call(transport, 2, "echo", {}))).length, 1, "the number of messages of the next call");
}

async function sendsNothing({ transport, served }: Trial): Promise<void> {
  const reason = new Error("never");
  const outcome = await all(call(transport, 1, "wait", {}, { signal: AbortSignal.abort(reason) })).catch((error) => error);
  if (outcome !== reason) fail("the exchange did not reject with the reason of the signal");
  await all(call(transport, 2, "echo", {}));
  same(served.begun(), 0, "the number of calls that the server saw");
}

async function sendsNotifications({ transport }: Trial): Promise<void> {
  const method = "notifications/cancelled";
  await transport.send({ jsonrpc: "2.0", method, params: { requestId: "none" } }, {
    headers: dialect().notificationHeaders(method),
  });
  await all(call(transport, 1, "echo", {}));
}

async function closes({ transport, served }: Trial): Promise<void> {
  const open = all(call(transport, 1, "wait", {})).then(() => "ended", () => "failed");
  const incoming = all(transport.incoming);
  await served.until(() => served.begun() === 1);
  await transport.close();
  same(await open, "failed", "what became of the open exchange");
  await incoming;
  await transport.close();
  await served.until(() => served.ended() === 1);
}

async function staysClosed({ transport }: Trial): Promise<void> {
  await transport.close();
  const sent = transport.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
  same(await sent.then(() => "sent", () => "failed"), "failed", "what became of a notification after closing");
  same(await all(call(transport, 1, "echo", {})).then(() => "answered", () => "failed"), "failed", "what became of an exchange");
}

function dialect(): Dialect {
  return DIALECTS[0] as Dialect;
}

function call(
  transport: Transport,
  id: RequestId,
  name: string,
  args: JsonObject,
  options: ExchangeOptions = {},
): AsyncIterable<JsonRpcMessage> {
  const { message, headers } = dialect().writeRequest({
    id,
    method: "tools/call",
    params: { name, arguments: args },
    clientInfo: { name: "cases", version: "1.0.0" },
    clientCapabilities: {},
    progressToken: id,
    logLevel: undefined,
    meta: undefined,
    inputResponses: undefined,
    requestState: undefined,
    mirrored: [],
  });
  return transport.exchange(message, { ...options, headers });
}

async function all(messages: AsyncIterable<JsonRpcMessage>): Promise<readonly JsonRpcMessage[]> {
  const found: JsonRpcMessage[] = [];
  for await (const message of messages) found.push(message);
  return found;
}

function echoed(message: JsonRpcMessage | undefined): unknown {
  const result = message !== undefined && "result" in message
    ? (message as JsonRpcResponse & { result: JsonObject }).result
    : undefined;
  return result?.structuredContent;
}

function same(actual: unknown, expected: unknown, what: string): void {
  const [found, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (found !== wanted) fail(`${what}: expected ${wanted}, found ${found}`);
}

function fail(message: string): never {
  throw new Error(message);
}
