/** `connect`: from a target to a client. The one place where the client builds a carrier. */
import { frozenCopy } from "../protocol/frozen_copy.ts";
import { chooseDialects } from "../protocol/dialects/mod.ts";
import { TransportError } from "../protocol/errors.ts";
import { resolveLimits } from "../protocol/limits.ts";
import type { ResolvedLimits } from "../protocol/limits.ts";
import { checkFunction, checkList, checkObject, checkOptionNames } from "../protocol/unknown_option.ts";
import { VERSION } from "../protocol/version.ts";
import type { Command } from "../transports/stdio_client.ts";
import type { StrayWords } from "../transports/stray_words.ts";
import { connectStreamableHttp } from "../transports/streamable_http_client.ts";
import type { AuthInfo, Channel, Served, Transport } from "../transports/transport.ts";
import { userHeaders } from "../transports/user_headers.ts";
import { authorizedFetch, authProvider } from "./authorized_fetch.ts";
import type { AuthProvider } from "./authorized_fetch.ts";
import type { OpenCacheOptions, OpenedCache } from "./cache/open_cache.ts";
import { deriveCapabilities } from "./capabilities.ts";
import { checkRoots } from "./input/check_roots.ts";
import { McpClient } from "./client.ts";
import type { Client } from "./client_types.ts";
import { Connection } from "./connection.ts";
import type { ConnectionSettings } from "./connection_settings.ts";
import { DeadlineWatch } from "./waits/deadline_watch.ts";
import { isCredentialHeader } from "./secrets/is_credential_header.ts";
import type { ConnectOptions, HttpConnectOptions } from "./options.ts";
import { LATER_PARTS, runRounds } from "./input/run_rounds.ts";
import { checkSignal } from "./request_settings.ts";
import { SentSecrets } from "./secrets/sent_secrets.ts";
import { untilAborted } from "./waits/until_aborted.ts";
import { withoutEcho } from "./secrets/without_echo.ts";

export { lines } from "../transports/byte_stream.ts";
export type { LinesOptions } from "../transports/byte_stream.ts";
export type { Command } from "../transports/stdio_client.ts";

/** What `connect` reaches outside this process: a URL, a command to start, or a carrier of your own. */
export type Target = string | URL | Command | Transport | Channel;

/** The options that fit a target: `auth`, `headers` and `fetch` belong to URLs. */
export type OptionsFor<T> = T extends string | URL ? HttpConnectOptions : ConnectOptions;

/** Options for a server in this process. */
export interface InProcessConnectOptions extends ConnectOptions {
  /** The caller that the server's handlers see. */
  readonly auth?: AuthInfo<unknown> | undefined;
}

/**
 * Connects to a server in this process. `auth` is the caller its handlers see.
 *
 * @throws {TypeError} For a malformed option.
 * @throws {ProtocolError} -32022 when no revision is common.
 */
export function connect<S extends Served>(server: S, options?: InProcessConnectOptions): Promise<Client<S>>;
/**
 * Connects to a URL, a command or a carrier; `connect<typeof server>(...)` types the client.
 *
 * @throws {TypeError} For something that can't be reached, and for a malformed option.
 * @throws {ProtocolError} -32022 when no revision is common, otherwise what the server answers.
 * @throws {TransportError} When the server can't be reached, does not answer in time, or speaks something else.
 * @throws {AuthorizationError} When it wants other credentials.
 * @throws The reason of `options.signal` when that aborts.
 */
export function connect<S extends Served = Served, const T extends Target = Target>(
  target: T,
  options?: OptionsFor<T>,
): Promise<Client<S>>;
export async function connect(target: Served | Target, options: AnyOptions = {}): Promise<Client> {
  checkObject(options, "connect.options");
  if ("timeout" in options) throw new TypeError("connect.timeout: Unknown option, perhaps limits.requestTimeout");
  checkOptionNames(options, CONNECT_OPTIONS, "connect.");
  checkSignal(options.signal, "connect.signal");
  const { inputs: handlers = {} } = options;
  checkOptionNames(handlers, INPUTS, "connect.inputs.");
  const limits = resolveLimits(options.limits);
  let settings = connectionSettings(options, limits);
  if (options.extensions !== undefined) {
    settings = (await untilAborted(LATER_PARTS.load(), options.signal)).withExtensions(settings, options.extensions, runRounds);
  }
  const inputs = { inputs: handlers, parallel: options.parallelInputs === true };
  for (const name of ["onLog", "onError", "fetch"] as const) {
    if (options[name] !== undefined) checkFunction(options[name], `connect.${name}`);
  }
  for (const name of ["form", "url", "sampling"] as const) {
    if (handlers[name] !== undefined) checkFunction(handlers[name], `connect.inputs.${name}`);
  }
  options.signal?.throwIfAborted();
  const caches = await untilAborted(loadCache(options.cache), options.signal);
  const carrier = await openCarrier(target, options, limits, caches);
  const cache = carrier.cache ?? caches?.(NOTHING_SHARED).create;
  const { server } = carrier;
  const opening = Connection.open({ ...settings, ...carrier, cache }, options.signal, options.verdict);
  const connection = await (server === undefined ? opening : opening.catch(async (error) => {
    const late = error instanceof TransportError && error.reason === "timeout";
    throw late ? (await LATER_PARTS.load()).slowOpening(error, server()) : error;
  }));
  const client = new McpClient({ connection, inputs });
  try {
    settings.extensions?.attach(client, connection, inputs);
  } catch (error) {
    // Nobody else has it, to close it.
    await connection.close();
    throw error;
  }
  return client as unknown as Client;
}

