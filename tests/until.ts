/** Waits in tests for what comes about by itself. */

/** Turns of a few milliseconds, so that a test fails, and does not hang, when nothing comes. */
const TURNS = 5_000;

/** Waits until something is so. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  throw new Error("Waited for something that did not come about");
}
