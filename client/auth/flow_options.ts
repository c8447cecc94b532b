/** What every flow takes. */
import { checkObject, checkOptionNames } from "../../protocol/unknown_option.ts";
import type { HostLookup } from "./host_lookup.ts";
import type { TokenStore } from "./token_store.ts";

/** Options of all flows. */
export interface FlowOptions {
  /** Where tokens and registrations are kept; in memory by default. One store belongs to one person or one machine. */
  readonly store?: TokenStore | undefined;
  /** Sends the requests to authorization servers; the runtime's `fetch` by default. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Binds tokens to a key (RFC 9449). An authorization server that gives unbound tokens all the same is refused. Off by default. */
  readonly dpop?: boolean | undefined;
  /** For development only: allows http on loopback hosts, where any local program may listen. Off by default. */
  readonly allowInsecureLoopback?: boolean | undefined;
  /**
   * Lets a public server name authorization servers in a private network, as an intranet has them whose names lead to private
   * addresses. Off by default: such a server could make this client ask whatever is behind your firewall.
   */
  readonly allowPrivateNetwork?: boolean | undefined;
  /**
   * Looks up where a host's name leads; see {@linkcode HostLookup}. The system's resolver by default, where the runtime has one
   * (Deno, Node, Bun; not browsers and workers) and the program may ask it. With a `fetch` of your own nothing is looked up unless
   * you say how, since that may go through a proxy which resolves names itself.
   */
  readonly lookup?: HostLookup | undefined;
  /**
   * Accepts metadata whose issuer has one slash more or less at its end than the identifier that led to it. Off by default,
   * since MCP 2026-07-28 (Authorization Server Metadata Discovery) wants identical texts.
   */
  readonly allowIssuerTrailingSlash?: boolean | undefined;
}

/**
 * Refuses options of a flow that nobody reads.
 *
 * @param own The names that the flow itself adds to those of all flows.
 * @throws {TypeError} For what is not an object, and naming the option.
 */
export function checkFlowOptions(options: FlowOptions, path: string, own: readonly string[]): void {
  checkObject(options, path);
  checkOptionNames(options, new Set([...FLOW_OPTIONS, ...own]), `${path}.`);
}

const FLOW_OPTIONS: readonly (keyof FlowOptions)[] = [
  "store",
  "fetch",
  "dpop",
  "allowInsecureLoopback",
  "allowPrivateNetwork",
  "lookup",
  "allowIssuerTrailingSlash",
];