const INPUTS: ReadonlySet<string> = new Set(["form", "url", "sampling", "roots"]);

const CONNECT_OPTIONS: ReadonlySet<string> = new Set([
  "info",
  "protocol",
  "inputs",
  "capabilities",
  "cache",
  "limits",
  "parallelInputs",
  "verdict",
  "use",
  "extensions",
  "onLog",
  "onError",
  "signal",
  "auth",
  "allowInsecureAuth",
  "headers",
  "fetch",
  "getStream",
]);

type AnyOptions = Omit<HttpConnectOptions, "auth"> & {
  readonly auth?: HttpConnectOptions["auth"] | AuthInfo<unknown> | undefined;
};

type Carrier = Pick<ConnectionSettings, "transport" | "watch" | "overHttp" | "reopen" | "confused" | "cache" | "secrets"> & {
  /** Which server it is, for whoever waits for it in vain. */
  readonly server?: (() => string) | undefined;
};

/** Opens a cache, when one is wanted. */
type Caches = ((options: Omit<OpenCacheOptions, "store">) => OpenedCache) | undefined;

/** For a process, a server in this one, and a foreign carrier, nothing tells whether two of them are the same. */
const NOTHING_SHARED = { endpoint: undefined, headers: [], provider: undefined } as const;

function connectionSettings(
  options: AnyOptions,
  limits: ResolvedLimits,
): Omit<ConnectionSettings, keyof Carrier> {
  const { protocol, inputs, info = { name: "@causeway/mcp", version: VERSION }, cache, use = [] } = options;
  checkObject(info, "connect.info");
  if (typeof info.name !== "string" || typeof info.version !== "string") {
    throw new TypeError("connect.info: Expected a name and a version");
  }
  if (
    cache !== undefined && typeof cache !== "boolean" && !["get", "set", "delete"].every((name) => has(cache, name, "function"))
  ) {
    throw new TypeError("connect.cache: Expected a boolean, or a store with get, set and delete");
  }
  if (Array.isArray(inputs?.roots)) checkRoots(inputs.roots, "connect.inputs.roots");
  checkList(use, "connect.use");
  use.forEach((layer, at) => checkFunction(layer, `connect.use[${at}]`));
  return {
    dialects: chooseDialects(typeof protocol === "string" ? [protocol] : protocol, "connect.protocol"),
    // Sent with every request: what is frozen is shared within a process, and what the program does with its own object changes nothing.
    info: frozenCopy(info),
    capabilities: frozenCopy(deriveCapabilities({ inputs, capabilities: options.capabilities })),
    inputs: inputs ?? {},
    getStream: options.getStream !== false,
    limits,
    use,
    onLog: options.onLog,
    onError: options.onError,
  };
}

async function loadCache(cache: AnyOptions["cache"]): Promise<Caches> {
  if (cache === undefined || cache === false) return undefined;
  // Loaded only here: most clients keep nothing.
  const { openCache } = await import("./cache/open_cache.ts");
  return (options) => openCache({ ...options, store: cache === true ? undefined : cache });
}

