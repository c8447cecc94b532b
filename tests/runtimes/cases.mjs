/** What a client has to see, whatever carries it and whichever runtime runs it. */
import { textOf } from "@causeway/mcp/client";

/** Throws unless two values are the same as JSON. */
export function same(actual, expected) {
  const [one, other] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (one !== other) throw new Error(`Expected ${other}, got ${one}`);
}

/** Gives what a promise is rejected with. */
export async function rejection(promise) {
  let value;
  try {
    value = await promise;
  } catch (error) {
    return error;
  }
  throw new Error(`Expected a rejection, got ${JSON.stringify(value)}`);
}

/** Options that every client of the suite has. */
export const OPTIONS = { inputs: { form: () => ({ action: "accept", content: { name: "Ada" } }) } };

/** The cases of one client: name → what is done with it. */
export const CASES = {
  "lists the tools": async (client) => same((await client.listTools()).length, 8),
  "calls a tool with structured content": async (client) => same(await client.tools.add({ a: 1, b: 2 }), { sum: 3 }),
  "refuses arguments that the schema does not allow": async (client) => {
    for (const wrong of [{}, { lines: [] }, { lines: [{ sku: "a" }] }, { lines: [{ sku: "A" }], rest: 10 }]) {
      const refused = await client.callTool("order", wrong).then((result) => result.isError === true, () => true);
      if (!refused) throw new Error(`${JSON.stringify(wrong)} was taken`);
    }
    same(textOf(await client.callTool("order", { lines: [{ sku: "A" }], rest: 9 })), "1 lines");
  },
  "tells progress before the result": async (client) => {
    const steps = [];
    const result = await client.callTool("steps", {}, { onProgress: ({ progress }) => steps.push(progress) });
    same([steps, textOf(result)], [[1, 2, 3], "three steps"]);
  },
  "answers a question in the middle of a call": async (client) => {
    same(textOf(await client.callTool("greet", {})), "Hello, Ada!");
  },
  "masks what a handler throws": async (client) => {
    const error = await rejection(client.callTool("fail", {}));
    same([error.code, error.message], [-32603, "Internal error"]);
  },
  "cancels a call": async (client) => {
    const id = crypto.randomUUID();
    const controller = new AbortController();
    const call = client.callTool("hang", { id }, { signal: controller.signal, onProgress: () => controller.abort() });
    same((await rejection(call)).name, "AbortError");
    for (let turn = 0; turn < 100; turn++) {
      if ((await client.tools.cancelled({ id })).seen) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error("The handler was not told");
  },
  "reads texts, bytes and templates": async (client) => {
    const { contents: [bytes] } = await client.readResource("app://bytes");
    same(bytes.blob, "AP+A");
    const { contents: [text] } = await client.readResource("app://double/21");
    same(text.text, "42");
    same((await rejection(client.readResource("app://nothing"))).kind, "protocol");
  },
  "gets a prompt and completes its argument": async (client) => {
    const { messages: [message] } = await client.getPrompt("review", { language: "deno" });
    same(message.content.text, "Review deno");
    const found = await client.complete({ prompt: "review" }, { name: "language", value: "de" });
    same(found.values, ["deno"]);
  },
  "hears of a change": async (client) => {
    const changes = client.watch({ resourceSubscriptions: ["app://level"] })[Symbol.asyncIterator]();
    const next = changes.next();
    // The watch begins on its own time.
    let heard = false;
    next.then(() => heard = true, () => heard = true);
    while (!heard) {
      await client.callTool("raise", {});
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    same((await next).value.type, "resourceUpdated");
    await changes.return();
  },
};
