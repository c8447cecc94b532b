/** Installs the programs that the package is checked with, each version beside the others. */

import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import process from "node:process";
import { ROOT, runCommand } from "../command.ts";

/** The versions of Node that the package is held to, as `dist/tools/` names them. */
export const NODES = ["node20", "node22", "node24"] as const;

/** One of the versions of Node. */
export type NodeName = typeof NODES[number];

/** The compilers that the declarations are held to, with the types of Node that each is given. */
export const COMPILERS = [
  { name: "typescript5", types: "types20" },
  { name: "typescript6", types: "types22" },
  { name: "typescript7", types: "types24" },
] as const;

const PLATFORM = `${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;

const NODE_PACKAGES: Readonly<Record<string, string>> = {
  node20: `npm:node-${PLATFORM}@20.20.2`,
  node22: `npm:node-${PLATFORM}@22.23.5`,
  node24: `npm:node-${PLATFORM}@24.22.3`,
};

/** Sets of programs: name of the folder below `dist/tools/` → what is installed there. */
const SETS = {
  nodes: NODE_PACKAGES,
  checks: {
    typescript5: "npm:typescript@5.9.3",
    typescript6: "npm:typescript@6.0.3",
    typescript7: "npm:typescript@7.0.2",
    publint: "0.3.25",
    "@arethetypeswrong/cli": "0.18.5",
  },
  types20: { "@types/node": "20.19.43" },
  types22: { "@types/node": "22.20.7" },
  types24: { "@types/node": "24.19.4" },
  frameworks: { express: "5.3.0", fastify: "5.12.8", hono: "4.13.19" },
  bun: { bun: "1.4.5" },
  workerd: { workerd: "1.20261117.1" },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The name of a set of programs. */
export type ToolSet = keyof typeof SETS;

/** Installs a set unless it is there; gives its `node_modules`. */
export async function installTools(set: ToolSet): Promise<string> {
  const folder = `${ROOT}/dist/tools/${set}`;
  const manifest = `${JSON.stringify({ private: true, dependencies: SETS[set] }, null, 2)}\n`;
  const done = await readFile(`${folder}/installed.json`, "utf8").catch(() => "");
  if (done === manifest) return `${folder}/node_modules`;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(`${folder}/package.json`, manifest);
  const { code, output } = await runCommand([...NPM, "install", "--silent", "--no-audit", "--no-fund", "--no-package-lock"], {
    cwd: folder,
  });
  if (code !== 0) throw new Error(`Cannot install the tools "${set}": ${output}`);
  await writeFile(`${folder}/installed.json`, manifest);
  return `${folder}/node_modules`;
}

/** The program of npm. */
export const NPM: readonly string[] = [process.platform === "win32" ? "npm.cmd" : "npm"];

/** The program of a version of Node. */
export async function nodeProgram(name: NodeName): Promise<string> {
  const bin = `${await installTools("nodes")}/${name}/bin`;
  return process.platform === "win32" ? `${bin}/node.exe` : `${bin}/node`;
}
