/** The server of this package that the bench measures: `echo`, and others to make up the number. */
import { defineServer, type Server, type ServerTool, tool, type Validator } from "@causeway/mcp/server";

/** A server with that many tools, described in the short form. All of them fit one page. */
export function ourServer(tools: number, validator?: Validator): Server {
  const others = Array.from({ length: tools - 1 }, (_, index) => search(index + 1));
  return defineServer({ name: "bench", version: "1.0.0", tools: [echo(), ...others], pageSize: 1_000, validator });
}

function echo(): ServerTool {
  const args = { text: { type: "string", required: true } } as const;
  return tool({ name: "echo", description: "Gives the text back", args, handler: ({ text }) => text });
}

function search(index: number): ServerTool {
  return tool({
    name: `search-${index}`,
    description: `Searches part ${index} of the stock`,
    args: {
      query: { type: "string", required: true, description: "What to look for" },
      sort: { type: "string", enum: ["name", "date", "size"] },
      range: { type: "object", properties: { from: { type: "string", required: true }, to: { type: "string" } } },
      lines: {
        type: "array",
        items: { properties: { sku: { type: "string", required: true }, count: { type: "integer", required: true } } },
      },
      limit: { anyOf: [{ type: "integer" }, { const: "all" }] },
    },
    handler: ({ query }) => query,
  });
}
