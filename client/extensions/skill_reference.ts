/** Where a reference in a skill leads. */
import { SKILL_CLIENT_LIMITS } from "../../protocol/limits.ts";

const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/;

/**
 * Resolves a reference as a file system would, from the directory that holds the `SKILL.md` (SEP-2640, Relative References).
 *
 * @param root The directory of the skill, without a slash at its end.
 * @param reference A URI or a path. A fragment, which names a place in the file, is left out.
 * @returns The URI, in whatever spelling; undefined for a path that is absolute or leaves the directory.
 */
export function skillReference(root: string, reference: string): string | undefined {
  if (reference.length > SKILL_CLIENT_LIMITS.reference) return undefined;
  const [path = ""] = reference.split("#", 1);
  if (SCHEME.test(path)) return path;
  if (path.startsWith("/")) return undefined;
  const segments: string[] = [];
  for (const segment of path === "" ? [] : path.replace(/\/$/, "").split("/")) {
    if (segment === "") return undefined;
    if (segment !== "." && segment !== "..") segments.push(segment);
    else if (segment === ".." && segments.pop() === undefined) return undefined;
  }
  const written = segments.join("/");
  if (!written.isWellFormed()) return undefined;
  // In Markdown, spaces and letters beyond ASCII may stand as they are; in a URI not.
  const encoded = written.replace(/[^!-~]|["<>\\^`{|}]/gu, encodeURIComponent);
  return encoded === "" ? root : `${root}/${encoded}`;
}
