/** Tests of `server/input/round_asker.ts`: questions in a straight line, which suspend the handler. */
import assert from "node:assert/strict";
import * as z from "zod";
import type { Context } from "../../../protocol/context.ts";
import { ROUND_QUESTIONS } from "../../../protocol/limits.ts";
import type { JsonObject } from "../../../protocol/types.ts";
import { ask } from "../../../server/input/ask.ts";
import { prompt } from "../../../server/components/prompt.ts";
import { ABLE, accepting, everywhere, messageOf, play, TARGETS } from "../asking.ts";
import { errorOf, request, serverOf, textOf } from "../calls.ts";

const NAME = { name: { type: "string", required: true } } as const;

/** The name that a form was answered with, or what was done instead. */
async function nameOf(ctx: Context, message: string, key?: string): Promise<string> {
  const answer = await ctx.elicit(message, NAME, key === undefined ? {} : { key });
  return answer.action === "accept" ? answer.content.name : answer.action;
}

/** Answers each form with its message in capitals. */
const echoing = (question: JsonObject) => ({ action: "accept", content: { name: messageOf(question).toUpperCase() } });

/** A server that keeps what it is told of. */
function told(handler: (ctx: Context) => unknown) {
  const errors: Error[] = [];
  return { errors, server: everywhere(handler, { onError: (error) => errors.push(error as Error) }) };
}

Deno.test("ctx.elicit is one line in tools, prompts and resources, and one round (M-MRTR-002, M-MRTR-003, M-MRTR-036, M-ELIC-013, M-ELIC-017)", async () => {
  const server = everywhere((ctx) => nameOf(ctx, "who"));
  for (const target of TARGETS) {
    const { rounds, states, result } = await play(server, echoing, { target });
    assert.match(JSON.stringify(result), /WHO/);
    assert.deepEqual(rounds.map((round) => Object.values(round)), [[{
      method: "elicitation/create",
      params: {
        mode: "form",
        message: "who",
        requestedSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
      },
    }]]);
    assert.match(Object.keys(rounds[0] ?? {})[0] ?? "", /^form-[0-9a-f]{16}$/);
    assert.equal(typeof states[0], "string");
  }
});

Deno.test("ctx.elicit with a URL, ctx.sample and ctx.roots ask what they say (M-ELIC-014, M-ELIC-025, M-SAMP-012, M-MRTR-001)", async () => {
  const server = everywhere(async (ctx) => {
    const visit = await ctx.elicit("Log in", new URL("https://example.com/in"));
    const short = await ctx.sample("Say it");
    const long = await ctx.sample({ messages: [], maxTokens: 5, systemPrompt: "s" }, { maxTokens: 7, key: "own" });
    const roots = await ctx.roots();
    return { structured: { visit, said: [short.model, long.model], roots } };
  });
  const { rounds, result } = await play(server, accepting());
  assert.deepEqual(result?.structuredContent, {
    visit: { action: "accept" },
    said: ["m", "m"],
    roots: [{ uri: "file:///home" }],
  });
  assert.deepEqual(rounds.flatMap((round) => Object.values(round)), [
    { method: "elicitation/create", params: { mode: "url", message: "Log in", url: "https://example.com/in" } },
    {
      method: "sampling/createMessage",
      params: { messages: [{ role: "user", content: { type: "text", text: "Say it" } }], maxTokens: 1024 },
    },
    { method: "sampling/createMessage", params: { messages: [], maxTokens: 7, systemPrompt: "s" } },
    { method: "roots/list" },
  ]);
  assert.deepEqual(rounds.map((round) => Object.keys(round)[0]?.split("-")[0]), ["url", "sampling", "own", "roots"]);
});

Deno.test("ctx.elicit gives decline and cancel as such, and asks again for what is missing or does not fit (B065, M-MRTR-032, M-MRTR-035, M-ELIC-061)", async () => {
  const server = everywhere((ctx) => nameOf(ctx, "who"));
  for (const action of ["decline", "cancel"]) {
    assert.equal(textOf((await play(server, () => ({ action }))).result ?? {}), action);
  }
  const answers = [undefined, { action: "accept" }, { action: "accept", content: { name: 5 } }, { action: "maybe" }, null, "x", {
    action: "accept",
    content: { name: "Ada" },
  }];
  let at = 0;
  const { rounds, result } = await play(server, () => answers[at++]);
  assert.equal(textOf(result ?? {}), "Ada");
  assert.equal(rounds.length, answers.length);
  assert.equal(new Set(rounds.map((round) => JSON.stringify(round))).size, 1, "the same question under the same key");
});

