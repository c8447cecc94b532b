/** `wireSnapshot`: a conversation as text that is the same in every run. */
import { isJsonObject } from "../protocol/json.ts";
import { META } from "../protocol/meta.ts";
import { checkList } from "../protocol/unknown_option.ts";
import { sortedJson } from "./sorted_json.ts";
import type { WireEntry } from "./wire_log.ts";

/**
 * Writes a conversation as sorted JSON for snapshots. What differs from run to run is numbered in the order in which it
 * first appears: ids of requests ("client 1", "server 1") wherever they are named, and the state of requests ("state 1").
 *
 * ```ts
 * import { defineServer, tool } from "@causeway/mcp/server";
 * import { testClient, wireSnapshot } from "@causeway/mcp/testing";
 *
 * const hello = tool({ name: "hello", handler: () => "Hello!" });
 * const client = await testClient(defineServer({ name: "greeter", version: "1.0.0", tools: [hello] }));
 * await client.callTool("hello");
 * await client.close();
 * if (!wireSnapshot(client.wire).includes('"id": "client 1"')) throw new Error("There is no first request");
 * ```
 *
 * @param wire What `testClient` or `recorded` has kept.
 * @returns JSON text, indented by two spaces.
 * @throws {TypeError} For what is not a list.
 */
export function wireSnapshot(wire: readonly WireEntry[]): string {
  checkList(wire ?? null, "wireSnapshot.wire");
  const names = new Names();
  return sortedJson(wire.map(({ from, message }) => ({ from, message: renamed(message, from, names) })));
}

/** Members of params that hold the id of a request of the same side, and those that hold one of the client in any case. */
const OWN_ID = ["requestId"] as const;
const CLIENT_ID = ["progressToken", META.subscriptionId] as const;

function renamed(message: object, from: WireEntry["from"], names: Names): object {
  const entries = Object.entries(message);
  const isCall = "method" in message;
  const other = from === "client" ? "server" : "client";
  return Object.fromEntries(entries.map(([key, value]) => {
    if (key === "id" && value !== null) return [key, names.of(isCall ? from : other, value)];
    if (key === "params" || key === "result") return [key, members(value, from, names)];
    return [key, value];
  }));
}

function members(value: unknown, from: WireEntry["from"], names: Names): unknown {
  if (!isJsonObject(value)) return value;
  const copy: Record<string, unknown> = { ...value };
  if (Object.hasOwn(value, "_meta")) copy._meta = members(value._meta, from, names);
  for (const key of OWN_ID) if (Object.hasOwn(value, key)) copy[key] = names.known(from, value[key]);
  for (const key of CLIENT_ID) if (Object.hasOwn(value, key)) copy[key] = names.known("client", value[key]);
  if (typeof value.requestState === "string") copy.requestState = names.of("state", value.requestState);
  return copy;
}

class Names {
  readonly #given = new Map<string, string>();
  readonly #count = new Map<string, number>();

  /** The name of an id; a new one the first time. */
  of(kind: string, id: unknown): string {
    const key = `${kind} ${JSON.stringify(id)}`;
    let name = this.#given.get(key);
    if (name === undefined) {
      const count = (this.#count.get(kind) ?? 0) + 1;
      this.#count.set(kind, count);
      name = `${kind} ${count}`;
      this.#given.set(key, name);
    }
    return name;
  }

  /** The name of an id that has one, else the value as it is. */
  known(kind: string, id: unknown): unknown {
    return this.#given.get(`${kind} ${JSON.stringify(id)}`) ?? id;
  }
}
