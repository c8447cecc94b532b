/** This package's client against the small reference servers, each as the program that its package ships. */
import assert from "node:assert/strict";
import { type Client, connect, textOf } from "@causeway/mcp/client";
import { packageCommand, type PeerCommand } from "./peers/children.ts";

const FILE_TOOLS = [
  "read_file",
  "read_text_file",
  "read_media_file",
  "read_multiple_files",
  "write_file",
  "edit_file",
  "create_directory",
  "list_directory",
  "list_directory_with_sizes",
  "directory_tree",
  "move_file",
  "search_files",
  "get_file_info",
  "list_allowed_directories",
];

const MEMORY_TOOLS = [
  "create_entities",
  "create_relations",
  "add_observations",
  "delete_entities",
  "delete_observations",
  "delete_relations",
  "read_graph",
  "search_nodes",
  "open_nodes",
];

Deno.test("Client speaks with server-filesystem", async () => {
  await withFolder(async (folder) => {
    await use(await packageCommand("@modelcontextprotocol/server-filesystem", folder), async (client) => {
      assert.deepEqual((await client.listTools()).map(({ name }) => name), FILE_TOOLS);
      assert.equal(client.server.info?.name, "secure-filesystem-server");
      await client.callTool("write_file", { path: `${folder}/note.txt`, content: "grüße 🌍\n" });
      assert.equal(await Deno.readTextFile(`${folder}/note.txt`), "grüße 🌍\n");
      const read = await client.callTool("read_text_file", { path: `${folder}/note.txt` });
      assert.equal(textOf(read), "grüße 🌍\n");
      assert.deepEqual(read.structuredContent, { content: "grüße 🌍\n" });
      assert.equal((await client.callTool("read_text_file", { path: "/etc/passwd" })).isError, true);
    });
  });
});

Deno.test("Client shows its roots to server-filesystem", async () => {
  await withFolder(async (folder) => {
    const asked = Promise.withResolvers<void>();
    const roots = (): { uri: string; name: string }[] => {
      asked.resolve();
      return [{ uri: `file://${folder}`, name: "work" }];
    };
    const client = await connect({
      ...await packageCommand("@modelcontextprotocol/server-filesystem", "/nowhere", "/"),
      stderr: "null",
    }, {
      inputs: { roots },
    });
    try {
      await asked.promise;
      // The answer is on its way before this call, and stdio keeps the order; what the server does with it takes a moment.
      for (let tries = 0; tries < 100; tries++) {
        const allowed = textOf(await client.callTool("list_allowed_directories"));
        if (allowed.includes(folder)) return;
      }
      assert.fail("The server did not take the roots over");
    } finally {
      await client.close();
    }
  });
});

Deno.test("Client speaks with server-memory", async () => {
  await withFolder(async (folder) => {
    const command = await packageCommand("@modelcontextprotocol/server-memory");
    await use({ ...command, env: { MEMORY_FILE_PATH: `${folder}/memory.jsonl` } }, async (client) => {
      assert.deepEqual((await client.listTools()).map(({ name }) => name), MEMORY_TOOLS);
      assert.deepEqual((await client.listResources()).map(({ uri }) => uri), ["memory://knowledge-graph"]);
      assert.deepEqual(await client.listResourceTemplates(), []);
      const entities = [{ name: "Ada", entityType: "person", observations: ["wrote programs"] }];
      await using watch = client.watch({ resourceSubscriptions: ["memory://knowledge-graph"] });
      await watch.open();
      const created = await client.callTool("create_entities", { entities });
      assert.deepEqual(created.structuredContent, { entities });
      assert.deepEqual((await watch.next()).value, { type: "resourceUpdated", uri: "memory://knowledge-graph" });
      const { structuredContent } = await client.callTool("search_nodes", { query: "programs" });
      assert.deepEqual(structuredContent, { entities, relations: [] });
      const { contents: [graph] } = await client.readResource("memory://knowledge-graph");
      assert.match(graph !== undefined && "text" in graph ? graph.text : "", /Ada/);
    });
  });
});

Deno.test("Client speaks with server-sequential-thinking", async () => {
  const command = await packageCommand("@modelcontextprotocol/server-sequential-thinking");
  await use(command, async (client) => {
    assert.deepEqual((await client.listTools()).map(({ name }) => name), ["sequentialthinking"]);
    const thought = { thought: "One thing first", nextThoughtNeeded: true, thoughtNumber: 1, totalThoughts: 2 };
    const { structuredContent } = await client.callTool("sequentialthinking", thought);
    const { thoughtNumber, totalThoughts, nextThoughtNeeded } = structuredContent as Record<string, unknown>;
    assert.deepEqual([thoughtNumber, totalThoughts, nextThoughtNeeded], [1, 2, true]);
  });
});

async function use(
  command: PeerCommand & { readonly env?: Record<string, string> },
  run: (client: Client) => Promise<void>,
): Promise<void> {
  const client = await connect({ ...command, stderr: "null" });
  try {
    assert.equal(client.server.protocolVersion, "2025-11-25");
    await run(client);
  } finally {
    await client.close();
  }
}

async function withFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  try {
    await run(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
