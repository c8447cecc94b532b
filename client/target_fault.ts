/** The error for a target that `connect` cannot reach. */

/**
 * Makes the error, which says what is wrong with the target.
 *
 * @param target What was given in place of a target: a text or URL that is not an http address, or anything else.
 */
export function targetFault(target: unknown): TypeError {
  if (typeof target !== "string" && !(target instanceof URL)) {
    return new TypeError("connect: Expected a URL, a server, { command, args }, a transport or a channel");
  }
  const meant = meantTarget(target);
  if (!URL.canParse(target) || meant !== "") return new TypeError(`connect: Expected an absolute URL${meant}`);
  const { protocol } = new URL(target);
  return new TypeError(`connect: Expected an http or https URL, received one that begins with ${protocol}`);
}

/** What a text stands for that is not a URL: a host without its scheme, or a command. */
function meantTarget(target: string | URL): string {
  if (typeof target !== "string") return "";
  const host = /^(?:[\w-]+(?:\.[\w-]+)*:\d+|localhost|[\w-]+(?:\.[\w-]+)+(?=\/))(\/[^?#\s]*)?(?=$|[?#])/.exec(target)?.[0];
  if (host !== undefined) return `, perhaps http${/^(?:localhost|127\.)/.test(host) ? "" : "s"}://${host}`;
  return /^[\w@./\\-]+(?:\s|$)/.test(target) ? "; a command is given as { command, args }" : "";
}
