/** URIs of skills and of their files: the one spelling in which they are compared, and what lies in which skill. */
import { TEMPLATE_LIMITS } from "../limits.ts";
import { decodeValue, encodeValue } from "../uri_encoding.ts";

/** The name of the file that makes a directory a skill. */
export const SKILL_FILE = "SKILL.md";

/**
 * The one spelling that all ways to write a URI of a skill, of its files and directories share, for comparison alone: a request
 * uses the spelling of the entry. The scheme has lower case, every escape that is not needed is gone, every other one is there.
 *
 * @param uri The URI, under any scheme (SEP-2640, Resource Mapping).
 * @returns The spelling; undefined for what no file of a skill may be called: a query, a fragment, a segment that is empty, "."
 * or "..", that holds a slash, a backslash or a control character, or that is not valid UTF-8, and a URI that is too long.
 */
export function canonicalSkillUri(uri: string): string | undefined {
  const parts = partsOf(uri);
  return parts === undefined ? undefined : joined(parts);
}

/**
 * The directory of a skill, without a slash at its end.
 *
 * @param uri The URI of its `SKILL.md`.
 * @returns The directory in its one spelling; undefined when the URI does not end in `/SKILL.md` within a named directory.
 */
export function skillRoot(uri: string): string | undefined {
  const parts = partsOf(uri);
  if (parts === undefined || parts.segments.length < 2 || parts.segments.at(-1) !== SKILL_FILE) return undefined;
  return joined({ ...parts, segments: parts.segments.slice(0, -1) });
}

/** The last segment of a directory of a skill, which is the skill's name (SEP-2640, Resource Mapping). */
export function lastSegment(root: string): string {
  return root.slice(root.lastIndexOf("/") + 1);
}

/**
 * Does a URI name something within the directory of a skill?
 *
 * @param root What {@linkcode skillRoot} returned.
 * @param uri The URI, in any spelling.
 */
export function isInSkill(root: string, uri: string): boolean {
  return canonicalSkillUri(uri)?.startsWith(`${root}/`) ?? false;
}

interface UriParts {
  /** Scheme, colon and slashes. */
  readonly prefix: string;
  readonly segments: readonly string[];
}

/** Three slashes are an empty authority. Otherwise the authority is the first segment: nothing resolves it. */
const SHAPE = /^([A-Za-z][A-Za-z0-9+.-]*):(\/{0,3})(.*)$/s;

function partsOf(uri: string): UriParts | undefined {
  if (uri.length > TEMPLATE_LIMITS.uriLength) return undefined;
  const [, scheme, slashes, rest] = SHAPE.exec(uri) ?? [];
  if (scheme === undefined || rest === undefined || /[?#]/.test(rest)) return undefined;
  const segments: string[] = [];
  for (const segment of rest.split("/")) {
    const written = writtenSegment(segment);
    if (written === undefined) return undefined;
    segments.push(written);
  }
  return { prefix: `${scheme.toLowerCase()}:${slashes}`, segments };
}

function writtenSegment(segment: string): string | undefined {
  // Most are written so already.
  if (/^[A-Za-z0-9_~-][A-Za-z0-9._~-]*$/.test(segment)) return segment;
  const name = decodeValue(segment);
  // A backslash separates directories on some systems that files of a skill may be written to.
  // deno-lint-ignore no-control-regex
  if (name === undefined || name === "" || name === "." || name === ".." || /[/\\\x00-\x1f\x7f]/.test(name)) return undefined;
  return encodeValue(name, false);
}

function joined({ prefix, segments }: UriParts): string {
  return prefix + segments.join("/");
}
