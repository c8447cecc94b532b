/** Checks the extensions of one server against the protocol and each other. */
import { DIALECTS } from "../dialects/mod.ts";
import { SERVING } from "./extension_serving.ts";
import type { Served } from "./extension_serving.ts";
import type { ServerExtension } from "./extension_types.ts";

/**
 * Checks extensions against the protocol and each other.
 *
 * @throws {TypeError} For what `serve` did not return, an extension that is given twice, and a method or a key of filters that
 * is taken.
 */
export function checkExtensions(extensions: readonly ServerExtension[]): void {
  const taken = new Map<string, string>();
  const take = (kind: string, name: string, owner: string, path: string): void => {
    const before = taken.get(`${kind} ${name}`);
    if (before !== undefined) throw new TypeError(`${path}: The ${kind} ${JSON.stringify(name)} is taken by ${before} already`);
    taken.set(`${kind} ${name}`, owner);
  };
  extensions.forEach((extension, at) => {
    const path = `extensions[${at}]`;
    if ((extension as Partial<Served> | null | undefined)?.[SERVING] === undefined) {
      throw new TypeError(`${path}: Expected what serve() of an extension returns`);
    }
    const { id, methods, listen } = extension;
    take("identifier", id, path, path);
    for (const name of Object.keys(methods)) {
      if (DIALECTS.some((dialect) => dialect.hasRequest(name, "client"))) {
        throw new TypeError(`${path}: The method ${JSON.stringify(name)} is the protocol's own`);
      }
      take("method", name, id, path);
    }
    for (const key of Object.keys(listen)) take("key", key, id, path);
  });
}
