/** Which display mode is in force after a view asked for one. */
import { checkList, checkObject } from "../../unknown_option.ts";
import type { DisplayMode } from "./bridge_types.ts";

const MODES: readonly unknown[] = ["inline", "fullscreen", "pip"] satisfies DisplayMode[];

/** Says whether a value names a display mode. */
export function isDisplayMode(value: unknown): value is DisplayMode {
  return MODES.includes(value);
}

/** What decides on a display mode. */
export interface DisplayModes {
  /** The mode that is in force. */
  readonly current: DisplayMode;
  /** The modes that the view announced when it introduced itself, if it did. */
  readonly announced: readonly string[] | undefined;
  /** The modes that the host has. */
  readonly offered: readonly string[];
}

/**
 * Decides on a mode that a view asks for (MCP Apps § Display Modes): it must be one that the host has and that the view
 * announced; otherwise the mode stays as it is. A view that announced none keeps the mode that it has.
 *
 * @returns The mode to be in force.
 * @throws {TypeError} For what decides nothing.
 */
export function displayModeFor(wanted: DisplayMode, modes: DisplayModes): DisplayMode {
  checkObject(modes, "displayModeFor.modes");
  const { current, announced, offered } = modes;
  checkList(offered ?? null, "displayModeFor.modes.offered");
  return offered.includes(wanted) && announced?.includes(wanted) === true ? wanted : current;
}
