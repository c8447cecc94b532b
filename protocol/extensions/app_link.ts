/** Which links of a view may be shown to a person at all. */
import { APP_LIMITS } from "../limits.ts";
import { checkList, checkOptionNames } from "../unknown_option.ts";

/** Options of {@linkcode openLinkFault}. */
export interface OpenLinkOptions {
  /** Schemes beside `https`, for example "mailto"; without the colon, in small letters. */
  readonly schemes?: readonly string[] | undefined;
}

const KNOWN: ReadonlySet<string> = new Set(["schemes"]);

/** Schemes whose links carry a document or a script: they would run as the page that opens them. */
const CARRIERS: ReadonlySet<string> = new Set(["javascript", "data", "vbscript", "blob"]);

/**
 * Says why a link of a view is refused, or undefined: the rules of `ui/open-link` on the text as it came, before a browser
 * repairs it. An absolute `https` URL passes that names its host as browsers write it, and no user. What passes has a proper
 * form and nobody's consent: the host still asks the person.
 *
 * @example A link, and one that a browser would repair
 * ```ts
 * import { openLinkFault } from "@causeway/mcp/client/apps";
 *
 * console.log(openLinkFault("https://example.com/help")); // undefined
 * console.log(openLinkFault("https:example.com")); // why it is refused
 * ```
 *
 * @param url The link, as it came.
 * @param options Further schemes.
 * @returns One sentence that does not repeat the link, or undefined.
 * @throws {TypeError} For a scheme of `options` that is malformed, or can carry a script.
 */
export function openLinkFault(url: unknown, options: OpenLinkOptions = {}): string | undefined {
  checkOptionNames(options, KNOWN, "openLinkFault.");
  checkList(options.schemes, "openLinkFault.schemes");
  const allowed = allowedSchemes(options.schemes ?? []);
  if (typeof url !== "string") return "Opening a link: The URL is not a string";
  if (url.length > APP_LIMITS.linkLength) {
    return `Opening a link: The URL has ${url.length} characters, at most ${APP_LIMITS.linkLength}`;
  }
  // Parsers drop tabs and line breaks; what cannot be seen can mislead.
  if (/[\s\p{C}\p{Z}]/u.test(url)) {
    return "Opening a link: The URL has blanks, control characters or characters that cannot be seen";
  }
  if (url.includes("\\")) return "Opening a link: The URL has a backslash, which browsers read as a slash";
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase();
  if (scheme === undefined) return "Opening a link: The URL is relative";
  if (!allowed.has(scheme)) return `Opening a link: The scheme is none of ${[...allowed].join(", ")}`;
  const rest = url.slice(scheme.length + 1);
  if (scheme === "https" || scheme === "http") return rest.startsWith("//") ? hostFault(url, rest.slice(2)) : NO_SLASHES;
  if (rest === "" || rest === "//") return "Opening a link: Nothing follows the scheme";
  return rest.startsWith("//") && authorityOf(rest.slice(2)).includes("@") ? USER : undefined;
}

const NO_SLASHES = "Opening a link: The scheme is not followed by two slashes and a host";
const USER = "Opening a link: The URL names a user";

function hostFault(url: string, rest: string): string | undefined {
  const authority = authorityOf(rest);
  if (authority.includes("@")) return USER;
  const host = /^(\[[0-9a-f:.]+\]|[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)(?::\d{1,5})?$/i.exec(authority)?.[1];
  if (host === undefined) return "Opening a link: The URL has no well-formed host";
  // Another spelling of a host, such as a number for an address, hides where the link leads.
  if (!URL.canParse(url) || new URL(url).hostname !== host.toLowerCase()) {
    return "Opening a link: The host is not written as browsers write it";
  }
  return undefined;
}

function authorityOf(rest: string): string {
  const end = rest.search(/[/?#]/);
  return end < 0 ? rest : rest.slice(0, end);
}

function allowedSchemes(schemes: readonly string[]): ReadonlySet<string> {
  for (const scheme of schemes) {
    if (typeof scheme !== "string" || !/^[a-z][a-z0-9+.-]*$/.test(scheme)) {
      throw new TypeError("openLinkFault.schemes: Expected schemes in small letters, without the colon");
    }
    if (CARRIERS.has(scheme)) throw new TypeError(`openLinkFault.schemes: Links with the scheme ${scheme} can carry a script`);
  }
  return new Set(["https", ...schemes]);
}
