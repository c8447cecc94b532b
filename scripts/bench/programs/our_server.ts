/** The server of this package that the bench measures: `echo`, and others to make up the number. */
import { defineServer, type Server, type ServerTool, tool } from "@causeway/mcp/server";
import { echoInput, searchInput } from "./inputs.ts";

/** How the arguments are described. */
export type SchemaStyle = "args" | "zod";

/** A server with that many tools. All of them fit one page. */
export function ourServer(tools: number, style: SchemaStyle): Server {
  const others = Array.from({ length: tools - 1 }, (_, index) => search(index + 1, style));
  return defineServer({ name: "bench", version: "1.0.0", tools: [echo(style), ...others], pageSize: 1_000 });
}

function echo(style: SchemaStyle): ServerTool {
  const options = { name: "echo", description: "Gives the text back" };
  return style === "zod"
    ? tool({ ...options, input: echoInput(), handler: ({ text }) => text })
    : tool({ ...options, args: { text: { type: "string", required: true } }, handler: ({ text }) => text });
}

function search(index: number, style: SchemaStyle): ServerTool {
  const options = { name: `search-${index}`, description: `Searches part ${index} of the stock` };
  if (style === "zod") return tool({ ...options, input: searchInput(), handler: ({ query }) => query });
  return tool({
    ...options,
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
