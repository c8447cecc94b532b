/** Fuzz targets that read what servers send: results, welcomes, questions, answers; and a whole client. */
import { answerInput } from "../../client/input/input_answers.ts";
import { connect } from "../../client/connect.ts";
import type { Client } from "../../client/client_types.ts";
import { readCompletion, readContents, readDiscover, readPage, readPrompt, readToolResult } from "../../client/results.ts";
import { discoveredFacts, welcomeFacts } from "../../client/server_facts.ts";
import { DIALECTS } from "../../protocol/dialects/mod.ts";
import type { Dialect } from "../../protocol/dialect.ts";
import { isMcpError, TransportError } from "../../protocol/errors.ts";
import { isRequest, readMessage } from "../../protocol/json_rpc.ts";
import { resolveLimits } from "../../protocol/limits.ts";
import type { InputRequest, JsonObject, JsonRpcMessage, JsonRpcRequest, ProtocolVersion } from "../../protocol/types.ts";
import type { Transport } from "../../transports/transport.ts";
import { CAPABILITIES, RESULTS } from "./messages.ts";
import { mutateJson, randomJson, randomObject } from "./random.ts";
import type { Random } from "./random.ts";
import { growth, must, target } from "./target.ts";

interface ResultInput {
  readonly method: string;
  readonly result: JsonObject;
  readonly question: JsonObject;
}

const LIST = { method: "tools/list", member: "tools", strings: ["name"], objects: ["inputSchema"] } as const;
const JSON_DEPTH = resolveLimits(undefined).jsonDepth;
const READERS: readonly ((result: JsonObject) => unknown)[] = [
  readToolResult,
  readPrompt,
  readContents,
  readDiscover,
  readCompletion,
  (result) => readPage(LIST, result, JSON_DEPTH, () => undefined),
];
const QUESTIONS = Object.values((RESULTS[3]?.[1] as { inputRequests: Record<string, JsonObject> }).inputRequests);

function object(value: unknown): JsonObject {
  return (typeof value === "object" && value !== null && !Array.isArray(value) ? value : {}) as JsonObject;
}

/** Results of every method in every revision, and the questions of servers. */
export const RESULT_READERS = target<ResultInput>({
  name: "readers of results",
  weight: 8,
  make(random) {
    const [method, result] = random.pick(RESULTS);
    return {
      method: random.oneIn(4) ? random.pick(RESULTS)[0] : method,
      result: object(random.oneIn(8) ? randomObject(random, 3) : mutateJson(random, result, 3)),
      question: object(mutateJson(random, random.pick(QUESTIONS), 3)),
    };
  },
  async check({ method, result, question }) {
    for (const read of READERS) onlyNotMcp(() => read(result));
    for (const dialect of DIALECTS) {
      const read = dialect.readResult(method, result, new Set(["com.example/type"]));
      if (read.ok && read.value.type === "input_required") must(dialect.mayAskForInput(method), "only some methods may ask");
      dialect.readStructured(result);
      discoveredFacts(dialect, result);
      readOld(dialect, result, question);
    }
    for (const dialect of DIALECTS) {
      const asked = dialect.readResult(
        "tools/call",
        { resultType: "input_required", inputRequests: { key: question } },
        new Set(),
      );
      if (asked.ok && asked.value.type === "input_required") await answer(asked.value.requests.key as InputRequest);
    }
  },
  growth: [
    growth(
      "many tools",
      (size) => ({ tools: Array.from({ length: size }, () => ({ name: "x", inputSchema: {} })) }),
      (result) => readPage(LIST, result as unknown as JsonObject, JSON_DEPTH, () => undefined),
    ),
    growth("many questions", (size) => asking(size), (result) => DIALECTS[0]?.readResult("tools/call", result, new Set())),
  ],
});

function asking(size: number): JsonObject {
  const requests = Array.from({ length: size }, (_, at) => [`q${at}`, QUESTIONS[0]]);
  return { resultType: "input_required", inputRequests: Object.fromEntries(requests) as JsonObject };
}

function readOld({ handshake, ...dialect }: Dialect, result: JsonObject, question: JsonObject): void {
  if (handshake === undefined) return;
  const welcome = handshake.readWelcome(result);
  if (welcome.ok) welcomeFacts(dialect as Dialect, welcome.value, undefined);
  handshake.readHello(result);
  const message = readMessage({ ...question, jsonrpc: "2.0", id: 1 });
  if (!message.ok || !isRequest(message.message)) return;
  const asked = handshake.readQuestion(message.message);
  if (asked.ok) handshake.readAnswer(asked.value, result);
}

/** Whatever the server asks, a handler's sound answer is taken or refused with a sentence. */
async function answer(question: InputRequest): Promise<void> {
  try {
    const run = answerInput(question, HANDLERS, CAPABILITIES);
    await run?.({ signal: new AbortController().signal, key: "key", request: undefined });
  } catch (error) {
    must(error instanceof TypeError || isMcpError(error), `a refusal is an error of this package: ${String(error)}`);
    must(
      !(error instanceof TypeError) || /^(?:inputs\.|Compiling a JSON Schema)/.test(error.message),
      `a TypeError names its place: ${String(error)}`,
    );
  }
}

