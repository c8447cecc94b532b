/** Completes the `package.json` that `deno pack` writes. */

/** What `deno pack` puts at an export. */
export interface PackedExport {
  readonly types?: string;
  readonly import?: string;
  readonly default?: string;
}

/** What `deno pack` writes. */
export interface PackedManifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly exports: Readonly<Record<string, PackedExport>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly [key: string]: unknown;
}

const ADDED = {
  description: "Clients and servers for the Model Context Protocol, for Node, Deno, Bun, Workers and browsers",
  keywords: ["mcp", "model-context-protocol", "model context protocol", "sdk", "client", "server", "ai", "llm", "agent", "tools"],
  license: "MIT",
  type: "module",
  sideEffects: false,
  /** The first Node 20 with `process.getBuiltinModule`. */
  engines: { node: ">=20.16.0" },
} as const;

/**
 * The manifest as it is published: what `deno pack` leaves out, in the order in which people read it.
 *
 * @param packed What `deno pack` wrote.
 * @param repository The address of the repository; left out where nobody says it.
 * @throws {Error} When an export has no types, so that nothing without them is published.
 */
export function completeManifest(packed: PackedManifest, repository?: string): Record<string, unknown> {
  const exports: Record<string, unknown> = {};
  for (const [door, target] of Object.entries(packed.exports)) {
    if (target.types === undefined || target.default === undefined) {
      throw new Error(`The export "${door}" has no types: deno publish --dry-run names what they need`);
    }
    exports[door] = { types: target.types, default: target.default };
  }
  exports["./package.json"] = "./package.json";
  const { name, version, main, types, dependencies } = packed;
  return { name, version, ...ADDED, ...placesOf(repository), main, types, exports, dependencies: sorted(dependencies) };
}

function placesOf(repository: string | undefined): Record<string, unknown> {
  if (repository === undefined) return {};
  return {
    homepage: `${repository}#readme`,
    bugs: { url: `${repository}/issues` },
    repository: { type: "git", url: `git+${repository}.git` },
  };
}

function sorted(record: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => a < b ? -1 : 1));
}
