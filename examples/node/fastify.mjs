/** MCP beside the other routes of a Fastify application: `node fastify.mjs`. */
import process from "node:process";
import { toNodeHandler } from "@causeway/mcp/node";
import fastify from "fastify";
import { server } from "./server.mjs";

const app = fastify();
app.get("/", () => "The endpoint is /mcp");
app.all("/mcp", toNodeHandler(server));

const address = await app.listen({ port: Number(process.env.PORT ?? 3000), host: "127.0.0.1" });
process.stdout.write(`${address}/mcp\n`);
