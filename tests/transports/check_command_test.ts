import assert from "node:assert/strict";
import { checkCommand } from "../../transports/check_command.ts";
import type { Command } from "../../transports/stdio_client.ts";

Deno.test("checkCommand refuses what no process can be given, and names it without its value", () => {
  const wrong: readonly (readonly [more: object, message: string])[] = [
    [{ args: "run x.ts" }, "connect.args: Expected a list"],
    [{ args: ["run", 12345] }, "connect.args[1]: Expected a string"],
    [{ args: ["run", undefined] }, "connect.args[1]: Expected a string"],
    [{ env: { PORT: 12345 } }, "connect.env.PORT: Expected a string"],
    [{ arg: ["run"] }, "connect.arg: Unknown option, perhaps args"],
    [{ Env: {} }, "connect.Env: Unknown option, perhaps env"],
  ];
  for (const [more, message] of wrong) {
    assert.throws(() => checkCommand({ command: "deno", ...more } as Command), { name: "TypeError", message });
  }
});

Deno.test("checkCommand leaves alone what else the files of hosts say", () => {
  checkCommand({ command: "deno", args: ["run"], env: { A: "a" }, type: "stdio", disabled: false } as Command);
  checkCommand({ command: "deno", args: undefined, env: { A: undefined } as never } as Command);
});
