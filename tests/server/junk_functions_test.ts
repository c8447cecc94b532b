/** Tests of functions of templates and prompts that list and complete, and give what they must not. */
import assert from "node:assert/strict";
import { connect } from "../../client/mod.ts";
import { defineServer, prompt, resource } from "../../server/mod.ts";
import type { Server } from "../../server/mod.ts";

const VERSIONS = ["2026-07-28", "2025-11-25", "2025-06-18"] as const;

interface Told {
  readonly error: unknown;
  readonly id: string;
  readonly method: string;
}

/** A server whose functions all give the same. */
function serverOf(give: () => unknown): { readonly server: Server; readonly told: Told[] } {
  const told: Told[] = [];
  const template = resource({
    uri: "notes://{day}",
    name: "note",
    list: give as () => [],
    complete: { day: give as () => [] },
    read: () => "x",
  });
  const render = prompt({
    name: "greet",
    arguments: { who: {} },
    complete: { who: give as () => [] },
    render: () => "x",
  });
  const server = defineServer({
    name: "x",
    version: "1",
    resources: [template],
    prompts: [render],
    onError: (error, { id, method }) => void told.push({ error, id, method }),
  });
  return { server: server as Server, told };
}

/** What the caller and the author hear of each of the three functions. */
async function hear(give: () => unknown, protocol: typeof VERSIONS[number]): Promise<readonly string[]> {
  const { server, told } = serverOf(give);
  const client = await connect(server, { protocol });
  const heard: string[] = [];
  const calls = [
    () => client.listResources(),
    () => client.complete({ template: "notes://{day}" }, { name: "day", value: "secret-value" }),
    () => client.complete({ prompt: "greet" }, { name: "who", value: "secret-value" }),
  ];
  for (const call of calls) {
    const found = await call().then(() => undefined, (error: unknown) => error as { message: string; data: { errorId: string } });
    const last = told.pop();
    if (found === undefined) {
      assert.equal(last, undefined);
      heard.push("fine");
      continue;
    }
    assert.deepEqual([found.message, found.data.errorId], ["Internal error", last?.id]);
    heard.push(last?.error instanceof Error ? last.error.message : String(last?.error));
  }
  await client.close();
  return heard;
}

for (const protocol of VERSIONS) {
  Deno.test(`the author hears where a function that lists or completes gave what, the caller a masked error, in ${protocol}`, async () => {
    const NAMES = ["resources.note.list", "resources.note.complete.day", "prompts.greet.complete.who"] as const;
    const both = (list: string, complete: string): string[] => NAMES.map((name, at) => `${name}${at === 0 ? list : complete}`);
    const cases: readonly (readonly [give: () => unknown, expected: readonly string[]])[] = [
      ...([[undefined, "undefined"], [null, "null"], [5, "a number"], ["secret-value", "a string"], [
        {},
        "an object",
      ]] as const)
        .map(([value, kind]) => {
          const list = `: Expected a list of resources, found ${kind}`;
          const complete = typeof value === "object" && value !== null
            ? ": Expected values to be a list of strings, found undefined"
            : `: Expected a list of strings, or an object with values, found ${kind}`;
          return [() => value, both(list, complete)] as const;
        }),
      [
        () => [{ uri: "notes://1", name: "1" }, 7],
        both(
          "[1]: Expected an object with a uri and a name, found a number",
          ": Expected values[0] to be a string, found an object",
        ),
      ],
      [
        () => [{ name: "secret-value" }],
        both("[0].uri: Expected a string, found undefined", ": Expected values[0] to be a string, found an object"),
      ],
      [
        () => [{ uri: "secret value", name: "x" }],
        both("[0].uri: Expected a URI that begins with a scheme", ": Expected values[0] to be a string, found an object"),
      ],
      [
        () => [{ uri: "notes://1" }],
        both("[0].name: Expected a string, found undefined", ": Expected values[0] to be a string, found an object"),
      ],
      [
        () => [{ uri: "notes://1", name: "1", size: 1n }],
        both(
          "[0].size: A bigint cannot be written as JSON: use toJson() or String()",
          ": Expected values[0] to be a string, found an object",
        ),
      ],
      [
        () => ({ values: ["a"], total: "many" }),
        both(
          ": Expected a list of resources, found an object",
          ": Expected total to be an integer of at least 0, found a string",
        ),
      ],
      [
        () => ({ values: ["a"], total: NaN }),
        both(
          ": Expected a list of resources, found an object",
          ": Expected total to be an integer of at least 0, found a number that is not finite",
        ),
      ],
      [
        () => ({ values: ["a"], hasMore: 1 }),
        both(": Expected a list of resources, found an object", ": Expected hasMore to be true or false, found a number"),
      ],
    ];
    for (const [give, expected] of cases) assert.deepEqual(await hear(give, protocol), expected);
    const thrown = (): never => {
      throw new Error("the database is down");
    };
    assert.deepEqual(await hear(thrown, protocol), Array(3).fill("the database is down"));
    assert.deepEqual(await hear(() => [], protocol), Array(3).fill("fine"));
  });

  Deno.test(`10,000 values are cut to 100 with their number, and 10,000 resources are listed in pages, in ${protocol}`, async () => {
    const values = Array.from({ length: 10_000 }, (_, at) => `v${at}`);
    const template = resource({
      uri: "notes://{day}",
      name: "note",
      list: () => values.map((name) => ({ uri: `notes://${name}`, name })),
      complete: { day: () => values },
      read: () => "x",
    });
    const client = await connect(defineServer({ name: "x", version: "1", resources: [template] }), { protocol });
    const found = await client.complete({ template: "notes://{day}" }, { name: "day", value: "" });
    assert.deepEqual([found.values, found.total, found.hasMore], [values.slice(0, 100), 10_000, true]);
    const first = await client.listResources();
    assert.equal(first.length, 10_000);
    await client.close();
  });
}
