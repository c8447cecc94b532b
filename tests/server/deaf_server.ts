/** A server whose handler does not hear that its client has gone. */
import type { Server } from "../../server/server_types.ts";
import { tool } from "../../server/components/tool.ts";
import { gate, serverOf } from "./calls.ts";
import type { Gate } from "./calls.ts";

/** A server whose tool `deaf` waits for a gate without ever reading its signal. */
export function deafServer(): { server: Server; started: () => number; gates: Gate[]; returned: string[]; errors: unknown[] } {
  const gates: Gate[] = [];
  const returned: string[] = [];
  const errors: unknown[] = [];
  const server = serverOf({
    tools: [
      tool({
        name: "deaf",
        handler: async () => {
          const own = gate();
          gates.push(own);
          await own.passed;
          returned.push("deaf");
          return "late";
        },
      }),
      tool({ name: "quick", handler: () => "quick" }),
    ],
  }, { limits: { handlers: 1 }, onError: (error) => errors.push(error) });
  return { server, started: () => gates.length, gates, returned, errors };
}
