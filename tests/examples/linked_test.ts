/** A program outside of the repository that uses a copy of it, as users do before a release. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { plainText, ROOT, runDeno } from "../../scripts/command.ts";

const PROGRAM = `import { connect } from "@causeway/mcp/client";
import { defineServer, tool } from "@causeway/mcp/server";

const add = tool({
  name: "add",
  args: { a: { type: "number", required: true } },
  handler: ({ a }) => ({ sum: a + 1 }),
});
const client = await connect(defineServer({ name: "sums", version: "1.0.0", tools: [add] }));
const { sum } = await client.tools.add({ a: 2 });
console.log(\`The sum is \${sum}\`);
await client.close();
`;

Deno.test('a program outside of the repository runs with a copy of the package, named under "links" of its deno.json', async () => {
  const folder = await Deno.makeTempDir({ prefix: "causeway-linked-" });
  try {
    const own = { imports: { "@causeway/mcp": "jsr:@causeway/mcp" }, links: [ROOT] };
    await Deno.writeTextFile(join(folder, "deno.json"), JSON.stringify(own));
    await Deno.writeTextFile(join(folder, "main.ts"), PROGRAM);
    const { code, output } = await runDeno(["run", "--no-check", "--no-prompt", join(folder, "main.ts")], { cwd: folder });
    assert.equal(code, 0, output);
    assert.match(plainText(output), /^The sum is 3$/m);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
