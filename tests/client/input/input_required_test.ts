import assert from "node:assert/strict";
import { connect, InputRequiredError, TransportError } from "../../../client/mod.ts";
import type { InputContext, InputHandlers, JsonObject } from "../../../client/mod.ts";
import { answersOf, ask, FORM, formOf, rounds } from "../asking.ts";
import { complete, countListeners, deferred, scripted, text } from "../scripted.ts";

Deno.test("runRounds answers through handlers and repeats the request in full under a fresh id (M-MRTR-021, M-MRTR-026, M-MRTR-028, M-MRTR-029, M-MRTR-030)", async () => {
  const server = rounds(ask({ where: FORM }, "s1"));
  await using client = await connect(server, { inputs: formOf({ city: "Bern" }) });
  assert.equal(await client.tools.travel?.({ by: "train", deep: { a: [1] } }), "done");
  const [first, second] = server.requests();
  assert.notEqual(first?.id, second?.id);
  assert.equal(first?.params?.inputResponses, undefined);
  assert.deepEqual(second?.params?.inputResponses, { where: { action: "accept", content: { city: "Bern" } } });
  for (const request of [first, second]) {
    assert.deepEqual([request?.params?.name, request?.params?.arguments], ["travel", { by: "train", deep: { a: [1] } }]);
  }
});

Deno.test("runRounds returns state byte for byte, and none when a round has none (M-MRTR-023, M-MRTR-024, M-MRTR-025, B085)", async () => {
  const odd = '{"a":"ü \\u0000 \u2028"}  ' + "🦊".repeat(1000);
  const server = rounds(ask({ a: FORM }, odd), ask({ a: FORM }, ""), ask({ a: FORM }), ask({ a: FORM }, "last"));
  await using client = await connect(server, { inputs: formOf({ city: "x" }) });
  await client.callTool("x");
  const states = server.requests().map(({ params }) =>
    params && Object.hasOwn(params, "requestState") ? params.requestState : "none"
  );
  assert.deepEqual(states, ["none", odd, "", "none", "last"]);
});

Deno.test("runRounds goes on at once when a round has only state (M-MRTR-022, B085)", async () => {
  const server = rounds(ask(undefined, "s"), ask({}, "t"));
  await using client = await connect(server);
  assert.equal(await client.tools.x?.({}), "done");
  assert.deepEqual(server.requests().map(({ params }) => params?.requestState), [undefined, "s", "t"]);
  assert.equal(answersOf(server, 1), undefined);
});

Deno.test("runRounds answers at most limits.serverRequests questions of one round at once", async () => {
  let running = 0;
  let most = 0;
  const inputs: InputHandlers = {
    form: async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 1));
      running--;
      return { action: "decline" };
    },
  };
  const questions = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`q${index}`, FORM]));
  const server = rounds(ask(questions));
  await using client = await connect(server, { inputs, parallelInputs: true, limits: { serverRequests: 3 } });
  await client.callTool("x");
  assert.equal(most, 3);
  assert.equal(Object.keys(answersOf(server, 1) as object).length, 9);
});

Deno.test("runRounds takes 100 questions of one round, and ends the call at one more before a handler runs", async (t) => {
  const questions = (count: number): { [key: string]: typeof FORM } =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`q${index}`, FORM]));
  for (const parallelInputs of [false, true]) {
    await t.step(parallelInputs ? "at once" : "one after the other", async () => {
      let asked = 0;
      const inputs: InputHandlers = { form: () => (asked++, { action: "decline" }) };
      const server = rounds(ask(questions(100)), ask(questions(101)));
      await using client = await connect(server, { inputs, parallelInputs });
      const error = await client.callTool("x").then(() => undefined, (error) => error);
      assert.ok(error instanceof TransportError, String(error));
      assert.deepEqual([error.reason, error.data], ["limit", { limit: "inputQuestions", value: 100 }]);
      assert.match(
        error.message,
        /^Answering the questions of tools\/call of "x": 101 questions in one round, at most 100 \(limit inputQuestions\)$/,
      );
      assert.equal(asked, 100);
    });
  }
  const server = rounds(ask(questions(50_000)));
  await using client = await connect(server);
  await assert.rejects(client.callTool("x", {}, { input: "manual" }), /limit inputQuestions/);
});