async function openCarrier(
  target: Served | Target,
  options: AnyOptions,
  limits: ResolvedLimits,
  caches: Caches,
): Promise<Carrier> {
  const { onError } = options;
  if (typeof target === "string" || target instanceof URL) {
    const isAddress = URL.canParse(target) && /^https?:$/.test(new URL(target).protocol);
    if (!isAddress) throw (await LATER_PARTS.load()).targetFault(target);
    return openHttp(target, options as HttpConnectOptions, limits, caches);
  }
  if (has(target, "handle", "function")) {
    const principal = options.auth as AuthInfo | undefined;
    // Loaded only here: most clients, and all in browsers, have no server in their process.
    const { connectInMemory } = await import("../transports/in_memory.ts");
    return { transport: connectInMemory(target as Served, { principal, limits, onError }), overHttp: false };
  }
  if (has(target, "exchange", "function")) return { transport: target as Transport, overHttp: false };
  // Asking for the streams of a channel of lines would open it.
  if (typeof target === "object" && target !== null && "readable" in target && "writable" in target) {
    // Loaded only here: most clients speak HTTP, or start a process.
    const { connectChannel } = await import("../transports/connect_channel.ts");
    return {
      transport: connectChannel(target as Channel, { limits: options.limits === undefined ? undefined : limits, onError }),
      overHttp: false,
    };
  }
  if (has(target, "command", "string")) return await openCommand(target as Command, options, limits);
  throw (await LATER_PARTS.load()).targetFault(target);
}

async function openCommand(command: Command, { onError }: AnyOptions, limits: ResolvedLimits): Promise<Carrier> {
  // Loaded only here: most clients, and all in browsers, start no process.
  const { connectStdio } = await import("../transports/stdio_client.ts");
  let confused = false;
  const stray: StrayWords = { words: undefined };
  const open = (): Promise<Transport> => {
    confused = false;
    return connectStdio(command, {
      limits,
      stray,
      onError: (error) => {
        confused ||= error instanceof TransportError && error.reason === "not_mcp";
        return onError?.(error);
      },
    });
  };
  const server = (): string => `"${command.command}"${stray.words === undefined ? "" : `; ${stray.words}`}`;
  return { transport: await open(), overHttp: false, reopen: open, confused: () => confused, server };
}

async function openHttp(
  target: string | URL,
  options: HttpConnectOptions,
  limits: ResolvedLimits,
  caches: Caches,
): Promise<Carrier> {
  const { auth, allowInsecureAuth, headers, onError } = options;
  // A list of pairs is one of its forms.
  if (headers !== undefined && !Array.isArray(headers)) checkObject(headers, "connect.headers");
  const url = new URL(target);
  url.hash = "";
  const own = options.fetch ?? globalThis.fetch;
  const watch = new DeadlineWatch();
  const provider = auth === undefined ? undefined : patiently(authProvider(auth), watch, limits);
  const given = userHeaders(headers);
  const cache = caches?.({ endpoint: url.href, headers: given, provider });
  const named = [...given].flatMap(([name, value]) => isCredentialHeader(name) ? [value] : []);
  // Whatever else may be secret in the address goes with every request, too.
  const query = url.search === "" ? [] : (await LATER_PARTS.load()).querySecrets(url.search);
  const fixed = [...named, url.password, ...query].filter((value) => value !== "");
  const secrets = provider === undefined && fixed.length === 0 ? undefined : new SentSecrets(fixed);
  const fetch = provider !== undefined
    ? authorizedFetch(own, provider, { onCredentials: cache?.onCredentials, secrets, allowInsecureAuth })
    : secrets !== undefined
    ? echoless(own, secrets)
    : own;
  const told = secrets === undefined || onError === undefined ? onError : (error: unknown) => onError(secrets.hide(error));
  const transport = connectStreamableHttp(url, { fetch, headers, limits, onError: told });
  return { transport, watch, overHttp: true, cache: cache?.create, secrets, server: () => waitsBehind(url, provider) };
}

function waitsBehind(url: URL, provider: AuthProvider | undefined): string {
  const request = provider?.waitsFor?.({ url: url.href });
  return url.origin + url.pathname + (request === undefined ? "" : `; its authorization got no answer to ${request}`);
}

/** Credentials that the program gives as headers, or in the address, are as secret as others. */
function echoless(fetch: typeof globalThis.fetch, secrets: SentSecrets): typeof globalThis.fetch {
  return async (...request) => withoutEcho(await fetch(...request), secrets);
}

/** While a provider answers a refusal, which may take a person's time, no other time runs; `requestTotalTimeout` is the most. */
function patiently(provider: AuthProvider, watch: DeadlineWatch, { requestTotalTimeout }: ResolvedLimits): AuthProvider {
  return {
    credentials: (request) => provider.credentials(request),
    challenged: async (challenge, request) => {
      const release = watch.hold(requestTotalTimeout);
      try {
        return await untilAborted(Promise.resolve(provider.challenged(challenge, request)), request.signal);
      } finally {
        release();
      }
    },
    answered: (answer, request) => provider.answered?.(answer, request),
    waitsFor: (request) => provider.waitsFor?.(request),
  };
}

function has(target: object, member: string, type: string): boolean {
  return typeof target === "object" && target !== null && typeof (target as Record<string, unknown>)[member] === type;
}
