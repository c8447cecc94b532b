/**
 * A server for Deno Deploy: the default export is a fetch handler. Locally: `deno serve --parallel examples/deploy.ts`.
 * It needs no permission and generates no code. Nothing is kept in memory between two requests, because they may meet two isolates.
 */
import { defineServer, resource, tool } from "@causeway/mcp/server";

/** Another one in each isolate. */
const isolate = crypto.randomUUID();

const convert = tool({
  name: "convert",
  description: "Converts a temperature",
  args: {
    degrees: { type: "number", required: true },
    to: { type: "string", enum: ["celsius", "fahrenheit"], required: true },
  },
  output: { type: "object", properties: { degrees: { type: "number" } }, required: ["degrees"] },
  handler: ({ degrees, to }) => ({ structured: { degrees: to === "celsius" ? (degrees - 32) / 1.8 : degrees * 1.8 + 32 } }),
});

const where = tool({ name: "where", description: "Names the isolate that answers", handler: () => isolate });

const formula = resource({
  uri: "formula://{scale}",
  name: "formula",
  description: "How a scale is converted to the other one",
  read: ({ scale }) => scale === "celsius" ? "°F = °C × 1.8 + 32" : "°C = (°F − 32) / 1.8",
});

const server = defineServer({ name: "temperatures", version: "1.0.0", tools: [convert, where], resources: [formula] });

export default { fetch: server.fetch } satisfies Deno.ServeDefaultExport;
