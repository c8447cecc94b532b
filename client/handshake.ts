/** The handshake: `initialize`, the server's choice of a revision, `notifications/initialized`. */
import type { Dialect, Welcome } from "../protocol/dialect.ts";
import { ProtocolError, TransportError } from "../protocol/errors.ts";
import { isJsonObject, ownMember } from "../protocol/json.ts";
import { shown } from "../protocol/shown.ts";
import type { JsonObject } from "../protocol/types.ts";
import type { ConnectionSettings } from "./connection_settings.ts";
import { incompatible } from "./incompatible.ts";
import type { Wire } from "./wire.ts";

/** What a handshake needs. */
export interface HandshakeOptions {
  /** Where it takes place. */
  readonly wire: Wire;
  /** Who says hello, and in which dialects it may. */
  readonly settings: ConnectionSettings;
  /** The dialects to propose, newest first, never empty; the next ones only when the server refuses one and names it. */
  readonly proposed: readonly Dialect[];
  /** Told in which dialect is spoken from now on. */
  readonly onDialect: (dialect: Dialect) => void;
  /** Aborts it. */
  readonly signal: AbortSignal | undefined;
}

/** What was agreed on. */
export interface Handshaken {
  /** The dialect. */
  readonly dialect: Dialect;
  /** How the server described itself. */
  readonly welcome: Welcome;
}

/**
 * Shakes hands (MCP 2025-11-25, Lifecycle § Initialization). The server may answer with another version; this client goes
 * on in it when it may.
 *
 * @throws {ProtocolError} -32022 with `{ supported, requested }` when no version is common; what the server answers otherwise.
 * @throws {TransportError} When the answer is none, and when it does not come within `requestTimeout`.
 */
export async function shakeHands(options: HandshakeOptions): Promise<Handshaken> {
  const { wire, settings, proposed, onDialect } = options;
  const refused = new Set<Dialect>();
  let requested = proposed[0] as Dialect;
  let result: JsonObject;
  for (;;) {
    await requested.load?.();
    onDialect(requested);
    try {
      result = await initialize(options, requested);
      break;
    } catch (cause) {
      const supported = supportedBy(cause);
      if (supported === undefined) throw cause;
      refused.add(requested);
      const next = proposed.find((dialect) => supported.includes(dialect.version) && !refused.has(dialect));
      const seen = "it refused the handshake";
      if (next === undefined) throw incompatible({ requested, allowed: settings.dialects, supported, seen, cause });
      requested = next;
    }
  }
  const read = requested.handshake?.readWelcome(result);
  if (read === undefined || !read.ok) {
    throw new TransportError("not_mcp", `Reading the answer to initialize: ${read?.error.message ?? "there is no handshake"}`);
  }
  const welcome = read.value;
  const dialect = settings.dialects.find(({ version, handshake }) => version === welcome.version && handshake !== undefined);
  if (dialect === undefined) {
    const seen = `it answered to ${requested.version} with ${shown(welcome.version)}`;
    throw incompatible({ requested, allowed: settings.dialects, supported: [welcome.version], seen });
  }
  await dialect.load?.();
  onDialect(dialect);
  wire.transport.agreed?.(dialect.sessionHeaders);
  const method = "notifications/initialized";
  const headers = dialect.notificationHeaders(method);
  await wire.send({ jsonrpc: "2.0", method }, { headers, timeout: settings.limits.requestTimeout, signal: options.signal });
  return { dialect, welcome };
}

function initialize({ wire, settings, signal }: HandshakeOptions, dialect: Dialect): Promise<JsonObject> {
  const { info, capabilities, limits } = settings;
  const { handshake } = dialect;
  if (handshake === undefined) throw new TypeError(`connect: Revision ${dialect.version} has no handshake`);
  const hello = handshake.writeHello(wire.nextId(), {
    clientInfo: info,
    clientCapabilities: capabilities,
    extensions: settings.extensions?.inHandshake,
  });
  const timeout = limits.requestTimeout;
  return wire.exchange(hello, {
    signal,
    timeout,
    deadline: performance.now() + timeout,
    total: timeout,
    limitNames: ["requestTimeout", "requestTimeout"],
    carry: { opensSession: true },
  });
}

/** The versions that a refusal lists (MCP 2025-11-25, Lifecycle § Error Handling). */
function supportedBy(error: unknown): readonly string[] | undefined {
  if (!(error instanceof ProtocolError) || !isJsonObject(error.data)) return undefined;
  const supported = ownMember(error.data, "supported");
  return Array.isArray(supported) && supported.every((version) => typeof version === "string") ? supported : undefined;
}
