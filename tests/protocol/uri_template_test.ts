/** Tests of URI templates. */
import assert from "node:assert/strict";
import { TEMPLATE_LIMITS } from "../../protocol/limits.ts";
import {
  isSafePathValue,
  overlaps,
  type TemplateNames,
  type TemplateVariables,
  uriTemplate,
} from "../../protocol/uri_template.ts";
import { createRandom } from "./random.ts";

type Same<A, B> = [A] extends [B] ? [B] extends [A] ? true : false : false;

Deno.test("uriTemplate matches query variables that are absent, in any order and beside others (B067)", () => {
  const template = uriTemplate("shop://i/{id}{?page,limit}");
  const cases: [string, unknown][] = [
    ["shop://i/1", { id: "1" }],
    ["shop://i/1?page=2", { id: "1", page: "2" }],
    ["shop://i/1?limit=5", { id: "1", limit: "5" }],
    ["shop://i/1?limit=5&page=2", { id: "1", limit: "5", page: "2" }],
    ["shop://i/1?page=", { id: "1", page: "" }],
    ["shop://i/1?page", { id: "1", page: "" }],
    ["shop://i/1?page=2&other=9", { id: "1", page: "2" }],
    ["shop://i/1?page=2&page=3", { id: "1", page: "2" }],
    ["shop://i/1?PAGE=2", { id: "1" }],
    ["shop://i/1?", { id: "1" }],
    ["shop://i/1/x?page=2", undefined],
    ["shop://i/1?page=2#f", undefined],
  ];
  for (const [uri, expected] of cases) assert.deepEqual(template.match(uri), expected, uri);
});

Deno.test("uriTemplate expands query variables that are given (B067)", () => {
  const template = uriTemplate("shop://i/{id}{?page,limit}");
  assert.equal(template.expand({ id: "1" }), "shop://i/1");
  assert.equal(template.expand({ id: "1", limit: 5 as unknown as string }), "shop://i/1?limit=5");
  assert.equal(template.expand({ id: "1", page: "" }), "shop://i/1?page=");
  assert.equal(template.expand({ id: "1", limit: "5", page: "2" }), "shop://i/1?page=2&limit=5");
  const ampersand = uriTemplate("x://h/{id}?fixed=1{&q}");
  assert.equal(ampersand.expand({ id: "a", q: "b&c" }), "x://h/a?fixed=1&q=b%26c");
  assert.deepEqual(ampersand.match("x://h/a?fixed=1&q=b%26c"), { id: "a", q: "b&c" });
  assert.deepEqual(ampersand.match("x://h/a?fixed=1"), { id: "a" });
  assert.equal(ampersand.match("x://h/a?fixed=12"), undefined);
  assert.equal(ampersand.match("x://h/a"), undefined);
});

Deno.test("uriTemplate gives values back as they were given (B068)", () => {
  const template = uriTemplate("file:///{path}");
  for (const path of ["a b", "a/b", "ü", "100%", "a?b#c", "🦊", "", "%41", "+"]) {
    assert.deepEqual(template.match(template.expand({ path })), { path });
  }
  assert.equal(template.expand({ path: "a/b ü" }), "file:///a%2Fb%20%C3%BC");
});

Deno.test("uriTemplate escapes literal text and compares it in its normal form (B068)", () => {
  const template = uriTemplate("file:///lib/año/{n}");
  assert.equal(template.expand({ n: "x" }), "file:///lib/a%C3%B1o/x");
  for (const uri of ["file:///lib/a%C3%B1o/x", "file:///lib/año/x", "file:///lib/a%c3%b1o/x", "file:///li%62/año/%78"]) {
    assert.deepEqual(template.match(uri), { n: "x" }, uri);
  }
});

Deno.test("uriTemplate does not match broken escapes, bytes that are no UTF-8, and half characters (B068)", () => {
  const template = uriTemplate("file:///{path}");
  for (const end of ["%ZZ", "%E0%A4%A", "%", "%4", "%FF", "%E0%A4", "\ud800"]) {
    assert.equal(template.match(`file:///${end}`), undefined);
  }
  assert.throws(() => template.expand({ path: "\ud800" }), TypeError);
});

