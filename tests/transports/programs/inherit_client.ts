/** A client whose server writes to stderr, which is passed on to ours. */
import { resolveLimits } from "../../../protocol/limits.ts";
import { connectStdio } from "../../../transports/stdio_client.ts";

const script = 'while read line; do echo "said $line" >&2; done';
const transport = await connectStdio({ command: "sh", args: ["-c", script] }, { limits: resolveLimits(undefined) });
for (let n = 0; n < 20; n++) {
  await transport.send({ jsonrpc: "2.0", method: `m${n}` });
  await new Promise((resolve) => setTimeout(resolve, 10));
}
await transport.close();
globalThis.console.log("alive");
