/**
 * What core holds for extensions, place by place, so that its weight can be told: the program with it, and without. What dialects
 * read and write of extensions is the protocol's own, and not among it.
 */
import { ROOT } from "../scripts/command.ts";

/** One place: the file, what stands there for extensions, and what would stand there without. */
type Hook = readonly [path: string, text: string, without: string];

const SERVER: readonly Hook[] = [
  ["server/options/check_options.ts", '  "extensions",\n', ""],
  [
    "server/options/check_options.ts",
    `  const { extensions } = options;
  checkList(extensions, "extensions");
  // The first of them serves them all.
  const serve = (extensions?.[0] as Partial<Served> | null | undefined)?.[SERVING];
  if (serve === undefined && extensions?.length) {
    throw new TypeError("extensions[0]: Expected what serve() of an extension returns");
  }
`,
    "",
  ],
  ["server/options/check_options.ts", "{ ...options, extensions: serve?.(extensions as readonly ServerExtension[]) }", "options"],
  [
    "server/server.ts",
    "  const extended = (own: CatalogueIndex): CatalogueIndex => options.extensions?.catalogue(own, createCatalogue) ?? own;\n",
    "",
  ],
  ["server/server.ts", "extended(first)", "first"],
  ["server/server.ts", "extended(next)", "next"],
  ["server/discover.ts", "    ...catalogue.declared,\n", ""],
  ["server/handshake_answers.ts", "      extensions: options.extensions?.inHandshake,\n", ""],
  [
    "server/methods.ts",
    "    ...core.options.extensions?.methods(core, contextOf, readSchema, argumentChecker, jsonFault) ?? [],\n",
    "",
  ],
  ["server/methods.ts", "isIn?.(dialect) ?? ", ""],
  ["server/changes/listen_method.ts", " && !options.extensions?.listens", ""],
  ["server/mount.ts", "  added.options.extensions?.checkKept(name, own.options);\n", ""],
  [
    "server/tools.ts",
    `    if (entry.parts.options.task !== undefined) {
      throw new TypeError(
        \`tools.\${name}.task: Expected tasks() of @causeway/mcp/server/tasks among the extensions of the server\`,
      );
    }
`,
    "",
  ],
  [
    "server/tools.ts",
    "(again, inner, other) => run(inner, other, args, again), tool)",
    "(again) => run(exchange, tool, args, again))",
  ],
  ["server/input/in_rounds.ts", "asked, again, tool)", "asked, again)"],
  ["server/input/in_rounds.ts", "  tool?: T,\n", ""],
  ["server/components/tool.ts", '  "task",\n', ""],
  [
    "server/components/tool.ts",
    `  if (options.task !== undefined && options.task !== "optional" && options.task !== "required") {
    throw new TypeError(\`\${path}.task: Expected "optional" or "required"\`);
  }
`,
    "",
  ],
];

const CLIENT: readonly Hook[] = [
  ["client/connect.ts", '  "extensions",\n', ""],
  [
    "client/connect.ts",
    `  if (options.extensions !== undefined) {
    settings = (await untilAborted(LATER_PARTS.load(), options.signal)).withExtensions(settings, options.extensions, runRounds);
  }
`,
    "",
  ],
  ["client/connect.ts", "  settings.extensions?.attach(client, connection, inputs);\n", ""],
  ["client/handshake.ts", "    extensions: settings.extensions?.inHandshake,\n", ""],
  ["client/revision.ts", "    this.#settings.extensions?.agree(opened);\n", ""],
  ["client/revision.ts", "      header: this.#settings.extensions?.header(method),\n", ""],
  // Once to read a result, and once to see whether it is one.
  ["client/revision.ts", "this.#settings.extensions?.types(method) ?? NO_TYPES", "NO_TYPES"],
  ["client/revision.ts", "this.#settings.extensions?.types(method) ?? NO_TYPES", "NO_TYPES"],
  ["client/revision.ts", " || !DIALECTS.some(has)", ""],
];

/** Programs that use the least of each end. */
const PROGRAMS = {
  server: `import { defineServer, tool } from "./server/mod.ts";
export default defineServer({ name: "x", version: "1.0.0", tools: [tool({ name: "t", handler: () => "t" })] });
`,
  client: `import { connect } from "./client/mod.ts";
const client = await connect("https://example.com/mcp");
console.log(await client.callTool("t"));
`,
} as const;

/**
 * Makes a folder with the sources of the package and a program of each end, and calls a function with it.
 *
 * @param run Gets the folder; the programs are `server.ts` and `client.ts` in it.
 */
export async function inCopy<T>(run: (folder: string) => Promise<T>): Promise<T> {
  const folder = await Deno.makeTempDir({ prefix: "causeway-hooks-" });
  try {
    for (const part of ["client", "server", "protocol", "transports"]) await copy(`${ROOT}/${part}`, `${folder}/${part}`);
    for (const name of ["deno.json", "deno.lock"]) await Deno.copyFile(`${ROOT}/${name}`, `${folder}/${name}`);
    for (const [name, text] of Object.entries(PROGRAMS)) await Deno.writeTextFile(`${folder}/${name}.ts`, text);
    return await run(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/**
 * Takes what core holds for extensions out of a copy.
 *
 * @throws {Error} Naming the file and the text, where a hook does not stand as it is noted here.
 */
export async function takeHooksOut(folder: string): Promise<void> {
  for (const [path, text, without] of [...SERVER, ...CLIENT]) {
    const source = await Deno.readTextFile(`${folder}/${path}`);
    if (!source.includes(text)) {
      throw new Error(`Taking the hooks of extensions out: ${path} does not hold ${JSON.stringify(text)}`);
    }
    await Deno.writeTextFile(`${folder}/${path}`, source.replace(text, () => without));
  }
}

async function copy(from: string, to: string): Promise<void> {
  await Deno.mkdir(to);
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    await (isDirectory ? copy(`${from}/${name}`, `${to}/${name}`) : Deno.copyFile(`${from}/${name}`, `${to}/${name}`));
  }
}
