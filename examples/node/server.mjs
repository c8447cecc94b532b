/** The server that the examples of this folder put into a framework. */
import { defineServer, tool } from "@causeway/mcp/server";

const greet = tool({
  name: "greet",
  description: "Greets somebody",
  args: { name: { type: "string", required: true } },
  handler: ({ name }) => `Hello, ${name}!`,
});

export const server = defineServer({ name: "greeter", version: "1.0.0", tools: [greet] });
