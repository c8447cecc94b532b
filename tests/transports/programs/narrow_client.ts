/** A client that starts and ends a stubborn server, and says how that went. */
import { resolveLimits } from "../../../protocol/limits.ts";
import { connectStdio } from "../../../transports/stdio_client.ts";

const faults: unknown[] = [];
const ready = Promise.withResolvers<void>();
const transport = await connectStdio({
  command: "sh",
  args: ["-c", "trap '' TERM; export -p | tr '\\n' ' ' >&2; echo >&2; while :; do sleep 0.05; done"],
  stderr(line) {
    globalThis.console.log(line);
    ready.resolve();
  },
}, { limits: resolveLimits({ stopGrace: 100 }), onError: (error) => faults.push(error) });
await ready.promise;
await transport.close();
globalThis.console.log(`closed, ${faults.length} faults`);
