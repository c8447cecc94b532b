import assert from "node:assert/strict";
import { DIALECTS } from "../../protocol/dialects/mod.ts";
import { oncePerDialect } from "../../server/once_per_dialect.ts";

Deno.test("oncePerDialect() makes once for each dialect, when it is first asked for", () => {
  const made: string[] = [];
  const nameOf = oncePerDialect(({ version }) => {
    made.push(version);
    return { version };
  });
  assert.deepEqual(made, []);
  for (const dialect of [...DIALECTS, ...DIALECTS]) assert.equal(nameOf(dialect).version, dialect.version);
  assert.deepEqual(made, DIALECTS.map(({ version }) => version));
});
