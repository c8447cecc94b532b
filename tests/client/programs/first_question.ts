/** The first question that a process is asked, while what answers it is loading; prints what came of it. */
import { print } from "../../../scripts/print.ts";
import { connect } from "../../../client/mod.ts";
import type { ClientMiddleware, InputHandlers } from "../../../client/mod.ts";
import { ask, FORM, rounds } from "../asking.ts";

const [name = ""] = Deno.args;
const asked: string[] = [];
const controller = new AbortController();

/** Turns of the microtask queue: enough for the answer to reach the call, and none in which a file is read. */
const TURNS = 100;

const actions: { readonly [name: string]: () => unknown } = {
  plain: () => undefined,
  aborted: () => controller.abort(new Error("given up")),
  closed: () => client.close(),
};

const meanwhile: ClientMiddleware = async (request, next) => {
  const result = await next(request);
  if (request.method === "tools/call") void later().then(actions[name]);
  return result;
};

async function later(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) await undefined;
}

const inputs: InputHandlers = {
  form: (_params, { key }) => {
    asked.push(key);
    return { action: "decline" };
  },
};

const server = rounds(ask({ a: FORM, b: FORM }, "s"));
const client = await connect(server, { inputs, use: [meanwhile] });
const outcome = await client.callTool("x", {}, { signal: controller.signal }).then(
  (result) => result.content,
  (error) => `${error.name}: ${error.reason ?? error.message}`,
);
print(JSON.stringify({ outcome, asked, requests: server.requests().length }));
await client.close();