const HANDLERS = {
  form: () => ({ action: "accept", content: { yes: true } }) as const,
  url: () => ({ action: "accept" }) as const,
  sampling: () => ({ role: "assistant", content: { type: "text", text: "x" }, model: "m" }) as const,
  roots: [{ uri: "file:///tmp" }],
} as const;

function onlyNotMcp(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    must(error instanceof TransportError && error.reason === "not_mcp", `a result is read or refused: ${String(error)}`);
  }
}

interface Conversation {
  readonly protocol: ProtocolVersion;
  /** What comes for each request in turn: messages, the last one a response or not. */
  readonly answers: readonly (readonly unknown[])[];
  readonly strays: readonly unknown[];
}

const NOTIFICATIONS: readonly JsonObject[] = [
  { jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: 1, progress: 1, total: 2, message: "x" } },
  { jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: { a: 1 }, logger: "l" } },
  { jsonrpc: "2.0", method: "notifications/tools/list_changed", params: {} },
  { jsonrpc: "2.0", method: "notifications/resources/updated", params: { uri: "app://1" } },
  { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } },
  { jsonrpc: "2.0", id: 7, method: "ping" },
  { jsonrpc: "2.0", id: 8, method: "roots/list", params: {} },
];

/** A whole client over a carrier that brings anything: every call ends, with a result or an error of this package. */
export const CLIENT = target<Conversation>({
  name: "a client and its server",
  weight: 2,
  make: (random) => ({
    protocol: random.pick(DIALECTS).version as ProtocolVersion,
    answers: Array.from({ length: 8 }, () => conversation(random)),
    strays: Array.from({ length: random.below(4) }, () => mutateJson(random, random.pick(NOTIFICATIONS), 2)),
  }),
  async check({ protocol, answers, strays }) {
    const inputs = { ...HANDLERS };
    const script = scripted(answers, strays);
    let client: Client;
    try {
      client = await connect(script, { protocol, inputs, onLog: () => undefined, limits: LIMITS });
    } catch (error) {
      must(isMcpError(error), `connecting ends with an error of this package: ${String(error)}`);
      return;
    }
    const calls = [
      client.callTool("echo", {}, { onProgress: () => undefined }),
      client.listTools(),
      client.readResource("app://1"),
      client.getPrompt("hello"),
      client.complete({ prompt: "hello" }, { name: "name", value: "x" }),
    ];
    for (const outcome of await Promise.allSettled(calls)) {
      if (outcome.status === "rejected") {
        must(isMcpError(outcome.reason), `a call ends with an error of this package: ${outcome.reason?.stack}`);
      }
    }
    await client.close();
  },
});

const LIMITS = { inputRounds: 2, pages: 3, requestTimeout: 2000, requestTotalTimeout: 2000, probeTimeout: 2000 } as const;

function conversation(random: Random): readonly unknown[] {
  const messages: unknown[] = [];
  for (let left = random.below(3); left > 0; left--) messages.push(mutateJson(random, random.pick(NOTIFICATIONS), 2));
  const [, result] = random.pick(RESULTS);
  const error = { code: random.pick([-32601, -32602, -32022, -32000, 1]), message: "no", data: randomJson(random, 2) };
  const response = random.oneIn(5) ? { error: mutateJson(random, error, 1) } : { result: mutateJson(random, result, 2) };
  if (!random.oneIn(8)) messages.push({ jsonrpc: "2.0", ...response });
  return messages;
}

/** A carrier that hands on what is a message, as every carrier does; a response gets the id of its request. */
function scripted(answers: Conversation["answers"], strays: readonly unknown[]): Transport {
  let turn = 0;
  return {
    async *exchange(request: JsonRpcRequest) {
      if (request.method === "initialize" && turn === 0 && answers[0]?.length !== 0) {
        yield { jsonrpc: "2.0", id: request.id, result: welcome(request) };
        return;
      }
      for (const one of answers[turn++ % answers.length] ?? []) {
        const isResponse = typeof one === "object" && one !== null && !("method" in one);
        const read = readMessage(isResponse ? { ...one, id: request.id } : one);
        if (read.ok) yield read.message;
      }
    },
    send: () => Promise.resolve(),
    incoming: stray(strays),
    close: () => Promise.resolve(),
  };
}

function welcome(request: JsonRpcRequest): JsonObject {
  const { protocolVersion = "2025-11-25" } = request.params ?? {};
  return {
    protocolVersion,
    capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
    serverInfo: { name: "s", version: "1" },
  };
}

async function* stray(messages: readonly unknown[]): AsyncGenerator<JsonRpcMessage> {
  for (const message of messages) {
    const read = readMessage(message);
    if (read.ok) yield read.message;
  }
}
