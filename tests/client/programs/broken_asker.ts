/** A server of the handshake revisions that asks broken questions when a tool is called, and tells what it was answered. */
import type { JsonObject } from "../../../client/mod.ts";

/** Each question as the text that is sent, and the code and the words of the error that has to come; no words for a result. */
export const QUESTIONS: readonly (readonly [text: string, code: number, words: string])[] = [
  ['"method":"roots/list","params":"x"', -32600, "params must be an object"],
  ['"method":"roots/list","params":[]', -32600, "params must be an object"],
  ['"method":"roots/list","params":null', -32600, "params must be an object"],
  ['"method":"roots/list","params":{"_meta":5}', -32602, "_meta must be an object"],
  ['"method":"sampling/createMessage"', -32602, "messages must be a list"],
  ['"method":"sampling/createMessage","params":{"maxTokens":1}', -32602, "messages must be a list"],
  ['"method":"sampling/createMessage","params":{"messages":[{"role":"user"}],"maxTokens":1}', -32602, "messages must be a list"],
  ['"method":"sampling/createMessage","params":{"messages":[],"maxTokens":"1"}', -32602, "maxTokens must be an integer"],
  [
    '"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"array"}}',
    -32602,
    "requestedSchema must be",
  ],
  [
    '"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{"a":{"type":"strin"}}}}',
    -32602,
    "type",
  ],
  [
    '"method":"elicitation/create","params":{"requestedSchema":{"type":"object","properties":{}}}',
    -32602,
    "message must be a string",
  ],
  ['"method":"foo/bar"', -32601, "foo/bar"],
  ['"method":7', -32600, "method must be a string"],
  [`"method":"roots/list","params":{"deep":${"[".repeat(80)}${"]".repeat(80)}}`, -32600, "limit jsonDepth"],
  ['"method":"ping"', 0, ""],
];

/** Questions that a client refuses because it did not declare what they need; not among those that it has to tell of. */
export const UNDECLARED: readonly (readonly [text: string, code: number, words: string])[] = [
  [
    '"method":"elicitation/create","params":{"mode":"url","message":"Go","url":"https://a.example/","elicitationId":"e"}',
    -32602,
    "mode",
  ],
];

/** What the server does with one message; `write` sends the text of one, `done` is told of the answer to the call. */
export function brokenAsker(
  version: string,
  questions: readonly string[],
): (message: JsonObject, write: (text: string) => void) => void {
  const answers: JsonObject[] = [];
  let call: unknown;
  return (message, write) => {
    const { id, method } = message;
    if (method === "initialize") {
      const result = { protocolVersion: version, capabilities: { tools: {} }, serverInfo: { name: "broken", version: "1" } };
      write(JSON.stringify({ jsonrpc: "2.0", id, result }));
    } else if (method === "tools/call") {
      call = id;
      questions.forEach((text, index) => write(`{"jsonrpc":"2.0","id":"q${index}",${text}}`));
    } else if (method === undefined) {
      answers.push(message);
      if (answers.length < questions.length) return;
      const text = JSON.stringify(answers);
      write(JSON.stringify({ jsonrpc: "2.0", id: call, result: { content: [{ type: "text", text }] } }));
    } else if (id !== undefined) {
      write(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32601, message: "no" } }));
    }
  };
}

if (import.meta.main) {
  const [version = "", questions = "[]"] = Deno.args;
  const take = brokenAsker(version, JSON.parse(questions));
  const out = (text: string): void => void Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
  let rest = "";
  for await (const chunk of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) take(JSON.parse(line), out);
  }
}