Deno.test("runRounds keeps parallel calls apart (M-MRTR-027, B085)", async () => {
  const server = scripted(({ method, params }) => {
    if (method === "server/discover") return undefined;
    const name = params?.name as string;
    return params?.requestState === undefined ? ask({ a: FORM }, `state of ${name}`) : text(String(params.requestState));
  });
  await using client = await connect(server, { inputs: formOf({ city: "x" }) });
  const results = await Promise.all(["a", "b", "c"].map((name) => client.tools[name]?.({})));
  assert.deepEqual(results, ["state of a", "state of b", "state of c"]);
});

Deno.test("runRounds answers odd keys under their own names (M-MRTR-028)", async () => {
  const requests = JSON.parse(
    '{"__proto__":{"method":"roots/list"},"constructor":{"method":"roots/list"},"":{"method":"roots/list"}}',
  );
  const server = rounds(ask(requests));
  await using client = await connect(server, { inputs: { roots: [{ uri: "file:///home", name: "Home" }] } });
  await client.callTool("x");
  const answers = answersOf(server, 1) as JsonObject;
  assert.deepEqual(Object.keys(answers), ["__proto__", "constructor", ""]);
  assert.deepEqual(Object.values(answers)[0], { roots: [{ uri: "file:///home", name: "Home" }] });
});

Deno.test("runRounds asks one handler after the other in key order, or all at once", async () => {
  for (const parallelInputs of [false, true]) {
    const order: string[] = [];
    const inputs: InputHandlers = {
      form: async (_params, { key }) => {
        order.push(`${key} begins`);
        await new Promise((resolve) => setTimeout(resolve, 1));
        order.push(`${key} ends`);
        return { action: "decline" };
      },
    };
    await using client = await connect(rounds(ask({ b: FORM, a: FORM })), { inputs, parallelInputs });
    await client.callTool("x");
    const expected = ["b begins", "b ends", "a begins", "a ends"];
    assert.deepEqual(order, parallelInputs ? ["b begins", "a begins", "b ends", "a ends"] : expected);
  }
});

Deno.test("runRounds tells handlers of the call and hands on the params (M-MRTR-001)", async () => {
  const seen: unknown[] = [];
  const note = (params: unknown, { key, request, signal }: InputContext): void => {
    seen.push([params, key, request, signal.aborted]);
  };
  const url: JsonObject = { mode: "url", message: "Pay", url: "https://pay.example/" };
  const sampling: JsonObject = { messages: [], maxTokens: 5 };
  const server = rounds(ask({
    f: FORM,
    u: { method: "elicitation/create", params: url },
    s: { method: "sampling/createMessage", params: sampling },
    r: { method: "roots/list" },
  }));
  await using client = await connect(server, {
    inputs: {
      form: (params, ctx) => (note(params, ctx), { action: "accept", content: { city: "x" } }),
      url: (params, ctx) => (note(params, ctx), { action: "accept", content: 5 } as { action: "accept" }),
      sampling: (params, ctx) => {
        note(params, ctx);
        return {
          role: "assistant",
          content: { type: "text", text: "hi" },
          model: "m",
          stopReason: "vendorStop",
          resultType: "x",
        } as never;
      },
      roots: (ctx) => (note(undefined, ctx), [{ uri: "file:///a" }]),
    },
  });
  await client.callTool("tool");
  const request = { method: "tools/call", name: "tool", label: undefined };
  assert.deepEqual(seen, [
    [FORM.params, "f", request, false],
    [url, "u", request, false],
    [sampling, "s", request, false],
    [undefined, "r", request, false],
  ]);
  assert.deepEqual(answersOf(server, 1), {
    f: { action: "accept", content: { city: "x" } },
    u: { action: "accept" },
    s: { role: "assistant", content: { type: "text", text: "hi" }, model: "m", stopReason: "vendorStop" },
    r: { roots: [{ uri: "file:///a" }] },
  });
});

Deno.test("runRounds serves prompts and resources too", async () => {
  const server = scripted(({ method, params }) => {
    if (method === "server/discover") return undefined;
    if (params?.inputResponses === undefined) return ask({ a: FORM });
    return method === "prompts/get" ? complete({ messages: [] }) : complete({ contents: [{ uri: "a:b", text: "x" }] });
  });
  await using client = await connect(server, { inputs: { form: () => ({ action: "cancel" }) } });
  assert.deepEqual((await client.getPrompt("p", { a: "b" })).messages, []);
  assert.equal((await client.readResource(new URL("a:b"))).contents.length, 1);
  assert.deepEqual(server.requests("prompts/get")[1]?.params?.arguments, { a: "b" });
  assert.equal(server.requests("resources/read")[1]?.params?.uri, "a:b");
});

