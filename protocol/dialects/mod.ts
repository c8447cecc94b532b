/** Revision → dialect: what this package speaks, newest first. */
import type { Dialect } from "../dialect.ts";
import { checkList } from "../unknown_option.ts";
import { dialect20250618 } from "./2025-06-18.ts";
import { dialect20251125 } from "./2025-11-25.ts";
import { dialect20260728 } from "./2026-07-28.ts";

/** Every dialect, newest first. */
export const DIALECTS: readonly Dialect[] = [dialect20260728, dialect20251125, dialect20250618];

/** The revisions that this package speaks, newest first. */
export const SUPPORTED_VERSIONS: readonly string[] = DIALECTS.map((dialect) => dialect.version);

/**
 * Chooses dialects by their revisions, in the order of this package (newest first).
 *
 * @param versions Revisions; all of them when absent.
 * @throws {TypeError} For an empty list and for a revision that is not spoken.
 */
export function chooseDialects(versions: readonly string[] | undefined, path: string): readonly Dialect[] {
  if (versions === undefined) return DIALECTS;
  checkList(versions, path);
  for (const version of versions) {
    if (!SUPPORTED_VERSIONS.includes(version)) {
      throw new TypeError(`${path}: Expected revisions of ${SUPPORTED_VERSIONS.join(", ")}, received "${version}"`);
    }
  }
  const chosen = DIALECTS.filter((dialect) => versions.includes(dialect.version));
  if (chosen.length === 0) throw new TypeError(`${path}: Expected at least one revision`);
  return chosen;
}
