/** The server of the official package that the bench measures: `echo`, and others to make up the number. */
import { McpServer } from "@modelcontextprotocol/server";
import { echoInput, searchInput } from "./inputs.ts";

/** Where the schemas are made: in the factory, as the package's documentation writes it, or once beforehand. */
export type SchemaPlace = "factory" | "module";

/** A factory of servers with that many tools. Over HTTP it runs for every request. */
export function officialFactory(tools: number, place: SchemaPlace): () => McpServer {
  const [echo, search] = [echoInput(), searchInput()];
  return () => {
    const server = new McpServer({ name: "bench", version: "1.0.0" });
    server.registerTool(
      "echo",
      { description: "Gives the text back", inputSchema: place === "module" ? echo : echoInput() },
      ({ text }) => ({ content: [{ type: "text", text }] }),
    );
    for (let index = 1; index < tools; index++) {
      server.registerTool(
        `search-${index}`,
        { description: `Searches part ${index} of the stock`, inputSchema: place === "module" ? search : searchInput() },
        ({ query }) => ({ content: [{ type: "text", text: query }] }),
      );
    }
    return server;
  };
}
