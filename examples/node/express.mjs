/** MCP beside the other routes of an Express application: `node express.mjs`. */
import process from "node:process";
import { toNodeHandler } from "@causeway/mcp/node";
import express from "express";
import { server } from "./server.mjs";

const app = express();
app.get("/", (_request, response) => response.send("The endpoint is /mcp"));
// Before express.json(), which refuses bodies of more than 100 kB.
app.all("/mcp", toNodeHandler(server));
app.use(express.json());

const http = app.listen(Number(process.env.PORT ?? 3000), "127.0.0.1", () => {
  process.stdout.write(`http://127.0.0.1:${http.address().port}/mcp\n`);
});
