import assert from "node:assert/strict";
import { readSnippets } from "../../scripts/check_docs.ts";
import { percent, readLcov } from "../../scripts/coverage.ts";

Deno.test("readSnippets finds the TypeScript blocks with their line, name and mark", () => {
  const text = "# A\n```ts\nf();\n```\n```sh\nls\n```\n```ts ignore\n// server.ts\ng();\n```\n";
  assert.deepEqual(readSnippets("README.md", text), [
    { path: "README.md", line: 3, name: undefined, ignored: false, code: "f();" },
    { path: "README.md", line: 9, name: "server.ts", ignored: true, code: "// server.ts\ng();" },
  ]);
});

Deno.test("readLcov adds up a file that was reported twice", () => {
  const files = readLcov("SF:/a.ts\nDA:1,0\nDA:2,3\nend_of_record\nSF:/a.ts\nDA:1,1\nDA:3,0\nend_of_record\n");
  assert.deepEqual(files, [{ path: "/a.ts", lines: 3, hit: 2 }]);
  assert.equal(percent([{ path: "a", lines: 3, hit: 1 }, { path: "b", lines: 1, hit: 1 }]), 50);
  assert.equal(percent([]), 0);
});
