/** Keeps programs on certain cores, where the system has `taskset` and more cores than one. */

let found: Promise<boolean> | undefined;

/** The one core that is shared by servers which are compared closely, and those that are left for the load. */
export const CORES = { servers: "0", load: `1-${Math.max(1, navigator.hardwareConcurrency - 1)}` } as const;

/** A command with its arguments, on these cores only. */
export async function pinned(
  cores: string,
  command: string,
  args: readonly string[],
): Promise<[command: string, args: string[]]> {
  return await canPin() ? ["taskset", ["-c", cores, command, ...args]] : [command, [...args]];
}

/** Can programs be kept on certain cores here? */
function canPin(): Promise<boolean> {
  return found ??= navigator.hardwareConcurrency < 2 ? Promise.resolve(false) : hasTaskset();
}

async function hasTaskset(): Promise<boolean> {
  try {
    const { success } = await new Deno.Command("taskset", { args: ["--version"], stdout: "null", stderr: "null" }).output();
    return success;
  } catch {
    return false;
  }
}
