/** Serves our server over HTTP with `echo` alone, whose arguments are a zod schema. */
import { defineServer, tool } from "@causeway/mcp/server";
import { echoInput } from "./inputs.ts";
import { listen } from "./listen.ts";

const echo = tool({ name: "echo", description: "Gives the text back", input: echoInput(), handler: ({ text }) => text });

await listen(defineServer({ name: "bench", version: "1.0.0", tools: [echo] }).fetch);
