/**
 * An extension of one's own, described once and used on both ends: `deno run examples/audit.ts`.
 *
 * `com.example/audit` adds a method that lists what happened, and a key of change streams that tells of each new entry.
 */
// deno-lint-ignore-file no-console -- printing is what this program does
import { connect, defineServer, extension, tool } from "@causeway/mcp";

const audit = extension({
  id: "com.example/audit",
  methods: {
    "audit/list": {
      params: { type: "object", properties: { since: { type: "integer" } }, required: ["since"] },
      result: {
        type: "object",
        properties: { entries: { type: "array", items: { type: "string" } } },
        required: ["entries"],
      },
    },
  },
  notifications: { "notifications/audit/added": { type: "object", properties: { entry: { type: "string" } } } },
  listenKeys: { auditAdded: { type: "boolean" } },
});

const entries: string[] = [];
const listeners = new Set<(entry: string) => void>();

function note(entry: string): void {
  entries.push(entry);
  for (const tell of listeners) tell(entry);
}

const server = defineServer({
  name: "bookshop",
  version: "1.0.0",
  tools: [
    tool({
      name: "order",
      args: { title: { type: "string", required: true } },
      handler({ title }) {
        note(`Ordered ${title}`);
        return `${title} is on its way`;
      },
    }),
  ],
  extensions: [
    audit.serve({ "audit/list": ({ since }) => ({ entries: entries.slice(since) }) }, {
      auditAdded(wanted, stream) {
        if (wanted !== true) return undefined;
        const tell = (entry: string) => void stream.notify("notifications/audit/added", { entry });
        listeners.add(tell);
        stream.onEnd(() => listeners.delete(tell));
        return true;
      },
    }),
  ],
});

if (import.meta.main) {
  const client = await connect(server, { extensions: [audit] });
  const changes = await client.listen({ auditAdded: true });
  await client.tools.order({ title: "Flatland" });
  const { value: added } = await changes.next();
  if (added?.type === "notification") console.log("Told:", added.params.entry);
  const { entries: listed } = await audit.on(client).request("audit/list", { since: 0 });
  console.log("Listed:", listed.join(", "));
  await changes.close();
  await client.close();
}