Deno.test("a question whose words change in every run is a named error after two answers that nobody read (B085)", async () => {
  let runs = 0;
  const { server, errors } = told((ctx) => nameOf(ctx, `who, at ${++runs}`));
  const { rounds, error } = await play(server, echoing);
  assert.equal(rounds.length, 2);
  assert.equal(error?.code, -32603);
  assert.match(
    String(errors[0]),
    /^TypeError: key: The questions "form-[0-9a-f]{16}" and "form-[0-9a-f]{16}" were answered and not asked again, and "form-[0-9a-f]{16}" is asked instead/,
  );
  const steady = await play(everywhere((ctx) => nameOf(ctx, `who, at ${runs++}`, "who")), echoing);
  assert.equal(steady.error?.code, -32603, "a given key says so at once");
});

Deno.test("answers that a run need not read again are no changed questions", async () => {
  let approved = false;
  const server = everywhere(async (ctx) => {
    const both = await ctx.once("both", async () => [await nameOf(ctx, "one"), await nameOf(ctx, "two")]);
    if (!approved) approved = (await nameOf(ctx, "may I")) !== "";
    return [...both, await nameOf(ctx, "three"), await nameOf(ctx, "four")].join(" ");
  });
  assert.match(JSON.stringify((await play(server, echoing)).result), /ONE TWO THREE FOUR/);
});

Deno.test("a form of a Standard Schema gives what its library makes of the answer, in every round alike", async () => {
  const seen: unknown[] = [];
  const form = z.object({ days: z.number().default(5), city: z.string().transform((city) => city.toUpperCase()) });
  const server = everywhere(async (ctx) => {
    const answer = await ctx.elicit("Where?", form);
    seen.push(answer);
    return await nameOf(ctx, "who");
  });
  await play(server, accepting({ city: "bern", name: "Ada" }));
  const expected = { action: "accept", content: { days: 5, city: "BERN" } };
  assert.deepEqual(seen, [expected, expected]);
});

Deno.test("the suspension runs finally, and a catch that passes it on is no fault", async () => {
  const order: string[] = [];
  const { server, errors } = told(async (ctx) => {
    try {
      return await nameOf(ctx, "who");
    } catch (error) {
      order.push((error as Error).name);
      throw error;
    } finally {
      order.push("finally");
    }
  });
  for (const target of TARGETS) {
    order.length = 0;
    assert.match(JSON.stringify((await play(server, echoing, { target })).result), /WHO/);
    assert.deepEqual(order, ["Suspension", "finally", "finally"]);
  }
  assert.deepEqual(errors, []);
});

Deno.test("a catch that swallows the suspension does not change the round, and is told of", async () => {
  const swallowing = [
    (ctx: Context) => nameOf(ctx, "who").catch(() => "nobody"),
    (ctx: Context) =>
      nameOf(ctx, "who").catch(() => {
        throw new RangeError("another");
      }),
    (ctx: Context) => {
      ctx.elicit("who", NAME);
      return "did not wait";
    },
  ];
  for (const handler of swallowing) {
    for (const target of TARGETS) {
      const { server, errors } = told(handler);
      let rounds = 0;
      const answering = (question: JsonObject) => {
        rounds++;
        return echoing(question);
      };
      const { result } = await play(server, answering, { target });
      assert.equal(rounds, 1);
      assert.match(JSON.stringify(result), /WHO|did not wait/);
      assert.equal(errors.length, 1);
      assert.match(String(errors[0]), /x: The handler went on although a question waits; the client is asked/);
    }
  }
});

Deno.test("an error that carries the suspension swallows nothing", async () => {
  const { server, errors } = told(async (ctx) => {
    try {
      return await nameOf(ctx, "who");
    } catch (cause) {
      throw new Error("Wrapped", { cause });
    }
  });
  await play(server, echoing);
  const any = told((ctx) => Promise.any([nameOf(ctx, "a"), nameOf(ctx, "b")]));
  await play(any.server, echoing);
  assert.deepEqual([...errors, ...any.errors], []);
});

Deno.test("questions of one turn go out in one round, those after it in the next", async () => {
  const server = everywhere(async (ctx) => {
    const later = Promise.resolve().then(() => nameOf(ctx, "c"));
    const [a, b, c] = await Promise.all([nameOf(ctx, "a"), nameOf(ctx, "b"), later]);
    return [a, b, c, await nameOf(ctx, "d")].join();
  });
  const { rounds, result } = await play(server, echoing);
  assert.deepEqual(rounds.map((round) => Object.values(round).map(messageOf)), [["a", "b", "c"], ["d"]]);
  assert.equal(textOf(result ?? {}), "A,B,C,D");
});

