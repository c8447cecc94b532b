/** Facts about npm packages: those in Deno's cache where reading it is allowed, and a few bundled ones always. */

/** What the catalogue knows about a package. */
export interface Package {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly description: string;
  /** Version ranges by name. */
  readonly dependencies: Readonly<Record<string, string>>;
}

const BUNDLED: readonly Package[] = [
  entry("ajv", "8.20.0", "JSON Schema validator that compiles schemas to functions", {
    "fast-deep-equal": "^3.1.3",
    "fast-uri": "^3.0.1",
    "json-schema-traverse": "^1.0.0",
    "require-from-string": "^2.0.2",
  }),
  entry("fast-deep-equal", "3.1.3", "Deep equality of values, quickly"),
  entry("fast-uri", "3.1.9", "Parses and resolves URIs", {}, "BSD-3-Clause"),
  entry("json-schema-traverse", "1.0.0", "Walks over a JSON Schema"),
  entry("require-from-string", "2.0.2", "Loads a CommonJS module from its text"),
  entry("@cfworker/json-schema", "4.1.6", "JSON Schema validator that interprets, for places without eval"),
  entry("eventsource-parser", "3.1.1", "Parser of server-sent events"),
  entry("zod", "4.6.7", "Schemas with inferred types"),
];

let loaded: Promise<ReadonlyMap<string, Package>> | undefined;

/** All packages by name. Read once, when first asked for. */
export function catalogue(): Promise<ReadonlyMap<string, Package>> {
  return loaded ??= load();
}

function entry(name: string, version: string, description: string, dependencies = {}, license = "MIT"): Package {
  return { name, version, license, description, dependencies };
}

async function load(): Promise<ReadonlyMap<string, Package>> {
  const packages = new Map(BUNDLED.map((found) => [found.name, found]));
  const root = cacheFolder();
  if (root === undefined || !allowed({ name: "read", path: root })) return packages;
  for await (const folder of subfolders(root)) {
    const folders = folder.startsWith("@") ? subfolders(`${root}/${folder}`, `${folder}/`) : [folder];
    for await (const name of folders) {
      const found = await newest(name, `${root}/${name}`);
      if (found !== undefined) packages.set(name, found);
    }
  }
  return packages;
}

/** Where Deno keeps what it got from the npm registry; undefined when the environment may not be looked at. */
function cacheFolder(): string | undefined {
  const folder = variable("DENO_DIR") ?? from("XDG_CACHE_HOME", "deno") ?? from("LOCALAPPDATA", "deno") ??
    from("HOME", Deno.build.os === "darwin" ? "Library/Caches/deno" : ".cache/deno");
  return folder === undefined ? undefined : `${folder}/npm/registry.npmjs.org`;
}

function from(name: string, rest: string): string | undefined {
  const folder = variable(name);
  return folder === undefined ? undefined : `${folder}/${rest}`;
}

function variable(name: string): string | undefined {
  return allowed({ name: "env", variable: name }) ? Deno.env.get(name) : undefined;
}

/** Looks at a permission without asking for it. */
function allowed(permission: Deno.PermissionDescriptor): boolean {
  return Deno.permissions.querySync(permission).state === "granted";
}

async function* subfolders(path: string, prefix = ""): AsyncGenerator<string> {
  try {
    for await (const { isDirectory, name } of Deno.readDir(path)) {
      if (isDirectory) yield prefix + name;
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

/** The newest release of a package that is in the cache. */
async function newest(name: string, path: string): Promise<Package | undefined> {
  const versions: string[] = [];
  for await (const version of subfolders(path)) {
    if (/^\d+\.\d+\.\d+$/.test(version)) versions.push(version);
  }
  const version = versions.sort((a, b) => a.localeCompare(b, "en", { numeric: true })).at(-1);
  if (version === undefined) return undefined;
  try {
    const manifest = JSON.parse(await Deno.readTextFile(`${path}/${version}/package.json`));
    return {
      name,
      version,
      license: text(manifest.license) ?? "unknown",
      description: text(manifest.description) ?? "",
      dependencies: manifest.dependencies ?? {},
    };
  } catch {
    return undefined; // a folder that is being written, or no package at all
  }
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