Deno.test("runRounds stops without a handler and goes on with answers given later", async () => {
  const server = rounds(ask({ a: FORM }, "s"), ask({ b: FORM }, "t"));
  await using client = await connect(server);
  const error = await client.callTool("x", { k: 1 }).then(() => assert.fail(), (error) => error);
  assert.ok(error instanceof InputRequiredError);
  assert.deepEqual([error.reason, error.requestState, Object.keys(error.requests)], ["no_handler", "s", ["a"]]);
  const again = await error.resume({ a: { action: "decline" } }).then(() => assert.fail(), (error) => error);
  assert.deepEqual([again.reason, again.requestState], ["no_handler", "t"]);
  assert.deepEqual(await again.resume({ b: { action: "cancel" } }), text("done"));
  assert.deepEqual(server.requests().map(({ params }) => [params?.inputResponses, params?.requestState]), [
    [undefined, undefined],
    [{ a: { action: "decline" } }, "s"],
    [{ b: { action: "cancel" } }, "t"],
  ]);
});

Deno.test("runRounds refuses a question whose capability is not declared (B085, M-ELIC-010)", async () => {
  const url: JsonObject = { method: "elicitation/create", params: { mode: "url", message: "m", url: "https://x" } };
  const odd: JsonObject = { method: "elicitation/create", params: { mode: "fax", message: "m" } };
  for (const question of [url, odd, { method: "sampling/createMessage", params: {} }, { method: "roots/list" }]) {
    await using client = await connect(rounds(ask({ a: question })), { inputs: formOf({ city: "x" }) });
    await assert.rejects(client.callTool("x"), { kind: "input_required", reason: "no_handler" });
  }
});

Deno.test("runRounds returns the questions in manual mode, and goes on in it", async () => {
  let asked = 0;
  const server = rounds(ask({ a: FORM }, "s"), ask({ b: FORM }));
  await using client = await connect(server, { inputs: { form: () => (asked++, { action: "cancel" }) } });
  let result = await client.callTool("x", { k: 1 }, { input: "manual" });
  const states: unknown[] = [];
  while (result.resultType === "input_required") {
    states.push([Object.keys(result.inputRequests), result.requestState]);
    assert.deepEqual(Object.keys(result), ["resultType", "inputRequests", "requestState"]);
    structuredClone(result);
    result = await result.resume({ any: { action: "decline" } }, { timeout: 5000 });
  }
  assert.deepEqual(states, [[["a"], "s"], [["b"], undefined]]);
  assert.deepEqual(result.content, [{ type: "text", text: "done" }]);
  assert.equal(asked, 0);
});

Deno.test("runRounds goes on from stored answers and state", async () => {
  const server = rounds();
  await using client = await connect(server);
  await client.callTool("x", {}, { inputResponses: { a: { action: "accept", content: { ok: true } } }, requestState: "sealed" });
  assert.deepEqual(answersOf(server, 0), { a: { action: "accept", content: { ok: true } } });
  assert.equal(server.requests()[0]?.params?.requestState, "sealed");
});

Deno.test("runRounds caps the rounds (B085, limit inputRounds)", async () => {
  for (const requests of [undefined, { a: FORM }]) {
    const server = scripted(({ method }) => method === "server/discover" ? undefined : ask(requests, "s"));
    await using client = await connect(server, { inputs: formOf({ city: "x" }), limits: { inputRounds: 3 } });
    await assert.rejects(client.callTool("x"), (error) => {
      assert.ok(error instanceof InputRequiredError);
      assert.equal(error.reason, "rounds");
      assert.match(error.message, /3.*inputRounds/);
      return true;
    });
    assert.equal(server.requests().length, 4);
  }
});

Deno.test("runRounds refuses a question that is none (B085)", async () => {
  const odd: JsonObject[] = [
    ask(),
    ask({ a: null }),
    ask({ a: { method: "tools/call", params: {} } }),
    { resultType: "input_required", requestState: 5 },
    { resultType: "input_required", inputRequests: [] },
  ];
  for (const answer of odd) {
    await using client = await connect(rounds(answer), { inputs: formOf({ city: "x" }) });
    await assert.rejects(client.callTool("x"), { reason: "not_mcp" });
  }
});