Deno.test("uriTemplate decodes once", () => {
  assert.deepEqual(uriTemplate("x://{v}").match("x://%252e"), { v: "%2e" });
});

Deno.test("uriTemplate does not match values that lead upwards or have a NUL (B068)", () => {
  const slug = uriTemplate("kb://pages/{slug}");
  const path = uriTemplate("file:///{+path}");
  const rest = uriTemplate("docs://d{/rest*}");
  for (const value of ["..%2F..%2Fkeys", "..", "%2e%2e", "a%2F..", "a%5C..%5Cb", "a%00"]) {
    assert.equal(slug.match(`kb://pages/${value}`), undefined, value);
  }
  for (const value of ["../a", "a/../b", "a/%2E%2E/b", "..%2Fa", "%00"]) {
    assert.equal(path.match(`file:///${value}`), undefined, value);
  }
  assert.equal(rest.match("docs://d/a/../b"), undefined);
  assert.deepEqual(slug.match("kb://pages/..a"), { slug: "..a" });
  assert.deepEqual(path.match("file:///a/b..c/..."), { path: "a/b..c/..." });
});

Deno.test("uriTemplate takes literal text for what it is (B070)", () => {
  const template = uriTemplate("file://a.b/search?q={q}");
  assert.equal(template.match("file://aXb/search?q=1"), undefined);
  assert.equal(template.match("file://a.b/searcq=1"), undefined);
  assert.deepEqual(template.match("file://a.b/search?q=1"), { q: "1" });
  const odd = uriTemplate("x://(a+$|^[.)/{v}");
  assert.deepEqual(odd.match(odd.expand({ v: "1" })), { v: "1" });
  assert.equal(odd.match("x://a/1"), undefined);
});

Deno.test("uriTemplate finds where a value ends by the text after it", () => {
  assert.deepEqual(uriTemplate("x://h/{id}.json").match("x://h/a.json.json"), { id: "a.json" });
  assert.deepEqual(uriTemplate("x://h/{a}.x/{b}").match("x://h/1.x.x/2"), { a: "1.x", b: "2" });
  assert.deepEqual(uriTemplate("x://h/{a,b}").match("x://h/1%2C,2"), { a: "1,", b: "2" });
  assert.deepEqual(uriTemplate("x://{a}/{+p}/v{b}.x").match("x://1/2/3/v4.x/v5.x"), { a: "1", p: "2/3/v4.x", b: "5" });
  assert.deepEqual(uriTemplate("x://h/{+p}?v=1").match("x://h/a?b?v=1"), { p: "a?b" });
  assert.equal(uriTemplate("x://h/{id}.json").match("x://h/.jso"), undefined);
  assert.equal(uriTemplate("x://ab{+p}bc").match("x://abc"), undefined);
  assert.deepEqual(uriTemplate("x://h").match("x://h"), {});
});

Deno.test("uriTemplate reads optional segments and a fragment", () => {
  const template = uriTemplate("docs://{lang}{/section}{/page*}{?v}{#at}");
  assert.deepEqual(template.match("docs://en"), { lang: "en" });
  assert.deepEqual(template.match("docs://en/a"), { lang: "en", section: "a" });
  assert.deepEqual(template.match("docs://en/a/b/c%20d?v=1#x/y"), { lang: "en", section: "a", page: "b/c d", v: "1", at: "x/y" });
  assert.equal(template.match("docs://en/a/b%2Fc"), undefined);
  assert.equal(template.expand({ lang: "en", section: "a", page: "b/c d", at: "#" }), "docs://en/a/b/c%20d##");
  assert.throws(() => template.expand({ lang: "en", page: "b" }), /Expected the variable "section", which stands before "page"/);
});

