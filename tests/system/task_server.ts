/** Serves tasks over a store in a file, until it is killed: `task_server.ts <file>` prints its address. */
import { tasks } from "../../server/extensions/tasks.ts";
import { defineServer } from "../../server/server.ts";
import { tool } from "../../server/components/tool.ts";
import { sqliteStore } from "./sqlite_store.ts";

if (import.meta.main) {
  const server = defineServer({
    name: "killed",
    version: "1.0.0",
    tools: [
      tool({ name: "quick", task: "optional", handler: () => "quick" }),
      tool({ name: "forever", task: "optional", handler: () => new Promise<string>(() => undefined) }),
    ],
    extensions: [tasks({ store: sqliteStore(Deno.args[0] as string), pollInterval: 100 })],
  });
  Deno.serve({
    port: 0,
    hostname: "127.0.0.1",
    // deno-lint-ignore no-console -- whoever starts the program waits for this line
    onListen: ({ hostname, port }) => console.log(`http://${hostname}:${port}/mcp`),
  }, server.fetch);
}
