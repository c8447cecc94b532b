/** Opens a connection in the right revision: by an earlier verdict, a pin, a probe, or a handshake. */
import type { Dialect } from "../protocol/dialect.ts";
import { ERROR_CODES, ProtocolError, TransportError } from "../protocol/errors.ts";
import { isJsonObject } from "../protocol/json.ts";
import { httpStatusOf } from "../protocol/json_rpc.ts";
import { isNeutralStatus } from "../protocol/negotiation.ts";
import type { JsonObject } from "../protocol/types.ts";
import type { ServerFacts } from "./client_types.ts";
import type { ConnectionSettings } from "./connection_settings.ts";
import { shakeHands } from "./handshake.ts";
import { isGone, negotiate } from "./negotiate.ts";
import { discoveredFacts, welcomeFacts } from "./server_facts.ts";
import type { Wire } from "./wire.ts";

/** What opening needs. */
export interface OpeningOptions {
  /** Where to. */
  readonly wire: Wire;
  /** What the connection is made of. */
  readonly settings: ConnectionSettings;
  /** Told which dialect is spoken from now on; what arrives meanwhile is read in it. */
  readonly onDialect: (dialect: Dialect) => void;
  /** Writes `server/discover`. */
  readonly probe: (dialect: Dialect) => Parameters<Wire["exchange"]>[0];
  /** Aborts it. */
  readonly signal: AbortSignal | undefined;
}

/** An open connection. */
export interface Opened {
  /** The dialect. */
  readonly dialect: Dialect;
  /** What the server said about itself. */
  readonly facts: ServerFacts;
  /** Has an answer of the server shown that it speaks this dialect? */
  readonly confirmed: boolean;
}

/**
 * Opens a connection. Stateless dialects that are remembered, or the only ones allowed, need no message; for a remembered
 * handshake the probe is skipped, and sent after all, once, when the server does not take that handshake any more.
 *
 * @param remembered What an earlier connection spoke.
 * @throws {ProtocolError} -32022 when no revision is common; other errors as they come.
 */
export async function openRevision(options: OpeningOptions, remembered: Dialect | undefined): Promise<Opened> {
  const { dialects } = options.settings;
  const first = remembered ?? (dialects.length === 1 ? dialects[0] : undefined);
  if (first !== undefined && first.handshake === undefined) {
    options.onDialect(first);
    return { dialect: first, facts: discoveredFacts(first, {}), confirmed: false };
  }
  if (first === undefined || remembered === undefined) return await negotiateAnew(options);
  try {
    return await handshake(options, [first, ...dialects.filter((dialect) => dialect !== first && isHandshake(dialect))]);
  } catch (error) {
    if (dialects.every(isHandshake) || !(isRefusal(error) || (isGone(error) && options.wire.restarts))) throw error;
    if (isGone(error)) await options.wire.restart();
    return await negotiateAnew(options);
  }
}

/**
 * Negotiates from the beginning: asks with `server/discover` when a dialect that has it is allowed, and shakes hands when the
 * answer, or none, means a server of a handshake revision (MCP 2026-07-28, stdio § Backward Compatibility; Streamable HTTP §
 * Backward Compatibility). A server that has gone, or was confused by the probe, is started again once.
 */
export async function negotiateAnew(options: OpeningOptions): Promise<Opened> {
  const { wire, settings } = options;
  const { dialects: allowed, overHttp, confused } = settings;
  if (allowed.every(isHandshake)) return await handshake(options, allowed);
  const ask = (dialect: Dialect): Promise<JsonObject> => discover(options, dialect);
  const agreement = await negotiate({ allowed, ask, overHttp, restarts: wire.restarts });
  if (agreement.type === "agreed") {
    const { dialect } = agreement;
    options.onDialect(dialect);
    const read = dialect.readResult("server/discover", agreement.result, new Set());
    if (!read.ok) throw new TransportError("not_mcp", `Reading the answer to server/discover: ${read.error.message}`);
    return { dialect, facts: discoveredFacts(dialect, read.value.result), confirmed: true };
  }
  const { dialects, answer } = agreement;
  if (answer === "exit" || (answer === "silence" && confused?.() === true)) await wire.restart();
  try {
    return await handshake(options, dialects);
  } catch (error) {
    if (!isGone(error) || !wire.restarts) throw error;
    await wire.restart();
    return await handshake(options, dialects);
  }
}

async function handshake(options: OpeningOptions, proposed: readonly Dialect[]): Promise<Opened> {
  const { dialect, welcome } = await shakeHands({ ...options, proposed });
  return { dialect, facts: welcomeFacts(dialect, welcome, options.wire.transport.sessionId), confirmed: true };
}

function discover({ wire, settings, onDialect, probe, signal }: OpeningOptions, dialect: Dialect): Promise<JsonObject> {
  const { limits: { probeTimeout }, overHttp, dialects } = settings;
  onDialect(dialect);
  return wire.exchange(probe(dialect), {
    signal,
    timeout: probeTimeout,
    deadline: performance.now() + probeTimeout,
    total: probeTimeout,
    limitNames: ["probeTimeout", "probeTimeout"],
    // A server that does not know the probe is not told that it may forget it: its next message is `initialize`.
    carry: overHttp || !dialects.some(isHandshake) ? undefined : { resumable: true },
  });
}

/** Was a request refused in a way that may come from the revision? Whether it ran is another question. */
export function isRefusal(error: unknown): boolean {
  if (error instanceof TransportError) {
    const status = isJsonObject(error.data) ? error.data.status : undefined;
    return error.reason === "not_mcp" && !(typeof status === "number" && isNeutralStatus(status));
  }
  return error instanceof ProtocolError && !isNeutralStatus(httpStatusOf(error)) &&
    (REFUSALS.has(error.code) || (error.code <= -32000 && error.code > -32020));
}

/** Codes with which a server of another revision may answer; so may those that older revisions left to implementations. */
const REFUSALS: ReadonlySet<number> = new Set([
  ERROR_CODES.unsupported_version,
  ERROR_CODES.header_mismatch,
  ERROR_CODES.parse_error,
  ERROR_CODES.invalid_request,
  ERROR_CODES.method_not_found,
  ERROR_CODES.invalid_params,
]);

function isHandshake(dialect: Dialect): boolean {
  return dialect.handshake !== undefined;
}
