/** MCP beside the other routes of a Hono application, which needs no adapter: `node hono.mjs`. */
import process from "node:process";
import { serveNode } from "@causeway/mcp/node";
import { Hono } from "hono";
import { server } from "./server.mjs";

const app = new Hono();
app.get("/", (c) => c.text("The endpoint is /mcp"));
app.all("/mcp", (c) => server.fetch(c.req.raw));

const http = await serveNode(app, { port: Number(process.env.PORT ?? 3000) });
process.stdout.write(`${new URL("mcp", http.url)}\n`);
