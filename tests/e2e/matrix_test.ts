/** Which revision a client and a server agree on, over every carrier: the compatibility table, cell by cell. */
import assert from "node:assert/strict";
import { type Client, connect, type ConnectOptions, ProtocolError, type ProtocolVersion, textOf } from "@causeway/mcp/client";
import { matrixServer } from "./matrix_server.ts";

const MODERN = "2026-07-28";
const NEWER = "2025-11-25";
const OLDER = "2025-06-18";
const ALL = [MODERN, NEWER, OLDER] as const;

/** What a server enables, in the order of the columns. */
const SERVERS: readonly (readonly ProtocolVersion[])[] = [[MODERN], [NEWER], [OLDER], ALL];

/** What a client allows, and the revision that it speaks with each of the servers; undefined where nothing is common. */
const TABLE: readonly (readonly [client: readonly ProtocolVersion[], agreed: readonly (ProtocolVersion | undefined)[]])[] = [
  [[MODERN], [MODERN, undefined, undefined, MODERN]],
  [[NEWER], [undefined, NEWER, undefined, NEWER]],
  [[OLDER], [undefined, undefined, OLDER, OLDER]],
  [ALL, [MODERN, NEWER, OLDER, MODERN]],
];

/** Opens a client of a fresh server of these revisions, and runs `use` with it. */
type Carrier = (
  versions: readonly ProtocolVersion[],
  options: ConnectOptions,
  use: (client: Client) => Promise<void>,
) => Promise<void>;

const CARRIERS: { readonly [name: string]: Carrier } = {
  "HTTP without sessions": overHttp(false),
  "HTTP with sessions": overHttp(true),
  "stdio": overStdio,
  "the process": inProcess,
};

for (const [name, carrier] of Object.entries(CARRIERS)) {
  Deno.test(`connect agrees with every server as the table of compatibility says, in ${name} (L-LIFE-009, L-LIFE-010)`, async (t) => {
    for (const [allowed, row] of TABLE) {
      for (const [column, enabled] of SERVERS.entries()) {
        const agreed = row[column];
        const cell = `a client of ${allowed.join(", ")} and a server of ${enabled.join(", ")}: ${agreed ?? "refused"}`;
        await t.step(cell, () => {
          if (agreed === undefined) return refused(carrier, allowed, enabled);
          const asks = agreed === MODERN || name !== "HTTP without sessions";
          return spoken(carrier, { allowed, enabled, agreed, asks });
        });
      }
    }
  });
}

/** One cell in which something is common. */
interface Cell {
  readonly allowed: readonly ProtocolVersion[];
  readonly enabled: readonly ProtocolVersion[];
  readonly agreed: ProtocolVersion;
  /** Can the server ask the client? */
  readonly asks: boolean;
}

async function spoken(carrier: Carrier, { allowed, enabled, agreed, asks }: Cell): Promise<void> {
  const inputs: ConnectOptions["inputs"] = { form: () => ({ action: "accept", content: { name: "Ada" } }) };
  await carrier(enabled, { protocol: allowed, inputs }, async (client) => {
    assert.deepEqual((await client.listTools()).map(({ name }) => name), ["echo", "greet"]);
    assert.equal(textOf(await client.callTool("echo", { text: "grüße" })), "grüße");
    if (asks) assert.equal(textOf(await client.callTool("greet")), "Hello, Ada!");
    else await assert.rejects(client.callTool("greet"), needsSession);
    assert.equal(client.server.protocolVersion, agreed);
    assert.equal(client.server.era, agreed === MODERN ? "modern" : "legacy");
    assert.equal(client.verdict.protocolVersion, agreed);
  });
}

/** A client of one stateless revision sends nothing when it connects: there the first request is refused. */
async function refused(
  carrier: Carrier,
  allowed: readonly ProtocolVersion[],
  enabled: readonly ProtocolVersion[],
): Promise<void> {
  await assert.rejects(carrier(enabled, { protocol: allowed }, async (client) => void await client.listTools()), (error) => {
    assert.ok(error instanceof ProtocolError, Deno.inspect(error));
    assert.equal(error.code, -32022);
    assert.deepEqual(error.data, { supported: enabled, requested: allowed[0] });
    for (const version of [...allowed, ...enabled]) assert.ok(error.message.includes(version), error.message);
    return true;
  });
}

function needsSession(error: unknown): boolean {
  assert.ok(error instanceof ProtocolError, Deno.inspect(error));
  assert.equal((error.data as { readonly reason?: string } | undefined)?.reason, "session_required");
  assert.match(error.message, /session/);
  return true;
}

function overHttp(sessions: boolean): Carrier {
  return async (versions, options, use) => {
    const server = matrixServer(versions, sessions);
    const http = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, server.fetch);
    try {
      const client = await connect(`http://127.0.0.1:${http.addr.port}/mcp`, options);
      await use(client).finally(() => client.close());
    } finally {
      await server.close();
      await http.shutdown();
    }
  };
}

async function overStdio(versions: readonly ProtocolVersion[], options: ConnectOptions, use: (client: Client) => Promise<void>) {
  const program = new URL("matrix_server.ts", import.meta.url).href;
  const args = ["run", "--quiet", "--cached-only", program, ...versions];
  const client = await connect({ command: Deno.execPath(), args, inheritEnv: ["XDG_CACHE_HOME", "DENO_DIR"] }, options);
  await use(client).finally(() => client.close());
}

async function inProcess(versions: readonly ProtocolVersion[], options: ConnectOptions, use: (client: Client) => Promise<void>) {
  const server = matrixServer(versions);
  try {
    const client = await connect(server, options);
    await use(client).finally(() => client.close());
  } finally {
    await server.close();
  }
}
