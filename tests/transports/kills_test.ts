/** Short form of `tests/system/kills_test.ts`. */
import { killAtRandom } from "./kills.ts";

Deno.test({
  name:
    "connectStdio() leaves no process and no open call behind when client or server is killed, 20 times (B005, B086, M-STDIO-018)",
  ignore: Deno.build.os !== "linux",
  fn: () => killAtRandom(20, 5),
});