Deno.test("uriTemplate refuses what is no template and what is ambiguous, with the reason (M-RES-027, B070)", () => {
  const cases: [string, RegExp][] = [
    ["", /not empty/],
    ["x://{a", /is not closed/],
    ["x://a}", /has no "\{"/],
    ["x://{}", /Expected names/],
    ["x://{=x}", /not supported/],
    ["x://{.x}", /not supported/],
    ["x://{;x}", /not supported/],
    ["x://{a b}", /Expected names/],
    ["x://{a{b}}", /Expected names/],
    ["x://{a:3}", /prefix/],
    ["x://{a}{b}", /"a" cannot be told from that of "b"/],
    ["x://{a}-{b}", /cannot be told/],
    ["x://{a}{+b}", /cannot be told/],
    ["x://{+a}-{b}", /cannot be told/],
    ["x://{+a}/{+b}", /Two expressions/],
    ["x://{+a}{/b}", /cannot be told/],
    ["x://{+a}{?b}", /cannot be told/],
    ["x://{+a}{#b}", /cannot be told/],
    ["x://{/a}/b", /cannot be told/],
    ["x://{/a}{b}", /cannot be told/],
    ["x://{/a*}{/b}", /never reached/],
    ["x://h{?a}{?b}", /starts twice/],
    ["x://h{&a}", /needs a query/],
    ["x://h?{&a}", /complete pair/],
    ["x://h{?a}/b", /cannot be told/],
    ["x://h{#a}b", /cannot be told/],
    ["x://h{#a}{b}", /cannot be told/],
    ["x://{a}/{a}", /two places/],
    ["x://%zz/{a}", /broken escape/],
    [`x://${"a".repeat(TEMPLATE_LIMITS.templateLength)}`, /longer than/],
    [
      `x://h{?${Array.from({ length: TEMPLATE_LIMITS.variables + 1 }, (_, index) => `v${index}`).join()}}`,
      /more than 32 variables/,
    ],
  ];
  for (const [template, reason] of cases) {
    assert.throws(
      () => uriTemplate(template),
      (error: Error) => error instanceof TypeError && reason.test(error.message),
      template,
    );
  }
});

Deno.test("uriTemplate refuses to expand without a variable, with another kind of value, and beyond the limit", () => {
  const template = uriTemplate("x://{name}{?q}");
  assert.throws(() => template.expand({} as { name: string }), /Expected a string for the variable "name"/);
  assert.throws(() => template.expand({ name: {} } as unknown as { name: string }), /"name"/);
  assert.throws(() => template.expand({ name: "a", q: null } as unknown as { name: string }), /"q"/);
  assert.throws(() => template.expand({ name: "a".repeat(TEMPLATE_LIMITS.uriLength) }), /longer than/);
  assert.equal(template.match(`x://${"a".repeat(TEMPLATE_LIMITS.uriLength)}`), undefined);
});

Deno.test("uriTemplate keeps variables apart from what every object has", () => {
  const template = uriTemplate("x://{__proto__}/{constructor}{?toString}");
  const found = template.match("x://a/b") as { [name: string]: string };
  assert.deepEqual(Object.entries(found), [["__proto__", "a"], ["constructor", "b"]]);
  assert.throws(() => uriTemplate("x://{constructor}").expand({} as { constructor: string }), TypeError);
});

const SHAPES = [
  "x://h/{a}",
  "x://h/{a}/mid/{b}.json{?c,d}",
  "x://{a}/{+b}",
  "x://{a}/{+b}/v{c}",
  "x://ñ{a}{/b}{/c*}{?d}{#e}",
  "x://h?fixed=1&a={a}{&b,c}",
  "x://h/{a,b}{?c*}",
];