Deno.test("a question that nobody waits for yet is no unhandled rejection", async () => {
  const server = everywhere(async (ctx) => {
    const a = ctx.elicit("a", NAME);
    const b = ctx.elicit("b", NAME);
    const all = ctx.ask({ c: ask.form("c", NAME) });
    return { structured: [await a, await b, await all].length };
  });
  const { rounds, result } = await play(server, echoing);
  assert.deepEqual(rounds.map((round) => Object.values(round).map(messageOf)), [["a", "b", "c"]]);
  assert.equal(result?.structuredContent, 3);
});

Deno.test("ctx.ask asks several things in one round, under their names, and asks again only for what is missing", async () => {
  const server = everywhere(async (ctx) => {
    const { who, page, said, roots } = await ctx.ask({
      who: ask.form("who", NAME),
      page: ask.url("visit", "https://example.com/"),
      said: ask.sampling({ messages: [], maxTokens: 1 }),
      roots: ask.roots(),
    });
    return { structured: { who, page, said: said.model, roots: roots.length } };
  });
  let first = true;
  const { rounds, result } = await play(server, (question, key) => {
    if (first && key === "page") {
      first = false;
      return { action: "odd" };
    }
    return accepting({ name: "Ada" })(question, key);
  });
  assert.deepEqual(rounds.map((round) => Object.keys(round)), [["who", "page", "said", "roots"], ["page"]]);
  assert.deepEqual(result?.structuredContent, {
    who: { action: "accept", content: { name: "Ada" } },
    page: { action: "accept" },
    said: "m",
    roots: 1,
  });
  assert.deepEqual((await play(everywhere(async (ctx) => ({ structured: await ctx.ask({}) })), echoing)).rounds, []);
});

Deno.test("a loop of questions is a round for each, and the same question again is another one (M-MRTR-020)", async () => {
  const server = everywhere(async (ctx) => {
    const names: string[] = [];
    for (let at = 0; at < 3; at++) names.push(await nameOf(ctx, "next"), await nameOf(ctx, `no ${at}`));
    return names.join();
  });
  let count = 0;
  const { rounds, result } = await play(server, () => ({ action: "accept", content: { name: String(count++) } }));
  assert.equal(textOf(result ?? {}), "0,1,2,3,4,5");
  const keys = rounds.map((round) => Object.keys(round)[0]);
  assert.equal(new Set(keys).size, 6);
  assert.deepEqual([keys[2], keys[4]], [`${keys[0]}-2`, `${keys[0]}-3`]);
});

Deno.test("answers are found by question, whatever the order in which the questions come", async () => {
  let turn = 0;
  const server = everywhere(async (ctx) => {
    const names = turn++ % 2 === 0 ? ["a", "b"] : ["b", "a"];
    const answers = await Promise.all(names.map(async (name) => [name, await nameOf(ctx, name)]));
    await nameOf(ctx, "c");
    return { structured: Object.fromEntries(answers) as JsonObject };
  });
  assert.deepEqual((await play(server, echoing)).result?.structuredContent, { a: "A", b: "B" });
});

Deno.test("an answer is kept although the handler did not come to its question in the round of the answer", async () => {
  let turn = 0;
  const server = everywhere(async (ctx) => {
    const second = turn++ === 1;
    const slow = async () => {
      for (let tick = 0; second && tick < 50; tick++) await Promise.resolve();
      return await nameOf(ctx, "b");
    };
    return (await Promise.all([nameOf(ctx, "a").then(() => nameOf(ctx, "c")), slow()])).join();
  });
  const { rounds, result } = await play(server, echoing);
  assert.deepEqual(rounds.map((round) => Object.values(round).map(messageOf)), [["a", "b"], ["c"]]);
  assert.equal(textOf(result ?? {}), "C,B");
});

Deno.test("a question that differs from what was asked under its key is an error that names the key, not a wrong answer", async () => {
  for (const late of [false, true]) {
    let turn = 0;
    const { server, errors } = told(async (ctx) => {
      const name = await nameOf(ctx, turn++ > (late ? 1 : 0) ? "other" : "who", "k");
      return name + await nameOf(ctx, "and then");
    });
    const { error } = await play(server, echoing);
    assert.deepEqual([error?.code, error?.message], [-32603, "Internal error"]);
    assert.match(String(errors[0]), /^TypeError: key: The question with the key "k" differs from the one that was asked in an/);
  }
});

