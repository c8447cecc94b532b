/**
 * A server about npm packages: `deno serve examples/packages.ts`.
 *
 * It needs no permission. With `--allow-read --allow-env` it also knows the packages in Deno's cache.
 */
import { ask, defineServer, inputRequired, prompt, ProtocolError, resource, tool, ToolError } from "@causeway/mcp/server";
import * as z from "zod"; // any Standard Schema library will do, or plain JSON Schema, or the shorthand used below
import { catalogue, type Package } from "./catalogue.ts";

const PAGE = 5;
const PINS = "npm://pins";

/** Versions that somebody has decided on, for as long as this process lives. */
const pins = new Map<string, string>();

const search = tool({
  name: "search",
  description: "Search packages by a part of their name or description",
  annotations: { readOnlyHint: true },
  input: z.object({ query: z.string().min(1), page: z.number().int().min(1).default(1) }),
  async handler({ query, page }) {
    const hits = [...(await catalogue()).values()]
      .filter(({ name, description }) => `${name} ${description}`.toLowerCase().includes(query.toLowerCase()))
      .sort((a, b) => a.name < b.name ? -1 : 1);
    const packages = hits.slice((page - 1) * PAGE, page * PAGE).map(({ name, version }) => ({ name, version }));
    return { total: hits.length, page, packages };
  },
});

const compare = tool({
  name: "compare",
  description: "Compare packages: version, license and number of dependencies, direct and in all",
  annotations: { readOnlyHint: true },
  args: { names: { type: "array", items: { type: "string" }, minItems: 2, maxItems: 10, required: true } },
  output: z.object({
    packages: z.array(
      z.object({ name: z.string(), version: z.string(), license: z.string(), direct: z.number(), all: z.number() }),
    ),
    smallest: z.string(),
  }),
  async handler({ names }, ctx) {
    const packages = [];
    for (const [index, name] of names.entries()) {
      const { version, license, dependencies } = await find(name);
      packages.push({ name, version, license, direct: Object.keys(dependencies).length, all: (await closure(name)).known.size });
      await ctx.progress(index + 1, names.length, `read ${name}`);
    }
    const smallest = packages.reduce((least, one) => one.all < least.all ? one : least);
    return { packages, smallest: smallest.name };
  },
});

const dependencies = tool({
  name: "dependencies",
  description: "List everything that a package depends on, directly or not",
  annotations: { readOnlyHint: true },
  args: { name: { type: "string", required: true } },
  async handler({ name }, ctx) {
    await find(name);
    const { known, unknown } = await closure(name);
    if (unknown.size > 0) await ctx.log("warning", `${unknown.size} dependencies are not in the catalogue`);
    return { name, dependencies: [...known].sort(), missing: [...unknown].sort() };
  },
});

const pin = tool({
  name: "pin",
  description: "Pin a package to the version in the catalogue, after a person has agreed",
  args: { name: { type: "string", required: true } },
  async handler({ name }, ctx) {
    const { version } = await find(name);
    const questions = { confirm: ask.form(`Pin ${name} to ${version}?`, { agreed: { type: "boolean", required: true } }) };
    const { confirm } = ctx.answers(questions);
    // Without an answer this call ends here; the client asks its user and calls again with the answer.
    if (confirm === undefined) return inputRequired(questions);
    if (confirm.action !== "accept" || !confirm.content.agreed) return `${name} was left alone.`;
    pins.set(name, version);
    await ctx.notify.resourceUpdated(PINS);
    return `${name} is pinned to ${version}.`;
  },
});

const info = resource({
  uri: "npm://{name}/info", // a template of RFC 6570, or an exact URI as below
  name: "package_info",
  description: "What the catalogue knows about one package",
  mimeType: "application/json",
  complete: { name: names },
  async read({ name }, ctx) {
    const found = (await catalogue()).get(name);
    if (found === undefined) throw ProtocolError.resourceNotFound(ctx.uri);
    return found;
  },
});

const pinned = resource({
  uri: PINS,
  name: "pins",
  description: "The pinned versions; announces its changes",
  mimeType: "application/json",
  read: () => Object.fromEntries(pins),
});

const review = prompt({
  name: "review",
  description: "Ask for the review of a package",
  arguments: {
    name: { description: "Name of the package", required: true },
    focus: { description: "quality, security, size, …" },
  },
  complete: { name: names, focus: (prefix) => ["quality", "security", "size"].filter((focus) => focus.startsWith(prefix)) },
  async render({ name, focus = "quality" }) {
    const found = (await catalogue()).get(name);
    if (found === undefined) throw ProtocolError.invalidParams("There is no package of that name in the catalogue");
    const { version, license } = found;
    return `Review the npm package ${name} ${version} (${license}), with an eye on ${focus}.`;
  },
});

export default defineServer({
  name: "packages",
  version: "1.0.0",
  instructions: "Facts about npm packages. Search first; names are exact everywhere else.",
  tools: [search, compare, dependencies, pin],
  resources: [info, pinned],
  prompts: [review],
});

/** The package of that name, or an error that the model may read. */
async function find(name: string): Promise<Package> {
  const found = (await catalogue()).get(name);
  if (found === undefined) throw new ToolError("There is no package of that name in the catalogue: search for it first");
  return found;
}

/** What a package depends on, directly or not: names in the catalogue, and names that are not. */
async function closure(name: string): Promise<{ readonly known: Set<string>; readonly unknown: Set<string> }> {
  const packages = await catalogue();
  const known = new Set<string>();
  const unknown = new Set<string>();
  const open = [name];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const dependency of Object.keys(packages.get(next)?.dependencies ?? {})) {
      if (known.has(dependency) || unknown.has(dependency)) continue;
      if (!packages.has(dependency)) unknown.add(dependency);
      else {
        known.add(dependency);
        open.push(dependency);
      }
    }
  }
  return { known, unknown };
}

/** Names that begin as given. */
async function names(prefix: string): Promise<string[]> {
  return [...(await catalogue()).keys()].filter((name) => name.startsWith(prefix)).sort();
}
