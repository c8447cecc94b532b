/** Options that nobody reads: told at once, with the one that was meant. */

/** Letters by which a misspelt name may differ. */
const NEAR = 2;

/**
 * Refuses members of options that nobody reads.
 *
 * @param options The options as they were given; anything but an object has no members.
 * @param known The names of options that exist.
 * @param path What stands before the name in the sentence, such as `connect.`.
 * @param open May there be others too? Then only names are refused that are nearly those of existing ones.
 * @throws {TypeError} Naming the option, and the nearest one that exists, if one is near.
 */
export function checkOptionNames(options: unknown, known: ReadonlySet<string>, path: string, open = false): void {
  if (typeof options !== "object" || options === null) return;
  for (const name of Object.keys(options)) {
    if (known.has(name)) continue;
    const perhaps = hint(name, known);
    if (!open || perhaps !== "") throw new TypeError(`${path}${name}: Unknown option${perhaps}`);
  }
}

function hint(name: string, known: ReadonlySet<string>): string {
  let best: string | undefined;
  let least = Math.min(NEAR, name.length - 2) + 1;
  for (const one of known) {
    const differs = distance(name.toLowerCase(), one.toLowerCase());
    if (differs < least) [best, least] = [one, differs];
  }
  return best === undefined ? "" : `, perhaps ${best}`;
}

/** How many letters have to be put in, left out or changed (Levenshtein). */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let at = 1; at <= one.length; at++) {
    const next = [at];
    for (let to = 1; to <= other.length; to++) {
      const change = (row[to - 1] as number) + (one[at - 1] === other[to - 1] ? 0 : 1);
      next.push(Math.min(change, (row[to] as number) + 1, (next[to - 1] as number) + 1));
    }
    row = next;
  }
  return row[other.length] as number;
}