Deno.test("uriTemplate matches exactly what it expands, for random values", () => {
  const random = createRandom(3);
  for (let round = 0; round < 3000; round++) {
    const template = uriTemplate(random.pick(SHAPES) as string);
    const names = [...template.template.matchAll(/[{,?&/#+]([a-e])(?=[,*}])/g)].map((match) => match[1] as string);
    const variables: { [name: string]: string } = {};
    for (const name of names) {
      const optional = new RegExp(`\\{[?&/#][^}]*\\b${name}\\b`).test(template.template);
      const before = name === "c" && template.template.includes("{/b}") && variables["b"] === undefined;
      if (!(optional && (before || random.below(3) === 0))) variables[name] = random.text(8);
    }
    if (Object.values(variables).some((value) => value.split(/[/\\]/).includes(".."))) continue;
    const uri = template.expand(variables);
    assert.deepEqual({ ...template.match(uri) }, variables, `${template.template} ${uri}`);
  }
});

Deno.test("uriTemplate survives hostile URIs of any shape", () => {
  const random = createRandom(5);
  const templates = SHAPES.map((shape) => uriTemplate(shape as string));
  const pieces = [
    "x://h",
    "/",
    "a",
    "%2F",
    "%",
    "%C3",
    "..",
    "?",
    "&",
    "=",
    "#",
    ",",
    "\n",
    "🦊",
    "\ud800",
    "mid/",
    ".json",
    "v",
  ];
  for (let round = 0; round < 3000; round++) {
    const uri = "x://h" + Array.from({ length: random.below(12) }, () => random.pick(pieces)).join("");
    for (const template of templates) {
      const found = template.match(uri);
      if (found !== undefined) {
        assert.deepEqual({ ...template.match(template.expand(found)) }, { ...found }, `${template.template} ${uri}`);
      }
    }
  }
  const long = `x://h${"/a".repeat(4000)}\n`;
  const commas = `x://${"a,".repeat(4000)}!`;
  for (const template of templates) assert.doesNotThrow(() => [template.match(long), template.match(commas)]);
});

Deno.test("uriTemplate compares text as often for a long URI as for a short one (B070)", () => {
  const looks = (length: number): number => {
    const uri = `x://${"a,".repeat(length / 2)}`;
    const original = String.prototype.startsWith;
    let count = 0;
    String.prototype.startsWith = function (text, position) {
      count++;
      return original.call(this, text, position);
    };
    try {
      uriTemplate("x://{a}/{+b}/{c}/{d}").match(uri);
      uriTemplate("x://{a,b,c,d,e}/f").match(uri);
    } finally {
      String.prototype.startsWith = original;
    }
    return count;
  };
  assert.ok(looks(8000) <= looks(500), "the number of comparisons should not depend on the URI");
});

Deno.test("TemplateVariables and TemplateNames read the variables of the literal", () => {
  const template = uriTemplate("hex://{name}/info{?version,lang}");
  const found: Same<
    NonNullable<ReturnType<typeof template.match>>,
    { readonly name: string; readonly version?: string; readonly lang?: string }
  > = true;
  const names: Same<TemplateNames<"x://{a}{/b*}">, "a" | "b"> = true;
  const open: Same<TemplateVariables<string>, { readonly [name: string]: string }> = true;
  // @ts-expect-error name is missing
  assert.throws(() => template.expand({}), TypeError);
  assert.deepEqual([found, names, open], [true, true, true]);
});

Deno.test("isSafePathValue refuses paths that leave the directory they are joined to", () => {
  for (const value of ["a", "a/b.txt", "", "a..b", "...", ".hidden"]) assert.equal(isSafePathValue(value), true, value);
  for (const value of ["..", "a/../b", "/etc", "\\\\host", "a\\b", "C:x", "c:/x", "a\0b", "../a"]) {
    assert.equal(isSafePathValue(value), false, value);
  }
});

Deno.test("overlaps finds templates of the same shape, whatever the names and the query", () => {
  const of = (a: string, b: string): boolean => overlaps(uriTemplate(a), uriTemplate(b));
  assert.equal(of("x://h/{a}", "x://h/{b}{?q}"), true);
  assert.equal(of("x://h/{a}/ñ", "x://h/{b}/%C3%B1"), true);
  assert.equal(of("x://h{/a}", "x://h{/b}"), true);
  assert.equal(of("x://h/{a}", "x://g/{a}"), false);
  assert.equal(of("x://h/{a}", "x://h/{a}/b"), false);
});
