/** Where the person comes back to: a listener on a loopback address, or the program itself. */
import { AuthorizationError } from "../../protocol/errors.ts";
import type { Awaitable } from "../../protocol/types.ts";
import { isLoopbackHost } from "../../protocol/auth/loopback_host.ts";
import { transportFault } from "../../protocol/auth/transport_fault.ts";
import { listenForRedirect, openBrowser } from "./loopback.ts";
import type { RedirectListener } from "./loopback.ts";

/** Shows a page to a person, and may bring back where the browser was redirected to. */
export type OpenPage = (
  url: URL,
  info: { readonly signal: AbortSignal; readonly redirectUri: string },
) => Awaitable<string | URL | undefined | void>;

/** What a redirect target goes by. */
export interface RedirectOptions {
  /** Shows the page. */
  readonly open: OpenPage | undefined;
  /** Where the program wants redirects to go. */
  readonly redirectUri: string | undefined;
  /** Where they went the last time; used again when it is free. */
  readonly preferred: string | undefined;
  /** Tells the redirect of this request from others. */
  readonly state: string;
}

/** A place that waits for one redirect. */
export interface RedirectTarget {
  /** Its address. */
  readonly redirectUri: string;
  /** Sends a person to a page and waits for the redirect that ends it. */
  visit(page: URL, signal: AbortSignal): Promise<URLSearchParams>;
  /** Frees what it holds. */
  close(): void;
}

/** Where a listener waits unless the program says otherwise: any free port (RFC 8252 § 7.3). */
const ANY_PORT = "http://127.0.0.1:0/callback";

/**
 * Opens a place for the redirect.
 *
 * @throws {AuthorizationError} When there is none.
 */
export async function openRedirectTarget(options: RedirectOptions): Promise<RedirectTarget> {
  const { open = openBrowser } = options;
  const listener = await listen(options);
  const redirectUri = options.redirectUri ?? listener?.redirectUri;
  if (redirectUri === undefined || (listener === undefined && options.open === undefined)) {
    const found = redirectUri === undefined
      ? "no listener can be opened, so the options redirectUri and open are needed"
      : "nobody listens";
    throw new AuthorizationError("denied", `Waiting for the authorization response: ${found}`);
  }
  return {
    redirectUri,
    close: () => listener?.close(),
    visit: async (page, signal) => {
      const given = await open(page, { signal, redirectUri });
      signal.throwIfAborted();
      if (given === undefined) return await waitFor(listener, signal);
      if (!URL.canParse(given, redirectUri)) throw new TypeError("oauth.open: Expected the URL of the redirect, or nothing");
      return new URL(given, redirectUri).searchParams;
    },
  };
}

async function waitFor(listener: RedirectListener | undefined, signal: AbortSignal): Promise<URLSearchParams> {
  if (listener !== undefined) return await listener.wait(signal);
  throw new AuthorizationError("denied", "Waiting for the authorization response: nobody listens, so open has to return its URL");
}

async function listen({ redirectUri, preferred, state }: RedirectOptions): Promise<RedirectListener | undefined> {
  const accepts = (parameters: URLSearchParams): boolean => parameters.get("state") === state;
  if (redirectUri !== undefined) {
    const { hostname, protocol } = new URL(redirectUri);
    return isLoopbackHost(hostname) && protocol === "http:" ? await listenForRedirect(new URL(redirectUri), accepts) : undefined;
  }
  const again = preferred === undefined ? undefined : await listenForRedirect(new URL(preferred), accepts);
  return again ?? await listenForRedirect(new URL(ANY_PORT), accepts);
}

/**
 * Checks a redirect address of a program: https, or http on loopback (MCP 2026-07-28, Communication Security).
 *
 * @throws {TypeError} For any other.
 */
export function checkRedirectUri(redirectUri: string | URL | undefined, path: string): string | undefined {
  if (redirectUri === undefined) return undefined;
  const text = String(redirectUri);
  if (!URL.canParse(text)) throw new TypeError(`${path}: Expected an absolute URL`);
  const url = new URL(text);
  if (transportFault(url, true) !== undefined || url.hash !== "") {
    throw new TypeError(`${path}: Expected an https URL, or an http one on a loopback host, without a fragment`);
  }
  return text;
}