Deno.test("runRounds wraps what a handler throws, and sends nothing (M-SAMP-040)", async () => {
  const cause = new Error("no model");
  const server = rounds(ask({ s: { method: "sampling/createMessage", params: { messages: [], maxTokens: 1 } } }));
  await using client = await connect(server, {
    inputs: {
      sampling: () => {
        throw cause;
      },
    },
  });
  await assert.rejects(client.callTool("x"), { kind: "input_required", reason: "handler_failed", cause });
  assert.equal(server.requests().length, 1);
});

Deno.test("runRounds aborts the other handlers of a round when one fails", async () => {
  const aborted = deferred<string>();
  await using client = await connect(rounds(ask({ a: FORM, b: FORM })), {
    parallelInputs: true,
    inputs: {
      form: async (_params, { key, signal }) => {
        if (key === "a") {
          return await new Promise((resolve) =>
            signal.addEventListener("abort", () => {
              aborted.resolve(key);
              resolve({ action: "cancel" });
            })
          );
        }
        throw new Error("b fails");
      },
    },
  });
  await assert.rejects(client.callTool("x"), { reason: "handler_failed" });
  assert.equal(await aborted.promise, "a");
});

Deno.test("runRounds is ended by the caller while a handler waits, and sends nothing more (B085, B089)", async () => {
  const abort = new AbortController();
  const listeners = countListeners(abort.signal);
  const waiting = deferred<AbortSignal>();
  const server = rounds(ask({ a: FORM, b: FORM }));
  await using client = await connect(server, {
    inputs: {
      form: (_params, { signal }) => {
        waiting.resolve(signal);
        return new Promise((resolve) => signal.addEventListener("abort", () => resolve({ action: "cancel" })));
      },
    },
  });
  const call = client.callTool("x", {}, { signal: abort.signal });
  const signal = await waiting.promise;
  abort.abort("enough");
  await assert.rejects(call, (error) => error === "enough");
  assert.equal(signal.aborted, true);
  await new Promise((resolve) => setTimeout(resolve, 0));
  assert.equal(server.requests().length, 1);
  assert.equal(listeners(), 0);
});

Deno.test("runRounds counts handlers only against the total time", async () => {
  await using client = await connect(rounds(ask({ a: FORM })), {
    inputs: {
      form: async () => {
        await new Promise((resolve) => setTimeout(resolve, 40));
        return { action: "decline" };
      },
    },
  });
  await client.callTool("x", {}, { timeout: 20 });
  await using late = await connect(rounds(ask({ a: FORM })), { inputs: { form: () => new Promise(() => undefined) } });
  await assert.rejects(late.callTool("x", {}, { totalTimeout: 15 }), { kind: "input_required", reason: "timeout" });
});

Deno.test("runRounds ends with its client while a handler waits (B086)", async () => {
  const waiting = deferred();
  const client = await connect(rounds(ask({ a: FORM })), {
    inputs: { form: () => (waiting.resolve(), new Promise(() => undefined)) },
  });
  const call = client.callTool("x");
  await waiting.promise;
  await client.close();
  await assert.rejects(call, { kind: "transport", reason: "closed" });
});

Deno.test("runRounds says which field of a handler's answer does not fit the form, and what a handler throws", async () => {
  const room = { type: "string", enum: ["Blue", "Green"] } as const;
  const requestedSchema = { type: "object", properties: { room }, required: ["room"] } as const;
  const question = { method: "elicitation/create", params: { message: "Which room?", requestedSchema } } as const;
  await using client = await connect(rounds(ask({ a: question })), { inputs: formOf({ room: "Red" }) });
  await assert.rejects(client.callTool("x"), (error) => {
    assert.ok(error instanceof InputRequiredError);
    assert.match(error.message, /: a handler failed \(inputs\.form: The content does not fit the form: \/room: must be .*\)$/);
    return true;
  });
  const inputs: InputHandlers = {
    form: () => {
      throw new Error(`no terminal\u001b[0m\n${"x".repeat(10_000)}`);
    },
  };
  await using other = await connect(rounds(ask({ a: FORM })), { inputs });
  await assert.rejects(other.callTool("x"), (error) => {
    assert.ok(error instanceof InputRequiredError);
    // deno-lint-ignore no-control-regex
    assert.match(error.message, /^[^\x00-\x1f]*: a handler failed \(no terminal x{100,300}…\)$/);
    return true;
  });
});
