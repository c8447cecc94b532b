/** What the tests of questions share: a call that is played over its rounds, with every round kept. */
import type { Context } from "../../protocol/context.ts";
import type { JsonObject, JsonValue } from "../../protocol/types.ts";
import { prompt } from "../../server/components/prompt.ts";
import { resource } from "../../server/components/resource.ts";
import type { ServerOptions } from "../../server/options/server_options.ts";
import type { Server } from "../../server/server_types.ts";
import { tool } from "../../server/components/tool.ts";
import { answerOf, request, serverOf } from "./calls.ts";
import type { HandOptions } from "./calls.ts";

/** A client that can answer everything. */
export const ABLE: JsonObject = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} };

/** The three requests that may ask, against {@linkcode everywhere}. */
export const TARGETS: readonly (readonly [string, JsonObject])[] = [
  ["tools/call", { name: "x" }],
  ["prompts/get", { name: "x" }],
  ["resources/read", { uri: "x://x" }],
];

/** A server with one handler as tool, prompt and resource. */
export function everywhere(handler: (ctx: Context) => unknown, options: Partial<ServerOptions> = {}): Server {
  return serverOf({
    tools: [tool({ name: "x", handler: (_args, ctx) => handler(ctx) as string })],
    prompts: [prompt({ name: "x", render: (_args, ctx) => handler(ctx) as string })],
    resources: [resource({ uri: "x://x", name: "x", read: (_variables, ctx) => handler(ctx) as string })],
  }, { stateKeys: [new Uint8Array(32)], ...options });
}

/** Answers a question; undefined leaves it without an answer. */
export type Answering = (question: JsonObject, key: string) => JsonValue | undefined;

/** What was seen of a call. */
export interface Played {
  /** The questions of each round, by key. */
  readonly rounds: readonly JsonObject[];
  /** The state of each round. */
  readonly states: readonly (string | undefined)[];
  /** The complete result. */
  readonly result: JsonObject | undefined;
  /** The error, when it ended in one. */
  readonly error: { readonly code: number; readonly message: string; readonly data?: JsonValue | undefined } | undefined;
}

/** How a call is played. */
export interface PlayOptions extends HandOptions {
  /** What the client declares; everything by default. */
  readonly capabilities?: JsonObject | undefined;
  /** The request; a call of the tool `x` by default. */
  readonly target?: readonly [string, JsonObject] | undefined;
  /** Which server gets the next round; the same one by default. */
  readonly next?: ((round: number) => Server) | undefined;
}

/** Plays a call to its end, at most 20 rounds. */
export async function play(server: Server, answering: Answering, options: PlayOptions = {}): Promise<Played> {
  const [method, params] = options.target ?? TARGETS[0] as readonly [string, JsonObject];
  const _meta = { "io.modelcontextprotocol/clientCapabilities": options.capabilities ?? ABLE };
  const rounds: JsonObject[] = [];
  const states: (string | undefined)[] = [];
  let more: JsonObject = {};
  for (let round = 0; round < 20; round++) {
    const at = options.next?.(round) ?? server;
    const { response } = await answerOf(at, request(method, { ...params, ...more, _meta }, round), options);
    if (response === undefined) throw new Error("Expected a response");
    if ("error" in response) return { rounds, states, result: undefined, error: response.error };
    const { result } = response;
    if (result.resultType !== "input_required") return { rounds, states, result, error: undefined };
    const requests = (result.inputRequests ?? {}) as JsonObject;
    rounds.push(requests);
    states.push(result.requestState as string | undefined);
    const answers = Object.entries(requests).map(([key, question]) => [key, answering(question as JsonObject, key)] as const);
    more = {
      inputResponses: Object.fromEntries(answers.filter(([, answer]) => answer !== undefined)) as JsonObject,
      ...(result.requestState === undefined ? {} : { requestState: result.requestState }),
    };
  }
  throw new Error("Expected a complete result within 20 rounds");
}

/** Accepts every form with the same content, and says something for the rest. */
export function accepting(content: JsonObject = {}): Answering {
  return ({ method, params }) => {
    if (method === "roots/list") return { roots: [{ uri: "file:///home" }] };
    if (method === "sampling/createMessage") return { role: "assistant", model: "m", content: { type: "text", text: "said" } };
    return (params as JsonObject).mode === "url" ? { action: "accept" } : { action: "accept", content };
  };
}

/** The message of a question. */
export function messageOf(question: unknown): string {
  return String(((question as JsonObject).params as JsonObject | undefined)?.message);
}
