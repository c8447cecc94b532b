/** Uses one part of a server for the first time in its process, and prints what came of it: each case needs a process of its own. */
import { print } from "../../../scripts/print.ts";
import type { Question } from "../../../protocol/context.ts";
import { ask } from "../../../server/input/ask.ts";
import { resource } from "../../../server/components/resource.ts";
import { task } from "../../../server/extensions/tasks.ts";
import { memoryBus } from "../../../server/stores/memory.ts";
import { tool } from "../../../server/components/tool.ts";
import { answerOf, httpRequest, infoOf, request, serverOf, toolCall } from "../calls.ts";

const FORMS = { _meta: { "io.modelcontextprotocol/clientCapabilities": { elicitation: {} } } };

const asked = (name: string) => {
  const call = toolCall(name);
  return request("tools/call", { ...call.params, ...FORMS }, 1);
};

const listen = request("subscriptions/listen", { notifications: { toolsListChanged: true } }, "s");
const listenToOne = request(
  "subscriptions/listen",
  { notifications: { toolsListChanged: true, resourceSubscriptions: ["file:///wanted"] } },
  "s",
);
const cancelled = (requestId: string | number) =>
  ({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } }) as const;

const order: string[] = [];
const reported: string[] = [];

/** Asks twice the same, and once something else, and ends before anything of that can have been loaded. */
const hasty = tool({
  name: "hasty",
  handler: (_args, ctx) => {
    ctx.once("first", () => void order.push("once"));
    order.push("after once");
    for (const message of ["same", "same", "other"]) ctx.elicit(message, {}).catch(() => order.push(message));
    return "done";
  },
});

/** Goes on to change what it made a question of. */
const changing = tool({
  name: "changing",
  handler: async (_args, ctx) => {
    const fields: Record<string, { type: "string" }> = { first: { type: "string" } };
    const questions: Record<string, Question<unknown>> = { a: ask.roots() };
    const asking = [ctx.elicit("first", fields), ctx.ask(questions)];
    fields.second = { type: "string" };
    questions.b = ask.roots();
    asking.push(ctx.elicit("second", fields));
    await Promise.all(asking);
  },
});

const params = (text: string) => ({ messages: [{ role: "user", content: { type: "text", text } }], maxTokens: 1 }) as const;

/** Goes on to change the objects that it asked with. */
const rewriting = tool({
  name: "rewriting",
  handler: async (_args, ctx) => {
    const options = { maxTokens: 2 };
    const choices = ["first"];
    const [alone, one, byHand] = [params("first"), params("first"), params("first")];
    const question = { method: "sampling/createMessage", params: byHand } as unknown as Question<unknown>;
    const asking = [
      ctx.sample(alone, options),
      ctx.ask({ one: ask.sampling(one), byHand: question }),
      ctx.elicit("first", { choice: { type: "string", enum: choices } }),
    ];
    for (const { messages: [{ content }] } of [alone, one, byHand]) Object.assign(content, { text: "second" });
    options.maxTokens = 3;
    choices[0] = "second";
    await Promise.all(asking);
  },
});

let begin: () => void = () => undefined;
const begun = new Promise<void>((resolve) => begin = resolve);

/** Asks, and tells how its signal ended. */
const patient = tool({
  name: "patient",
  handler: async (_args, ctx) => {
    begin();
    ctx.signal.addEventListener("abort", () => order.push(String(ctx.signal.reason.name)));
    await ctx.elicit("?", {});
  },
});

/** Goes on by itself, in a server without the extension. */
const deferred = tool({
  name: "deferred",
  handler: () => {
    begin();
    return task(() => {
      order.push("work");
      return "worked";
    });
  },
});

const plain = tool({ name: "plain", handler: () => "plain" });

const stepwise = tool({
  name: "stepwise",
  handler: async (_args, ctx) => {
    await ctx.progress(1);
    return "done";
  },
});

const file = resource({ uri: "file:///{name}", name: "file", read: () => "" });

/** A bus that counts who listens. */
function countingBus() {
  const bus = memoryBus();
  let listeners = 0;
  return {
    publish: (topic: string, event: unknown) => bus.publish(topic, event),
    subscribe: (topic: string, listener: (event: unknown) => void) => {
      const stop = bus.subscribe(topic, listener);
      listeners++;
      return () => {
        listeners--;
        stop();
      };
    },
    get listeners() {
      return listeners;
    },
  };
}

