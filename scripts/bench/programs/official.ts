/** Serves the official server over HTTP. `TOOLS` is the number of tools, `SCHEMAS` is `factory` or `module`. */
import { createMcpHandler } from "@modelcontextprotocol/server";
import { listen } from "./listen.ts";
import { officialFactory } from "./official_server.ts";

const place = Deno.env.get("SCHEMAS") === "module" ? "module" : "factory";
const handler = createMcpHandler(officialFactory(Number(Deno.env.get("TOOLS") ?? 1), place), { legacy: "reject" });

await listen((request) => handler.fetch(request));
