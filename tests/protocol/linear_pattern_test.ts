import assert from "node:assert/strict";
import { takesLinearTime } from "../../protocol/linear_pattern.ts";
import { loadInterpreter } from "../../protocol/validators/interpreter.ts";

Deno.test("takesLinearTime passes patterns with at most one quantifier without bound, anchored", () => {
  for (const pattern of ["^a", "a", "^[a-z]+$", "^\\d{4}-\\d{2}$", "^[*+]*$", "\\*\\+", "^a{2,}$", "a{1,3}b{0,9}", "a?b?"]) {
    assert.ok(takesLinearTime(pattern), pattern);
  }
  for (
    const pattern of [
      "^(.*a){2,}",
      "^(?:a{0,9}){9}$",
      "(a|a){14}",
      "^(a?){30}b",
      "a{0,99}a{0,99}a{0,99}$",
      "(a",
      "(?=a{0,99}b{0,99}c{0,99})",
    ]
  ) {
    assert.ok(!takesLinearTime(pattern), pattern);
  }
  for (
    const pattern of [
      "^[a-z]{1,63}\\.[a-z]{2,63}$",
      "^(a|b)c{1,9}$",
      "(?:a?b?){3}",
      "^a{1000}$",
      "[{]{2}",
      "a{x",
      "^[\\w.+-]{1,64}@x$",
    ]
  ) {
    assert.ok(takesLinearTime(pattern), pattern);
  }
  for (const pattern of [".*.*=", "a*a*b", "\\s+$", "^a+b+$", "^a+|b", "a{2,}", "^a{1,1000}b*", "[a-z]+"]) {
    assert.ok(!takesLinearTime(pattern), pattern);
  }
});

Deno.test("an interpreter for a stranger's schemas does not run a pattern of polynomial time, and says so", async () => {
  const warnings: string[] = [];
  const validator = await loadInterpreter({ onWarning: (sentence) => warnings.push(sentence) });
  const check = validator.compile({ type: "string", pattern: "a*a*a*a*a*a*a*b" });
  assert.deepEqual(check("a".repeat(400)), []);
  assert.equal(warnings.length, 1);
  const linear = validator.compile({ type: "string", pattern: "^a+$" });
  assert.equal(linear("ab").length, 1);
});
