/** Host and Origin checks against DNS rebinding. */

import { checkList } from "../../protocol/unknown_option.ts";

/** Why a request is refused. */
export interface HeaderRefusal {
  /** The HTTP status. */
  readonly status: 400 | 403;
  /** One sentence. */
  readonly sentence: string;
}

/** Decides on the Host and Origin headers of a request. */
export interface OriginGuard {
  /** Why a host is refused, or undefined. */
  hostFault(host: string | null): HeaderRefusal | undefined;
  /** Why an origin is refused, or undefined. */
  originFault(origin: string): HeaderRefusal | undefined;
}

/**
 * Makes the guard of one server (MCP 2026-07-28, Streamable HTTP § Security & Endpoint). The peer's address is unknown to
 * a fetch handler, so that the Host header must be loopback or one of `hosts`. Loopback origins pass on any port,
 * others must be configured with their port.
 *
 * @param hosts Hosts this server is reached under, with a port or for any port.
 * @param origins Web origins that may call, such as `https://app.example.com`.
 * @throws {TypeError} For a malformed host or origin.
 */
export function createOriginGuard(hosts: readonly string[] = [], origins: readonly string[] = []): OriginGuard {
  checkList(hosts, "hosts");
  checkList(origins, "origins");
  const allowedHosts = new Set(hosts.map((host, at) => checkHost(host, at)));
  const allowedOrigins = new Set(origins.map((origin, at) => checkOrigin(origin, at)));
  return {
    hostFault: remember((host) => {
      const parsed = parseHost(host);
      if (parsed === undefined) return { status: 400, sentence: "Bad request: the Host header is not a host" };
      const allowed = isLoopback(parsed.name) || allowedHosts.has(parsed.name) || allowedHosts.has(parsed.full);
      return allowed ? undefined : forbidden("the Host header names a host that is not among the option hosts of this server");
    }, forbidden("the Host header is missing")),
    originFault: remember((origin) => {
      const url = parseOrigin(origin);
      if (url === undefined) return forbidden("the Origin header is not an origin");
      const allowed = isLoopback(url.hostname) || allowedOrigins.has(url.origin);
      return allowed
        ? undefined
        : forbidden("the Origin header names an origin that is not among the option origins of this server");
    }, forbidden("the Origin header is missing")),
  };
}

function forbidden(fault: string): HeaderRefusal {
  return { status: 403, sentence: `Forbidden: ${fault}` };
}

/** The verdict on the last value is kept: nearly every request names the same host. */
function remember(
  decide: (value: string) => HeaderRefusal | undefined,
  missing: HeaderRefusal,
): (value: string | null) => HeaderRefusal | undefined {
  let last: string | undefined;
  let verdict: HeaderRefusal | undefined;
  return (value) => {
    if (value === null) return missing;
    if (value !== last) {
      verdict = decide(value);
      last = value;
    }
    return verdict;
  };
}

function isLoopback(name: string): boolean {
  return name === "localhost" || name.endsWith(".localhost") || name === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(name);
}

function parseHost(host: string): { readonly name: string; readonly full: string } | undefined {
  if (!/^(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::\d{0,5})?$/.test(host)) return undefined;
  const url = parse(`http://${host}`);
  return url === undefined ? undefined : { name: url.hostname.toLowerCase(), full: host.toLowerCase() };
}

/** RFC 6454 § 6.2: scheme, host and port, nothing else; `null` and file origins cannot be named. */
function parseOrigin(origin: string): URL | undefined {
  // URL parsers take a backslash for a slash (WHATWG URL § 4.4), and would drop what follows.
  if (!/^https?:\/\/[^/\\?#@\s]+$/i.test(origin)) return undefined;
  return parse(origin);
}

function parse(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

function checkHost(host: unknown, at: number): string {
  if (typeof host !== "string" || host.endsWith(":") || parseHost(host) === undefined) {
    throw new TypeError(`hosts[${at}]: Expected a host such as "mcp.example.com"`);
  }
  const { name, full } = parseHost(host) as { readonly name: string; readonly full: string };
  return /:\d+$/.test(host) && !host.endsWith("]") ? full : name;
}

function checkOrigin(origin: unknown, at: number): string {
  const url = typeof origin === "string" ? parseOrigin(origin) : undefined;
  if (url === undefined) throw new TypeError(`origins[${at}]: Expected an origin such as "https://app.example.com"`);
  return url.origin;
}