Deno.test("a key that two questions of one call have is an error that names it, also in a loop (M-MRTR-006)", async () => {
  for (const second of ["who", "other"]) {
    const { server, errors } = told(async (ctx) => [await nameOf(ctx, "who", "k"), await nameOf(ctx, second, "k")].join());
    assert.equal((await play(server, echoing)).error?.code, -32603);
    assert.match(String(errors[0]), /^TypeError: key: Two questions of one call have the key "k"/);
  }
});

Deno.test("odd keys come back as they went (M-MRTR-028)", async () => {
  const keys = ["__proto__", "constructor", "", "ü ", "toString"];
  const server = everywhere(async (ctx) => {
    const names: string[] = [];
    for (const key of keys) names.push(await nameOf(ctx, `q${key}`, key));
    return names.join("|");
  });
  const { rounds, result } = await play(server, echoing);
  assert.deepEqual(rounds.map((round) => Object.keys(round)[0]), keys);
  assert.equal(textOf(result ?? {}), keys.map((key) => `Q${key.toUpperCase()}`).join("|"));
});

Deno.test("ctx.once runs a side effect before a question once, and gives the same JSON in each round", async () => {
  let ran = 0;
  const seen: unknown[] = [];
  const server = everywhere(async (ctx) => {
    const made = await ctx.once("order", () => ({ id: ++ran, link: new URL("https://example.com/"), none: undefined }));
    seen.push(structuredClone(made));
    (made as { id: number }).id = 99;
    await ctx.once("nothing", () => {
      ran += 10;
    });
    const [again, other] = await Promise.all([ctx.once("order", () => "another"), ctx.once("order", () => "third")]);
    return `${await nameOf(ctx, "a")} ${await nameOf(ctx, "b")} ${JSON.stringify([again, other])}`;
  });
  for (const target of TARGETS) {
    ran = 0;
    seen.length = 0;
    const { result } = await play(server, echoing, { target });
    const kept = { id: 1, link: "https://example.com/" };
    assert.deepEqual([ran, seen], [11, [kept, kept, kept]]);
    assert.ok(JSON.stringify(result).includes(JSON.stringify(JSON.stringify([kept, kept])).slice(1, -1)));
  }
});

Deno.test("ctx.once beside a question is waited for, so that it does not run again", async () => {
  let ran = 0;
  const server = everywhere(async (ctx) => {
    const slow = ctx.once("slow", async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return ++ran;
    });
    const [name, number] = await Promise.all([nameOf(ctx, "who"), slow]);
    return `${name} ${number}`;
  });
  assert.equal(textOf((await play(server, echoing)).result ?? {}), "WHO 1");
  assert.equal(ran, 1);
});

Deno.test("ctx.once keeps nothing of what fails or suspends, and names the key of what is no JSON", async () => {
  let ran = 0;
  const { server, errors } = told(async (ctx) => {
    await assert.rejects(ctx.once("fails", () => Promise.reject(new RangeError("failed"))), /failed/);
    const name = await ctx.once("asks", () => nameOf(ctx, "who"));
    await ctx.once("fails", () => ++ran);
    await ctx.once("bad", () => ({ at: new Date() }));
    return name;
  });
  assert.equal((await play(server, echoing)).error?.code, -32603);
  assert.equal(ran, 1);
  assert.match(String(errors[0]), /^TypeError: ctx\.once\("bad"\)\.at: A Date cannot be written as JSON/);
});

Deno.test("what a handler does to an answer does not change what is kept", async () => {
  const server = everywhere(async (ctx) => {
    const answer = await ctx.elicit("who", NAME);
    const before = JSON.stringify(answer);
    if (answer.action === "accept") (answer.content as { name: string }).name = "changed";
    await nameOf(ctx, "a");
    await nameOf(ctx, "b");
    return before;
  });
  assert.match(textOf((await play(server, echoing)).result ?? {}), /"WHO"/);
});

