/** Checks what is to be started, before anything is. */
import { checkList, checkOptionNames } from "../protocol/unknown_option.ts";

/** What is checked. */
export interface CommandParts {
  /** Arguments. */
  readonly args?: readonly string[] | undefined;
  /** Variables. */
  readonly env?: { readonly [name: string]: string } | undefined;
}

/**
 * Refuses arguments and variables that are not texts, and names that differ little from those of options. Others may stand there, as
 * they do in the configuration files of hosts.
 *
 * @throws {TypeError} Naming the option; no value is in the message.
 */
export function checkCommand(command: CommandParts): void {
  checkOptionNames(command, COMMAND, "connect.", true);
  checkList(command.args, "connect.args");
  command.args?.forEach((argument, at) => {
    if (typeof argument !== "string") throw new TypeError(`connect.args[${at}]: Expected a string`);
  });
  for (const [name, value] of Object.entries(command.env ?? {})) {
    if (value !== undefined && typeof value !== "string") throw new TypeError(`connect.env.${name}: Expected a string`);
  }
}

const COMMAND: ReadonlySet<string> = new Set(["command", "args", "env", "inheritEnv", "cwd", "stderr"]);
