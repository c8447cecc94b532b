/** Tests of `protocol/exponential_pattern.ts`. */
import assert from "node:assert/strict";
import * as z from "zod";
import { isExponential } from "../../protocol/exponential_pattern.ts";
import { createRandom } from "./random.ts";

Deno.test("isExponential finds loops in which one text matches in two ways", () => {
  const dangerous = [
    "(a+)+",
    "^(a*)*$",
    "(?:a+b?){2,}",
    "(a|a)*",
    "(a|aa)+",
    "(\\w|\\d)+",
    "(a{1,5})+",
    "(a?a)+",
    "(a?a?)*b",
    "(a?b?)*c",
    "(x(a?|b?))*y",
    "(?<n>x+)*",
    "([^\\]]+)*",
    "(.*)+?",
    "(.*,)*b",
    "^([\\w.]+)*@",
    "^(([a-z])+.)+[A-Z]([a-z])+$",
    "^(https?:\\/\\/)?([\\da-z\\.\\-]+)\\.([a-z\\.]{2,6})([\\/\\w \\.\\-]*)*\\/?$",
    "^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+$",
    "(a?){30}b",
    "(aa|a){20}",
    "(?=(a+)+b)a",
    "(\\u0061|a)*",
    "([\\x61-\\x7a]|é|q)*",
    "(a+\\1)+",
  ];
  for (const pattern of dangerous) assert.equal(isExponential(pattern), true, pattern);
});

Deno.test("isExponential lets patterns pass whose every turn is told apart", () => {
  const harmless = [
    "",
    "^[a-z]+$",
    "^([a-z][a-z-]*\\.)+[a-z]{2,}$",
    "^[a-z0-9]+(?:-[a-z0-9]+)*$",
    "^(\\d{1,3}\\.){3}\\d{1,3}$",
    "^(?:[0-9a-fA-F]{1,4}:){7}[0-9a-fA-F]{1,4}$",
    "^(foo|bar|baz)+$",
    '^("(?:[^"\\\\]|\\\\.)*"|[^",]*)(,("(?:[^"\\\\]|\\\\.)*"|[^",]*))*$',
    "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$",
    "^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2}(\\.\\d+)?)?(Z|[+-]\\d{2}:\\d{2})?)?$",
    "^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)(?:-((?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\\.(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\\+([0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*))?$",
    "^(?:[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*)@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\\.)+[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$",
    "^/(?:[^/]+/)*[^/]*$",
    "^[A-Za-z_$][\\w$]*(\\.[A-Za-z_$][\\w$]*)*$",
    "^P(?:\\d+Y)?(?:\\d+M)?(?:\\d+D)?(?:T(?:\\d+H)?(?:\\d+M)?(?:\\d+S)?)?$",
    "(\\p{L})+",
  ];
  for (const pattern of harmless) assert.equal(isExponential(pattern), false, pattern);
});

Deno.test("isExponential lets the patterns pass that zod prints", () => {
  const schema = z.object({
    a: z.email(),
    b: z.uuid(),
    c: z.ipv4(),
    d: z.ipv6(),
    e: z.cidrv4(),
    f: z.cidrv6(),
    g: z.base64(),
    h: z.base64url(),
    i: z.e164(),
    j: z.iso.datetime(),
    k: z.iso.duration(),
    l: z.iso.date(),
    m: z.iso.time(),
    n: z.jwt(),
    o: z.emoji(),
    p: z.hostname(),
    q: z.cuid2(),
    r: z.nanoid(),
    s: z.ulid(),
  });
  const { properties = {} } = z.toJSONSchema(schema);
  const patterns = Object.values(properties).map((one) => (one as { pattern?: string }).pattern).filter((one) =>
    one !== undefined
  );
  assert.ok(patterns.length > 10);
  for (const pattern of patterns) assert.equal(isExponential(pattern), false, pattern);
});

Deno.test("isExponential ends for every pattern that compiles, and finds those that take exponential time", () => {
  const random = createRandom(11);
  const parts = ["a", "b", "(", ")", "(?:", "*", "+", "?", "|", "[ab]", "\\w", "{2,}", "{2}", ".", "^", "$", "(?=", "c"];
  let judged = 0;
  for (let round = 0; round < 5000; round++) {
    const pattern = Array.from({ length: 1 + random.below(12) }, () => random.pick(parts)).join("");
    let compiled: RegExp;
    try {
      compiled = new RegExp(`^(?:${pattern})#`, "u");
    } catch {
      continue;
    }
    judged++;
    if (isExponential(pattern)) continue;
    // An exponential one would not come back from this text.
    for (const text of ["a".repeat(40), "ab".repeat(20), "abc".repeat(14), "b".repeat(40)]) compiled.test(text);
  }
  assert.ok(judged > 200);
});

Deno.test("isExponential says of what is too large to tell that it is exponential, and ends", () => {
  assert.equal(isExponential(`(${"a?".repeat(400)})*`), true);
  assert.equal(isExponential(`((${Array.from({ length: 100 }, () => "[a-z]").join("|")})+x)*`), true);
  assert.equal(isExponential(`${"(".repeat(300)}a${")+".repeat(300)}`), true);
});
