import { killAtRandom } from "../transports/kills.ts";

Deno.test({
  name:
    "connectStdio() leaves no process and no open call behind when client or server is killed, 200 times (B005, B086, M-STDIO-018)",
  ignore: Deno.build.os !== "linux",
  fn: () => killAtRandom(200, 20261130),
});
