/** Requests of authorization: only to addresses that are allowed, bounded in time and size, without redirects. */
import { AuthorizationError } from "../../protocol/errors.ts";
import type { AuthorizationReason } from "../../protocol/errors.ts";
import { createUtf8Reader } from "../../protocol/utf8_reader.ts";
import { AUTHORIZATION_LIMITS } from "../../protocol/limits.ts";
import { unreachableCause } from "../../protocol/shown.ts";
import { untilAborted } from "../waits/until_aborted.ts";
import { addressFault, isGuarded, isNamedHost, isPrivateAddress, PRIVATE, publicUrl } from "./addresses.ts";
import type { AddressRules } from "./addresses.ts";
import type { FlowOptions } from "./flow_options.ts";
import { lookupHost } from "./host_lookup.ts";
import type { HostLookup } from "./host_lookup.ts";

/** How one server's authorization is sent. */
export interface AuthHttp extends AddressRules {
  /**
   * A `fetch` that reads the whole answer. It throws an `AuthorizationError` of the given reason for an address that is not
   * allowed, and for an answer that does not come, does not come in time, is too large, or is a JSON object in no UTF-8.
   */
  readonly fetch: (reason: AuthorizationReason) => typeof globalThis.fetch;
  /** What is waited for. */
  readonly waits: Waits;
}

/** The request whose answer is waited for, or was until it was given up: method and address, without what may be secret. */
export interface Waits {
  /** The last of them; undefined when there is none. */
  for: string | undefined;
}

/** Makes the sender for the server at `endpoint`; what it waits for is told to `waits`. */
export function authHttp(endpoint: URL, options: FlowOptions, waits: Waits = { for: undefined }): AuthHttp {
  const rules: AddressRules = {
    endpoint,
    allowInsecureLoopback: options.allowInsecureLoopback === true,
    allowPrivateNetwork: options.allowPrivateNetwork === true,
  };
  const send = options.fetch ?? globalThis.fetch;
  const lookup = options.lookup ?? (options.fetch === undefined ? lookupHost : undefined);
  return {
    ...rules,
    waits,
    fetch: (reason) => async (input, init = {}) => {
      const url = new URL(input instanceof Request ? input.url : input);
      const attempt = `${init.method ?? "GET"} ${publicUrl(url)}`;
      const fault = addressFault(url, rules);
      if (fault !== undefined) throw new AuthorizationError(reason, `${attempt}: ${fault}`);
      const fail = (found: string): AuthorizationError => new AuthorizationError(reason, `${attempt}: ${found}`);
      // What another `fetch` throws may quote headers and bodies, so it stays here.
      const causeOf = send === globalThis.fetch ? unreachableCause : (): string => "";
      const outer = init.signal ?? undefined;
      waits.for = attempt;
      try {
        return await bounded(fail, causeOf, outer, async (signal) => {
          if (lookup !== undefined && await leadsInside(url, rules, lookup, signal)) throw fail(PRIVATE);
          return await send(url.href, { ...init, redirect: "manual", signal });
        });
      } finally {
        // Whoever gave it up asks afterwards what it was.
        if (waits.for === attempt && outer?.aborted !== true) waits.for = undefined;
      }
    },
  };
}

/** Does the name of a host lead to a private address? No, when that cannot be found out: then the request itself will fail. */
async function leadsInside(url: URL, rules: AddressRules, lookup: HostLookup, signal: AbortSignal): Promise<boolean> {
  // The server's own host is the choice of the program.
  if (!isGuarded(rules) || !isNamedHost(url.hostname) || url.host === rules.endpoint.host) return false;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), AUTHORIZATION_LIMITS.lookupTimeout);
  try {
    const looking = Promise.resolve().then(() => lookup(url.hostname));
    const addresses = await untilAborted(looking, AbortSignal.any([signal, late.signal]));
    // Every one of them: a connection goes on to the next when it cannot be made.
    return addresses.some(isPrivateAddress);
  } catch {
    signal.throwIfAborted();
    return false;
  } finally {
    clearTimeout(timer);
  }
}

type Fail = (found: string) => AuthorizationError;

/** Sends within the time, and keeps the answer's body when it is small enough. */
async function bounded(
  fail: Fail,
  causeOf: (cause: unknown) => string,
  outer: AbortSignal | undefined,
  send: (signal: AbortSignal) => Promise<Response>,
): Promise<Response> {
  const { requestTimeout } = AUTHORIZATION_LIMITS;
  outer?.throwIfAborted();
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), requestTimeout);
  const onAbort = (): void => late.abort();
  outer?.addEventListener("abort", onAbort);
  try {
    return await readWhole(fail, await send(late.signal));
  } catch (cause) {
    if (outer?.aborted === true) throw outer.reason;
    if (cause instanceof AuthorizationError) throw cause;
    throw fail(
      late.signal.aborted
        ? `no answer within ${requestTimeout} ms (limit requestTimeout of authorization)`
        : `the server cannot be reached${causeOf(cause)}`,
    );
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener("abort", onAbort);
  }
}

async function readWhole(fail: Fail, response: Response): Promise<Response> {
  if (response.type === "opaqueredirect") {
    throw fail("the server redirects, and redirects are not followed");
  }
  const { status, body } = response;
  const headers = new Headers(response.headers);
  // They tell of the body as it was sent, not of the text that is kept.
  for (const name of ["content-encoding", "content-length"]) headers.delete(name);
  if (body === null || [204, 205, 304].includes(status)) return new Response(null, { status, headers });
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const utf8 = createUtf8Reader();
  let text = "";
  let size = 0;
  for await (const chunk of read(body)) {
    size += chunk.length;
    if (size > AUTHORIZATION_LIMITS.documentBytes) {
      const { documentBytes } = AUTHORIZATION_LIMITS;
      throw fail(`the answer is larger than ${documentBytes} bytes`);
    }
    chunks.push(chunk);
    text += utf8.push(chunk);
  }
  text += utf8.end();
  // RFC 8259 § 8.1: what is replaced in an address or a token would be another one. The page of another place is none of ours, and
  // the code of a refusal counts whatever its description is written in.
  if (utf8.damaged && response.ok && text.trimStart().startsWith("{")) throw fail("the answer is not UTF-8");
  return new Response(await new Blob(chunks).arrayBuffer(), { status, headers });
}

/** The chunks of a body; leaving the loop early frees the connection. */
async function* read(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
