/** What handlers may return, as the compiler sees it: this file does not compile when it is otherwise. */
import assert from "node:assert/strict";
import { connect } from "../../client/mod.ts";
import { defineServer, resource, tool } from "../../server/mod.ts";
import { inputRequired, text } from "../../server/mod.ts";

interface Weather {
  readonly degrees: number;
  readonly wind?: { readonly knots?: number | undefined } | undefined;
}

interface Tree {
  readonly name: string;
  readonly children: readonly Tree[];
}

class Point {
  constructor(readonly x: number, readonly y: number) {}
  norm(): number {
    return Math.hypot(this.x, this.y);
  }
}

const weather: Weather = { degrees: 20 };
const tree: Tree = { name: "root", children: [{ name: "leaf", children: [] }] };
const late = <T>(value: T): Promise<T> => Promise.resolve(value);
const maybe = (value: Weather): Weather | undefined => value.degrees > 100 ? undefined : value;

/** Ordinary returns, at once and later. */
const FINE = [
  tool({ name: "interface", handler: () => weather }),
  tool({ name: "interface_later", handler: () => late(weather) }),
  tool({ name: "optional", handler: async () => await late(maybe(weather)) }),
  tool({ name: "tree", handler: () => tree }),
  tool({ name: "class", handler: () => new Point(3, 4) }),
  tool({ name: "list", handler: () => [weather, weather] }),
  tool({ name: "readonly_list", handler: (): readonly Weather[] => [weather] }),
  tool({ name: "record", handler: (): Record<string, unknown> => ({ a: 1 }) }),
  tool({ name: "any", handler: async () => JSON.parse(await late("{}")) }),
  tool({ name: "nothing", handler: () => undefined }),
  tool({ name: "void_later", handler: async () => void await late(1) }),
  tool({ name: "number", handler: () => late(7) }),
  tool({ name: "null", handler: () => null }),
  tool({ name: "either", handler: ({ a }) => a === true ? "text" : weather, args: { a: { type: "boolean" } } }),
  tool({ name: "block", handler: () => late([text("a"), "b"]) }),
  tool({ name: "asks", handler: () => late(inputRequired({}, { state: 1 })) }),
];

/** What fails when it is written is no program; never called. */
export const REFUSED = (): unknown[] => [
  // @ts-expect-error A date
  tool({ name: "a", handler: () => new Date() }),
  // @ts-expect-error A date that comes later
  tool({ name: "a", handler: () => late(new Date()) }),
  // @ts-expect-error A map
  tool({ name: "a", handler: () => new Map<string, string>() }),
  // @ts-expect-error A set that comes later
  tool({ name: "a", handler: () => late(new Set<string>()) }),
  // @ts-expect-error A bigint
  tool({ name: "a", handler: () => 1n }),
  // @ts-expect-error A bigint that comes later
  tool({ name: "a", handler: () => late(1n) }),
  // @ts-expect-error A function
  tool({ name: "a", handler: () => () => 1 }),
  // @ts-expect-error A class
  tool({ name: "a", handler: () => late(Point) }),
  // @ts-expect-error A symbol
  tool({ name: "a", handler: () => late(Symbol("a")) }),
  // @ts-expect-error Bytes
  tool({ name: "a", handler: () => new Uint8Array(1) }),
  // @ts-expect-error A date, or text
  tool({ name: "a", handler: ({ a }) => a === true ? "text" : new Date(), args: { a: { type: "boolean" } } }),
  // @ts-expect-error A date
  resource({ uri: "a:b", name: "a", read: () => new Date() }),
  // @ts-expect-error A map that comes later
  resource({ uri: "a:b", name: "a", read: () => late(new Map<string, string>()) }),
  // @ts-expect-error A bigint that comes later
  resource({ uri: "a:b", name: "a", read: () => late(1n) }),
  // @ts-expect-error A function
  resource({ uri: "a:b", name: "a", read: () => () => "text" }),
];

Deno.test("handlers may return interfaces, classes, lists and optional members, and keep the types of what they return", async () => {
  const read = [
    resource({ uri: "a:interface", name: "a", read: () => late(weather) }),
    resource({ uri: "a:bytes", name: "b", read: () => late(new Uint8Array(1)) }),
    resource({ uri: "a:missing", name: "c", read: () => undefined }),
  ];
  const server = defineServer({ name: "a", version: "1", tools: FINE, resources: read });
  const client = await connect(server);
  for (const { name } of FINE) {
    if (name !== "asks") assert.equal((await client.callTool(name)).isError, undefined, name);
  }
  const later = tool({ name: "w", handler: () => late(weather) });
  const result: NonNullable<(typeof later)["~types"]>["result"] = weather;
  assert.equal(result.wind?.knots, undefined);
  assert.equal((await client.readResource("a:bytes")).contents.length, 1);
  await client.close();
});
