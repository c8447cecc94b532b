/** A listener for one redirect on a loopback address, and the person's browser. */
import { AuthorizationError } from "../../protocol/errors.ts";
import { transportFault } from "../../protocol/auth/transport_fault.ts";

/** Waits for one redirect. */
export interface RedirectListener {
  /** Its address, with the port that it got. */
  readonly redirectUri: string;
  /** Resolves with the parameters of the first redirect that is accepted. Rejects with the signal's reason. */
  wait(signal: AbortSignal): Promise<URLSearchParams>;
  /** Frees the port. */
  close(): void;
}

/**
 * Listens on a loopback address (RFC 8252 § 7.3). Requests to other paths and redirects that are not accepted change nothing.
 *
 * @param address http, a loopback host, a path; port 0 takes a free one.
 * @param accepts Tells the expected redirect from others.
 * @returns undefined where the platform cannot listen, or not there.
 */
export async function listenForRedirect(
  address: URL,
  accepts: (parameters: URLSearchParams) => boolean,
): Promise<RedirectListener | undefined> {
  let arrived: (parameters: URLSearchParams) => void = () => undefined;
  const arrival = new Promise<URLSearchParams>((resolve) => arrived = resolve);
  try {
    const server = builtin<NodeHttp>("node:http").createServer((request, response) => {
      // Any page and any program of this machine may ask for anything, also for what is not an address.
      const target = request.url ?? "/";
      const url = URL.canParse(target, address) ? new URL(target, address) : undefined;
      const known = request.method === "GET" && url?.pathname === address.pathname;
      const accepted = known && accepts(url.searchParams);
      // Who waits closes the port, so the person's page has to be out before.
      if (accepted) { for (const event of ["finish", "close"] as const) response.once(event, () => arrived(url.searchParams)); }
      respond(response, known ? (accepted ? 200 : 400) : 404);
    });
    const port = await listen(server, address);
    const redirectUri = new URL(address);
    redirectUri.port = String(port);
    const close = (): void => {
      server.close();
      // A connection that somebody holds open would keep the process alive.
      server.closeAllConnections?.();
    };
    return { redirectUri: redirectUri.href, close, wait: (signal) => first(arrival, signal) };
  } catch {
    return undefined;
  }
}

/**
 * Opens a page in the person's browser: https, or http on a loopback host, by an argument vector and never through a shell. What
 * Deno must allow is `--allow-run` for the program of {@linkcode browserCommand}: `xdg-open`, `open` or `rundll32`; it gets the
 * environment without a permission.
 *
 * @throws {AuthorizationError} "denied" when the page may not be opened, or no browser starts.
 */
export async function openBrowser(url: URL): Promise<undefined> {
  const fail = (found: string): AuthorizationError => new AuthorizationError("denied", `Opening the browser: ${found}`);
  const fault = transportFault(url, true);
  if (fault !== undefined) throw fail(fault);
  try {
    const [command, args] = browserCommand(builtin<NodeProcess>("node:process").platform, url.href);
    await start(command, args);
  } catch {
    throw fail("it does not start, so the option open has to show the page");
  }
}

/** The program that opens a page, and its arguments. On Windows no `cmd`, which would read `&` as the end of a command. */
export function browserCommand(platform: string, url: string): readonly [command: string, args: readonly string[]] {
  if (platform === "win32") return ["rundll32", ["url.dll,FileProtocolHandler", url]];
  return [platform === "darwin" ? "open" : "xdg-open", [url]];
}

/** Starts a program that may outlive this one. */
async function start(command: string, args: readonly string[]): Promise<void> {
  const { Deno } = globalThis as { readonly Deno?: DenoCommands };
  if (Deno?.Command !== undefined) {
    // In Deno the module of Node reads the whole environment, and needs the permission for that.
    const options = { args, stdin: "null", stdout: "null", stderr: "null", detached: true };
    new Deno.Command(command, options).spawn().unref();
    return;
  }
  const child = builtin<NodeChildProcess>("node:child_process").spawn(command, args, {
    stdio: "ignore",
    detached: true,
    windowsHide: true,
  });
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", () => resolve());
    child.once("error", reject);
  });
  child.unref();
}

function respond(response: NodeResponse, status: number): void {
  const text = status === 200 ? "You can close this window and go back to the application." : "Nothing is expected here.";
  response.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    // The address of this page holds the code.
    "referrer-policy": "no-referrer",
    "content-security-policy": "default-src 'none'",
    "connection": "close",
  });
  response.end(`<!doctype html><title>Authorization</title><p>${text}</p>`);
}

function listen(server: NodeServer, { hostname, port }: URL): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(Number(port === "" ? 80 : port), hostname.replace(/^\[|\]$/g, ""), () => resolve(server.address().port));
  });
}

function first<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) return onAbort();
    signal.addEventListener("abort", onAbort);
    promise.then(resolve).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

// The parts of Deno and of Node's modules that are used, described here so that no declaration needs their types.

interface DenoCommands {
  readonly Command?: new (command: string, options: object) => { spawn(): { unref(): void } };
}

interface NodeProcess {
  readonly platform: string;
}

interface NodeHttp {
  createServer(
    handle: (request: { readonly url?: string; readonly method?: string }, response: NodeResponse) => void,
  ): NodeServer;
}

interface NodeResponse {
  once(event: "finish" | "close", listener: () => void): unknown;
  writeHead(status: number, headers: { readonly [name: string]: string }): unknown;
  end(text: string): unknown;
}

interface NodeServer {
  once(event: "error", listener: (error: unknown) => void): unknown;
  listen(port: number, host: string, listening: () => void): unknown;
  address(): { readonly port: number };
  close(): unknown;
  closeAllConnections?(): unknown;
}

interface NodeChildProcess {
  spawn(command: string, args: readonly string[], options: object): {
    once(event: "spawn" | "error", listener: (error: unknown) => void): unknown;
    unref(): void;
  };
}

function builtin<T>(name: string): T {
  const { process } = globalThis as { readonly process?: { getBuiltinModule?(name: string): unknown } };
  const module = process?.getBuiltinModule?.(name);
  if (module === undefined) throw new TypeError(`Loading ${name}: this platform does not have it`);
  return module as T;
}