const bus = countingBus();
const server = serverOf({ tools: [changing, deferred, hasty, patient, plain, rewriting, stepwise], resources: [file] }, {
  bus,
  limits: { subscriptionUris: 3 },
  onError: (error) => void reported.push(String(error)),
});
const connection = { transport: "stdio" } as const;
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50));
const methodsOf = ({ notifications }: { readonly notifications: readonly { readonly method: string }[] }) =>
  notifications.map(({ method }) => method);

const CASES: { readonly [name: string]: () => Promise<unknown> } = {
  unawaited: async () => {
    const { response } = await answerOf(server, asked("hasty"));
    return { response, order };
  },
  "changed question": async () => {
    const call = toolCall("changing");
    const declared = { _meta: { "io.modelcontextprotocol/clientCapabilities": { elicitation: {}, roots: {} } } };
    return (await answerOf(server, request("tools/call", { ...call.params, ...declared }, 1))).response;
  },
  "changed objects": async () => {
    const call = toolCall("rewriting");
    const declared = { _meta: { "io.modelcontextprotocol/clientCapabilities": { elicitation: {}, sampling: {} } } };
    return (await answerOf(server, request("tools/call", { ...call.params, ...declared }, 1))).response;
  },
  cancelled: async () => {
    const answer = answerOf(server, asked("patient"), { connection });
    await begun;
    await Promise.resolve(server.handle(cancelled(1), infoOf({ connection })));
    const { response } = await answer;
    await turn();
    return { response: response ?? null, order, next: (await answerOf(server, toolCall("plain"), { connection })).response };
  },
  closed: async () => {
    const answer = answerOf(server, asked("patient"));
    await begun;
    await server.close();
    const { response } = await answer;
    await turn();
    return { response, order };
  },
  deferred: async () => {
    const answers = await Promise.all([toolCall("deferred"), toolCall("plain")].map((call) => answerOf(server, call)));
    return { texts: answers.map(({ response }) => response), order, reported };
  },
  "deferred cancelled": async () => {
    const answer = answerOf(server, asked("deferred"), { connection });
    await begun;
    await Promise.resolve(server.handle(cancelled(1), infoOf({ connection })));
    const { response } = await answer;
    await turn();
    const next = (await answerOf(server, toolCall("deferred"), { connection })).response;
    return { response: response ?? null, order, next, reported };
  },
  changed: async () => {
    const answer = answerOf(server, listen);
    await server.notify.toolsChanged();
    await server.notify.promptsChanged();
    await turn();
    await server.close({ drain: 1_000 });
    const all = await answer;
    return { methods: methodsOf(all), ended: all.response !== undefined && "result" in all.response, listeners: bus.listeners };
  },
  flooded: async () => {
    const answer = answerOf(server, listenToOne);
    for (let at = 0; at < 50; at++) await server.notify.resourceUpdated(`file:///other-${at}`);
    for (let time = 0; time < 2; time++) await server.notify.resourceUpdated("file:///wanted");
    await server.notify.toolsChanged();
    await turn();
    await server.close({ drain: 1_000 });
    const all = await answer;
    return { methods: methodsOf(all), listeners: bus.listeners };
  },
  "stream lost": async () => {
    const { response } = await answerOf(server, listen, { connection });
    return { response, listeners: bus.listeners, reported };
  },
  "question lost": async () => {
    const { response } = await answerOf(server, asked("hasty"));
    return { response, reported };
  },
  "events lost": async () => {
    const call = request("tools/call", { name: "stepwise", _meta: { progressToken: 1 } }, 7);
    const response = await server.fetch(httpRequest(call));
    return { status: response.status, body: await response.json(), reported };
  },
  "stream cancelled": async () => {
    const answer = answerOf(server, listen, { connection });
    await Promise.resolve(server.handle(cancelled("s"), infoOf({ connection })));
    const all = await answer;
    await turn();
    return { methods: methodsOf(all), response: all.response ?? null, listeners: bus.listeners };
  },
  "stream closed": async () => {
    const answer = answerOf(server, listen);
    await server.close({ drain: 1_000 });
    const all = await answer;
    return { methods: methodsOf(all), ended: all.response !== undefined && "result" in all.response, listeners: bus.listeners };
  },
};

print(JSON.stringify(await CASES[Deno.args[0] ?? ""]?.()));
