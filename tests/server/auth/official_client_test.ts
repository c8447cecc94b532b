import assert from "node:assert/strict";
import { Client, ClientCredentialsProvider, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { clientCredentials } from "../../../client/auth/mod.ts";
import { connect, textOf } from "../../../client/mod.ts";
import { bearer, jwt } from "../../../server/auth/mod.ts";
import { defineServer, tool } from "../../../server/mod.ts";
import type { Server } from "../../../server/mod.ts";
import { withAuthorizationServer } from "./authorization_server.ts";
import type { AuthorizationServer } from "./authorization_server.ts";

const MODES = ["legacy", "auto", { pin: "2026-07-28" }] as const;

/** Serves a protected server under its own address. */
async function withServer(as: AuthorizationServer, test: (url: string) => Promise<void>): Promise<void> {
  const http = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => undefined }, (request) => server.fetch(request));
  const url = `http://localhost:${http.addr.port}/mcp`;
  const auth = bearer({
    resource: url,
    authorizationServers: [as.issuer],
    scopes: ["mcp"],
    verify: jwt({ issuer: as.issuer, audience: url }),
  });
  const tools = [
    tool({ name: "whoami", handler: (_args, ctx) => auth.of(ctx).principal }),
    tool({ name: "write", scopes: ["write", "audit"], handler: (_args, ctx) => auth.of(ctx).scopes.join(" ") }),
  ];
  const server: Pick<Server, "fetch" | "close"> = defineServer({ name: "p", version: "1", auth, tools, sessions: true });
  try {
    await test(url);
  } finally {
    await server.close();
    await http.shutdown();
  }
}

for (const mode of MODES) {
  const name = typeof mode === "string" ? mode : "pinned";
  Deno.test(`the official client (${name}) finds the authorization server by challenge and metadata, gets in, and steps up (M-AUTH-001, M-AUTH-009, M-AUTH-016, M-AUTH-049, M-AUTH-098, M-AUTH-102)`, async () => {
    await withAuthorizationServer(async (as) => {
      await withServer(as, async (url) => {
        const authProvider = new ClientCredentialsProvider({ clientId: "machine", clientSecret: "s", expectedIssuer: as.issuer });
        const client = new Client({ name: "official", version: "1" }, { versionNegotiation: { mode } } as never);
        await client.connect(new StreamableHTTPClientTransport(new URL(url), { authProvider }));
        try {
          const text = async (tool: string): Promise<string> => {
            const { content } = await client.callTool({ name: tool, arguments: {} });
            return (content as { text: string }[])[0]?.text ?? "";
          };
          assert.equal(await text("whoami"), JSON.stringify([as.issuer, "machine", "machine"]));
          assert.deepEqual(as.grants.map((form) => [form.get("scope"), form.get("resource")]), [["mcp", url]]);
          assert.deepEqual((await text("write")).split(" ").sort(), ["audit", "mcp", "write"]);
          assert.equal(as.grants.length, 2);
        } finally {
          await client.close();
        }
      });
    });
  });
}

Deno.test("this package's client gets in and steps up in the same way (M-AUTH-001)", async () => {
  await withAuthorizationServer(async (as) => {
    await withServer(as, async (url) => {
      const authentication = { method: "client_secret_basic", secret: "s" } as const;
      const auth = clientCredentials({ clientId: "machine", issuer: as.issuer, authentication, allowInsecureLoopback: true });
      await using client = await connect(url, { auth });
      assert.equal(textOf(await client.callTool("whoami", {})), JSON.stringify([as.issuer, "machine", "machine"]));
      assert.equal(textOf(await client.callTool("write", {})), "mcp write audit");
      assert.deepEqual(as.grants.map((form) => form.get("scope")), ["mcp", "mcp write audit"]);
    });
  });
});
