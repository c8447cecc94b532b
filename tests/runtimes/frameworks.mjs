/** Runs the suite under Node against the server inside Express, Fastify and Hono. */
import { once } from "node:events";
import { createServer } from "node:http";
import process from "node:process";
import { connect } from "@causeway/mcp/client";
import { serveNode, toNodeHandler } from "@causeway/mcp/node";
import { server } from "./server.mjs";
import { runCases } from "./suite.mjs";

/** The frameworks are installed beside the package, and are no dependency of the repository. */
const load = (name) => import(name);
const { default: express } = await load("express");
const { default: fastify } = await load("fastify");
const { Hono } = await load("hono");

const handler = toNodeHandler(server);
const stops = [];

async function listening(http) {
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  stops.push(() => http.close().closeAllConnections());
  return `http://127.0.0.1:${http.address().port}/mcp`;
}

const starts = {
  "Express": () => listening(createServer(express().all("/mcp", handler))),
  "Express below a path, its body parsed": () => listening(createServer(express().use(express.json()).use("/mcp", handler))),
  "Fastify": async () => {
    const app = fastify({ forceCloseConnections: true });
    app.all("/mcp", handler);
    stops.push(() => app.close());
    return `${await app.listen({ port: 0, host: "127.0.0.1" })}/mcp`;
  },
  "Hono": async () => {
    const app = new Hono();
    app.all("/mcp", (c) => server.fetch(c.req.raw));
    const running = await serveNode(app, { port: 0 });
    stops.push(() => running.close());
    return new URL("mcp", running.url);
  },
};

const carriers = {};
for (const [name, start] of Object.entries(starts)) {
  const url = await start();
  carriers[name] = (options) => connect(url, options);
}
for await (const one of runCases(carriers)) process.stdout.write(`${JSON.stringify(one)}\n`);
for (const stop of stops) await stop();
process.exit();
