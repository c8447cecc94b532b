/** `WWW-Authenticate`: reads the challenges of a header that may hold several. */

/** One challenge of a `WWW-Authenticate` header. */
export interface AuthenticateChallenge {
  /** The scheme in lower case, such as `bearer`. */
  readonly scheme: string;
  /** The parameters by lower-case name; of a name that is given twice the first value counts. */
  readonly params: ReadonlyMap<string, string>;
}

const TOKEN = /[!#$%&'*+\-.^_`|~0-9A-Za-z]+/y;
/** What stands after `=`: a token, or the bare URLs and lists that some servers forget to quote. */
const BARE_VALUE = /[^\s,"]+/y;
const QUOTED = /"((?:[^"\\]|\\.)*)"/ys;
const TOKEN68 = /[A-Za-z0-9\-._~+/]+=*/y;
const SPACES = /[ \t]*/y;
const SEPARATORS = /[ \t,]*/y;

/** Most challenges have none: a map for each would take most of the time and memory of a long header. */
const NO_PARAMS: ReadonlyMap<string, string> = new Map();

/**
 * Reads all challenges of a `WWW-Authenticate` value (RFC 9110 § 11.2 and § 11.6.1): schemes without regard to case,
 * token and quoted values, white space around `=`, several challenges in one line. Text that fits nothing ends the
 * reading; what was read before it counts.
 *
 * @param header The header's value; several lines joined by ", ".
 * @returns The challenges, in order.
 */
export function parseChallenges(header: string): readonly AuthenticateChallenge[] {
  const challenges: AuthenticateChallenge[] = [];
  let open: { readonly scheme: string; params: ReadonlyMap<string, string> } | undefined;
  let params: Map<string, string> | undefined;
  let at = skip(SEPARATORS, header, 0);
  while (at < header.length) {
    const word = match(TOKEN, header, at);
    if (word === undefined) break;
    const afterWord = skip(SPACES, header, at + word.length);
    if (header[afterWord] === "=" && open !== undefined) {
      const value = readValue(header, skip(SPACES, header, afterWord + 1));
      if (value === undefined) break;
      if (params === undefined) open.params = params = new Map();
      const name = word.toLowerCase();
      if (!params.has(name)) params.set(name, value.text);
      at = skip(SEPARATORS, header, value.end);
      continue;
    }
    params = undefined;
    challenges.push(open = { scheme: word.toLowerCase(), params: NO_PARAMS });
    // Another challenge needs a comma before it, so what follows a space alone is a parameter or one bare credential.
    const bare = isParameter(header, afterWord) ? undefined : match(TOKEN68, header, afterWord);
    at = skip(SEPARATORS, header, afterWord + (bare?.length ?? 0));
  }
  return challenges;
}

/** Does `name = value` begin here? */
function isParameter(header: string, at: number): boolean {
  const word = match(TOKEN, header, at);
  if (word === undefined) return false;
  const equals = skip(SPACES, header, at + word.length);
  if (header[equals] !== "=") return false;
  const value = skip(SPACES, header, equals + 1);
  return value < header.length && header[value] !== "=" && header[value] !== ",";
}

function readValue(header: string, at: number): { readonly text: string; readonly end: number } | undefined {
  QUOTED.lastIndex = at;
  const quoted = QUOTED.exec(header);
  if (quoted !== null) return { text: (quoted[1] as string).replace(/\\(.)/gs, "$1"), end: QUOTED.lastIndex };
  const bare = match(BARE_VALUE, header, at);
  return bare === undefined ? undefined : { text: bare, end: at + bare.length };
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

function skip(pattern: RegExp, text: string, at: number): number {
  return at + (match(pattern, text, at)?.length ?? 0);
}
