/** Whether a name is a legal name of a tool. */
import { TOOL_NAME_LENGTH } from "./limits.ts";

/**
 * Says what is wrong with the name of a tool: 1 to 128 ASCII letters, digits, `_`, `-` and `.` are allowed; letter case counts.
 *
 * @param name The name; it may come from a peer.
 * @returns The fault as a sentence that does not repeat the name, or undefined for a legal one.
 * @see MCP 2026-07-28, Tools § Tool Names
 */
export function toolNameFault(name: unknown): string | undefined {
  if (typeof name !== "string") {
    return `Expected a string as the name of a tool, received ${name === null ? "null" : `a ${typeof name}`}`;
  }
  if (name.length === 0 || name.length > TOOL_NAME_LENGTH) {
    return `Expected a tool name of 1 to ${TOOL_NAME_LENGTH} characters, received ${name.length}`;
  }
  for (const char of name) {
    const legal = (char >= "a" && char <= "z") || (char >= "A" && char <= "Z") || (char >= "0" && char <= "9") ||
      "_-.".includes(char);
    if (!legal) {
      const code = (char.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, "0");
      return `Expected letters, digits, "_", "-" and "." in the name of a tool, found U+${code}`;
    }
  }
  return undefined;
}
