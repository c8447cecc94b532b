/** The fixtures of the conformance suite on the built npm package, under Node 24. */

import { cp } from "node:fs/promises";
import { buildNpm } from "../build_npm.ts";
import { ROOT } from "../command.ts";
import { createConsumer } from "../npm/consumer.ts";
import { nodeProgram } from "../npm/tools.ts";

/** A directory with the package and the fixtures. */
export interface ConformanceConsumer {
  /** The command that runs a fixture, given by its path in the repository. */
  command(file: string): string[];
  /** Removes it. */
  remove(): Promise<void>;
}

/** Builds the package, installs it and copies the fixtures beside it; Node 24 strips their types. */
export async function conformanceConsumer(): Promise<ConformanceConsumer> {
  const { tarball } = await buildNpm();
  const consumer = await createConsumer(tarball);
  const node = await nodeProgram("node24");
  await cp(`${ROOT}/tests/conformance`, `${consumer.folder}/tests/conformance`, { recursive: true });
  const before = `${consumer.folder}/tests/conformance/node.mjs`;
  return {
    command: (file) => [node, "--no-warnings", "--import", before, `${consumer.folder}/${file}`],
    remove: () => consumer.remove(),
  };
}