Deno.test("what the client did not declare is -32021 before anything is sent (M-MRTR-018, M-ELIC-012, M-SAMP-008, M-ROOT-017)", async () => {
  const uses: readonly [(ctx: Context) => Promise<unknown>, JsonObject, JsonObject][] = [
    [(ctx) => ctx.elicit("?", NAME), {}, { elicitation: { form: {} } }],
    [(ctx) => ctx.elicit("?", new URL("https://example.com")), { elicitation: {} }, { elicitation: { url: {} } }],
    [(ctx) => ctx.sample("?"), { elicitation: {} }, { sampling: {} }],
    [(ctx) => ctx.sample({ messages: [], maxTokens: 1, tools: [] }), { sampling: {} }, { sampling: { tools: {} } }],
    [(ctx) => ctx.roots(), { sampling: {} }, { roots: {} }],
    [(ctx) => ctx.ask({ r: ask.roots(), f: ask.form("?", NAME), s: ask.sampling({ messages: [], maxTokens: 1 }) }), {
      elicitation: {},
    }, { roots: {}, sampling: {} }],
    [(ctx) => Promise.all([ctx.roots(), nameOf(ctx, "who")]), { elicitation: {} }, { roots: {} }],
  ];
  for (const [use, capabilities, missing] of uses) {
    const server = everywhere(async (ctx) => {
      await use(ctx);
      return "asked";
    });
    for (const target of TARGETS) {
      const { error, rounds } = await play(server, accepting(), { capabilities, target });
      assert.deepEqual([rounds, error?.code, error?.data], [[], -32021, { requiredCapabilities: missing }]);
    }
    assert.equal((await play(server, accepting({ name: "a" }), { capabilities: ABLE })).error, undefined);
  }
});

Deno.test("a handler may go on without what the client can not answer", async () => {
  const { server, errors } = told((ctx) => ctx.sample("?").then(({ model }) => model, () => nameOf(ctx, "who")));
  const { result, rounds } = await play(server, echoing, { capabilities: { elicitation: {} } });
  assert.deepEqual([textOf(result ?? {}), rounds.length, errors.length], ["WHO", 1, 0]);
});

Deno.test("questions that are none are the handler's fault, in a sentence", async () => {
  const uses: readonly [(ctx: Context) => Promise<unknown>, RegExp][] = [
    [(ctx) => ctx.elicit(5 as never, {}), /message: Expected a string/],
    [(ctx) => ctx.elicit("?", { a: { type: "object" } } as never), /form\.a: Expected/],
    [(ctx) => ctx.sample({ messages: [{ role: "system" }], maxTokens: 1 } as never), /params\.messages\[0\]: Expected a message/],
    [(ctx) => ctx.sample({ messages: [], maxTokens: 1, metadata: { at: 1n } } as never), /metadata\.at: A bigint/],
    [(ctx) => ctx.ask({ q: { method: "tools/call" } }), /q\.method: Expected elicitation\/create/],
    [(ctx) => ctx.roots({ key: 5 as never }), /key: Expected a string/],
    [(ctx) => ctx.once(5 as never, () => 1), /ctx\.once: Expected a string as key/],
  ];
  for (const [use, sentence] of uses) {
    const { server, errors } = told(use);
    assert.equal((await play(server, accepting())).error?.message, "Internal error");
    assert.match(String(errors[0]), sentence);
  }
});

Deno.test("a loop that swallows the suspension is stopped, told of, and ended by its deadline", async () => {
  let asked = 0;
  const errors: unknown[] = [];
  const server = everywhere(async (ctx) => {
    for (;;) {
      try {
        asked++;
        return await nameOf(ctx, "who");
      } catch {
        // Tries again.
      }
    }
  }, { limits: { handlerDeadline: 100 }, onError: (error) => errors.push(error) });
  const { error } = await play(server, echoing);
  assert.match(error?.message ?? "", /limit handlerDeadline/);
  assert.equal(asked, ROUND_QUESTIONS + 1);
  assert.match(String(errors[0]), /asked 1000 questions without an answer; a catch in a loop swallows the suspension/);
});

Deno.test("only the requests that may ask can be answered with a round (M-MRTR-004)", async () => {
  const errors: unknown[] = [];
  const server = serverOf({
    prompts: [prompt({
      name: "p",
      arguments: { a: {} },
      complete: { a: (_value, _others, info) => nameOf(info as Context, "who") as never },
      render: () => "x",
    })],
  }, { onError: (error) => errors.push(error) });
  const params = { ref: { type: "ref/prompt", name: "p" }, argument: { name: "a", value: "" } };
  assert.equal((await errorOf(server, request("completion/complete", params))).message, "Internal error");
  assert.match(String(errors[0]), /^TypeError: ctx\.elicit: An answer to completion\/complete cannot ask for input$/);
});
