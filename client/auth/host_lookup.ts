/** Where a host's name leads, as the system's resolver says. */
import type { Awaitable } from "../../protocol/types.ts";

/**
 * Looks up the addresses of a host's name. They decide whether a request of authorization is sent: none goes to a name that leads
 * to a private, loopback or link-local address when the MCP server is a public one. What it throws says nothing, and the request
 * is sent.
 *
 * The look-up is not the connection's own: whoever answers for the name may answer otherwise a moment later (DNS rebinding), and
 * no runtime's `fetch` lets a program choose the address. It stops names that lead inside, and makes the rest a race; a network
 * that must not be reached has to be closed to the process, by a firewall or a proxy.
 */
export type HostLookup = (hostname: string) => Awaitable<readonly string[]>;

/**
 * Asks the system's resolver, as `fetch` does. It never prompts for a permission.
 *
 * @throws {Error} When there is none, when the program may not ask it, and when it knows no answer.
 */
export function lookupHost(hostname: string): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const { Deno, process } = globalThis as unknown as Platform;
    const permission = Deno?.permissions?.querySync?.({ name: "net", host: hostname });
    if (permission !== undefined && permission.state !== "granted") return reject(new Error("Looking up a name: not permitted"));
    const dns = process?.getBuiltinModule?.("node:dns");
    if (dns === undefined) return reject(new Error("Looking up a name: the platform has no resolver"));
    dns.lookup(hostname, { all: true }, (error, addresses) => {
      if (error === null || error === undefined) resolve(addresses.map(({ address }) => address));
      else reject(error);
    });
  });
}

// The parts of the platforms that are used, described here so that no declaration needs their types.

interface Platform {
  readonly Deno?: {
    readonly permissions?: {
      querySync?(wanted: { readonly name: "net"; readonly host: string }): { readonly state: string };
    };
  };
  readonly process?: { getBuiltinModule?(name: "node:dns"): NodeDns | undefined };
}

interface NodeDns {
  lookup(
    hostname: string,
    options: { readonly all: true },
    done: (error: Error | null | undefined, addresses: readonly { readonly address: string }[]) => void,
  ): void;
}
