/** The house rules of the sources as data: who may import what, and who may name which global. */

/** One row: the first one whose `in` matches a file decides. `folder/` is everything below, `folder/*` the files directly in it. */
export interface ImportRule {
  /** The file, or the folder with a slash at its end. */
  readonly in: string;
  /** What of ours it may import. */
  readonly ours: readonly string[];
  /** Which packages it may import, sub-paths included; `*` is any. */
  readonly packages?: readonly string[];
}

/** The rooms of the client that its other parts may enter; `auth/`, `cache/` and `extensions/` have doors of their own. */
const CLIENT_ROOMS = [
  "client/*",
  "client/changes/",
  "client/input/",
  "client/secrets/",
  "client/tools/",
  "client/waits/",
] as const;

/** The rooms of the server that its other parts may enter; `auth/`, `extensions/` and `stores/` have doors of their own. */
const SERVER_ROOMS = [
  "server/*",
  "server/access/",
  "server/changes/",
  "server/components/",
  "server/http/",
  "server/input/",
  "server/json/",
  "server/lists/",
  "server/middleware/",
  "server/options/",
  "server/requests/",
  "server/results/",
] as const;

/** Who may import what. */
export const IMPORT_RULES: readonly ImportRule[] = [
  {
    in: "protocol/framing/sse_reader.ts",
    ours: ["protocol/framing/sse.ts", "protocol/utf8_reader.ts"],
    packages: ["eventsource-parser"],
  },
  { in: "protocol/framing/", ours: [] },
  { in: "protocol/auth/", ours: ["protocol/json.ts", "protocol/auth/"] },
  { in: "protocol/validators/ajv.ts", ours: ["protocol/"], packages: ["ajv"] },
  { in: "protocol/validators/interpreter.ts", ours: ["protocol/"], packages: ["@cfworker/json-schema"] },
  { in: "protocol/extensions/skill_frontmatter.ts", ours: ["protocol/"], packages: ["yaml"] },
  { in: "protocol/", ours: ["protocol/"] },
  { in: "transports/node_http.ts", ours: ["protocol/", "transports/"], packages: ["srvx"] },
  { in: "transports/", ours: ["protocol/", "transports/"] },
  {
    in: "client/auth/",
    ours: [
      "protocol/auth/",
      "protocol/errors.ts",
      "protocol/hex.ts",
      "protocol/json.ts",
      "protocol/limits.ts",
      "protocol/shown.ts",
      "protocol/types.ts",
      "protocol/unknown_option.ts",
      "protocol/utf8_reader.ts",
      "client/auth/",
      "client/authorized_fetch.ts",
      "client/secrets/plain_text.ts",
      "client/secrets/secret_cleaner.ts",
      "client/secrets/secret_forms.ts",
      "client/waits/until_aborted.ts",
    ],
    packages: ["oauth4webapi"],
  },
  { in: "client/extensions/", ours: ["protocol/", ...CLIENT_ROOMS, "client/extensions/"] },
  { in: "client/secrets/", ours: ["protocol/", "client/secrets/"] },
  { in: "client/waits/", ours: ["protocol/", "client/waits/"] },
  { in: "client/connect.ts", ours: ["client/", "transports/", "protocol/"] },
  { in: "client/cache/", ours: ["protocol/", ...CLIENT_ROOMS, "client/cache/"] },
  // A connection asks the cache through its contract; only `connect` puts one together.
  { in: "client/", ours: ["protocol/", "transports/transport.ts", ...CLIENT_ROOMS, "client/cache/cache_types.ts"] },
  {
    in: "server/auth/",
    ours: [
      "protocol/auth/",
      "protocol/hex.ts",
      "protocol/json.ts",
      "protocol/limits.ts",
      "protocol/rarely.ts",
      "protocol/shown.ts",
      "protocol/unknown_option.ts",
      "protocol/utf8_reader.ts",
      "server/auth/",
    ],
    packages: ["jose"],
  },
  {
    in: "server/stores/",
    ours: [
      "server/stores/",
      "protocol/json.ts",
      "protocol/limits.ts",
      "protocol/unknown_option.ts",
      "transports/streamable_http_session.ts",
      "transports/ends_within.ts",
      "protocol/extensions/tasks.ts",
    ],
  },
  { in: "server/extensions/", ours: ["protocol/", ...SERVER_ROOMS, "server/stores/", "server/extensions/"] },
  { in: "server/json/", ours: ["protocol/", "server/json/"] },
  {
    in: "server/components/",
    ours: ["protocol/", "transports/transport.ts", "server/json/", "server/components/", "server/middleware/middleware_types.ts"],
  },
  { in: "server/results/", ours: ["protocol/", "server/json/", "server/components/", "server/results/"] },
  {
    in: "server/",
    ours: [
      "protocol/",
      "transports/",
      ...SERVER_ROOMS,
      "server/stores/store.ts",
      "server/stores/event_bus.ts",
      "server/stores/memory.ts",
      "server/stores/memory_bus.ts",
      "server/stores/sessions.ts",
      "server/stores/events.ts",
    ],
  },
  { in: "testing.ts", ours: ["testing/", "client/", "server/", "transports/", "protocol/"] },
  { in: "testing/", ours: ["testing/", "client/", "server/", "transports/", "protocol/"] },
  { in: "mod.ts", ours: ["client/mod.ts", "server/mod.ts", "protocol/mod.ts"] },
  { in: "examples/", ours: ["examples/"], packages: ["*"] },
  { in: "tests/", ours: ["*"], packages: ["*"] },
  { in: "scripts/", ours: ["*"], packages: ["*"] },
];

/** The folders and files that make up the package. */
export const SOURCES: readonly string[] = ["protocol/", "transports/", "client/", "server/", "mod.ts", "testing.ts", "testing/"];

/** The only files that may name `Deno` or ask for a built-in module, and that through `process.getBuiltinModule`. */
export const RUNTIME_FILES: readonly string[] = [
  "transports/process.ts",
  "transports/node_http.ts",
  "client/auth/loopback.ts",
  "client/auth/file_store.ts",
  "client/auth/host_lookup.ts",
  "server/extensions/skills_directory.ts",
];

/** The only files that may name `console`: they keep it away from standard output while that carries messages. */
export const CONSOLE_FILES: readonly string[] = ["transports/stdio_server.ts", "server/stdio.ts"];

/** What the pure folder `protocol/` never names. */
export const IMPURE_GLOBALS: readonly string[] = [
  "fetch",
  "crypto",
  "Date",
  "performance",
  "setTimeout",
  "setInterval",
  "setImmediate",
  "clearTimeout",
  "clearInterval",
];

/** The only file of `protocol/` with classes: errors have to be thrown and told apart. */
export const CLASS_FILES: readonly string[] = ["protocol/errors.ts"];

/** Where a revision may be named and compared. */
export const DIALECTS = "protocol/dialects/";

/** The only file that may name a date that looks like a revision and is not one: the version of the bridge of Apps. */
export const BRIDGE_VERSION_FILE = "protocol/extensions/bridge/bridge_version.ts";

/** A longer file or function needs a reason that its reader would accept. */
export const SIZES = { file: 300, function: 60 } as const;

/** Whether `path` lies in `pattern`: `*`, a file, `folder/` (everything below) or `folder/*` (files directly in it). */
export function matches(path: string, pattern: string): boolean {
  if (pattern === "*") return true;
  if (pattern.endsWith("/*")) return path.startsWith(pattern.slice(0, -1)) && !path.slice(pattern.length - 1).includes("/");
  return pattern.endsWith("/") ? path.startsWith(pattern) : path === pattern;
}
