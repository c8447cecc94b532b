/** A task whose store outlives the process, read after the process was killed. */
import assert from "node:assert/strict";
import { connect } from "../../client/connect.ts";
import { tasks } from "../../client/extensions/tasks.ts";
import { textOf } from "../../protocol/text_of.ts";

const SERVER = new URL("./task_server.ts", import.meta.url).pathname;

async function start(file: string): Promise<{ readonly url: string; kill(): Promise<void> }> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", SERVER, file],
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!text.includes("\n")) text += (await reader.read()).value ?? "";
  return {
    url: text.trim(),
    kill: async () => {
      child.kill("SIGKILL");
      await reader.cancel();
      assert.equal((await child.status).signal, "SIGKILL");
    },
  };
}

Deno.test("a task survives kill -9 of its process, and work that ran is reported as failed", async () => {
  const file = await Deno.makeTempFile({ suffix: ".sqlite" });
  const first = await start(file);
  const before = await connect(first.url, { extensions: [tasks] });
  const done = await tasks.on(before).start("quick");
  const running = await tasks.on(before).start("forever");
  assert.ok("result" in done && "result" in running);
  assert.equal(textOf(await done.result()), "quick");
  const handles = JSON.parse(JSON.stringify([done, running])) as { readonly taskId: string }[];
  await first.kill();
  await before.close();

  const second = await start(file);
  try {
    const after = await connect(second.url, { extensions: [tasks] });
    const [quick, lost] = handles.map((handle) => tasks.on(after).task(handle));
    assert.equal(textOf(await quick!.result()), "quick");
    await assert.rejects(lost!.result(), { code: -32603, data: { reason: "stopped" } });
    await after.close();
  } finally {
    await second.kill();
    for (const end of ["", "-wal", "-shm"]) await Deno.remove(file + end).catch(() => undefined);
  }
});
