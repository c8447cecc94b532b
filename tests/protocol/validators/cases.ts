/** The cases that every validator passes: a schema, a value, and what is said of it. */
import type { JsonObject } from "../../../protocol/json.ts";

/** One case: the issues as `path message`, in order. */
export type ValidatorCase = readonly [schema: JsonObject, value: unknown, issues: readonly string[]];

const parse = (text: string): JsonObject => JSON.parse(text);
const DRAFT_07 = "http://json-schema.org/draft-07/schema#";

/** Rules about one value, with exact issues. */
export const RULE_CASES: readonly ValidatorCase[] = [
  [{}, 1, []],
  [{ type: "string" }, "SECRET", []],
  [{ type: "string" }, 7, [" must be a string"]],
  [{ type: ["string", "null"] }, null, []],
  [{ type: ["string", "null"] }, 7, [" must be a string or null"]],
  [{ type: "string", nullable: true }, null, [" must be a string"]],
  [{ type: "integer" }, 1.0, []],
  [{ type: "integer" }, 1.5, [" must be an integer"]],
  [{ type: "integer" }, "5", [" must be an integer"]],
  [{ type: "object" }, [], [" must be an object"]],
  [{ type: "array" }, {}, [" must be an array"]],
  [{ enum: ["a", 1, null, { b: [1] }] }, { b: [1] }, []],
  [{ enum: ["a", 1, null, { b: [1] }] }, "SECRET", [` must be one of "a", 1, null, {"b":[1]}`]],
  [{ enum: Array.from({ length: 25 }, (_, n) => n) }, "SECRET", [
    ` must be one of ${[...Array(20).keys()].join(", ")} and 5 more`,
  ]],
  [{ enum: [] }, "a", [" is not allowed"]],
  [{ const: { a: 1 } }, { a: 1 }, []],
  [{ const: parse('{"toString":1,"valueOf":[2]}') }, parse('{"valueOf":[2],"toString":1}'), []],
  [{ const: { a: 1 } }, { toString: 1 }, [' must be {"a":1}']],
  [{ enum: [{ constructor: 1 }, [0]] }, { constructor: 1 }, []],
  [{ enum: [{ constructor: 1 }, [0]] }, [-0], []],
  [{ enum: [{ a: 1 }] }, { valueOf: 1 }, [' must be one of {"a":1}']],
  [{ const: 1 }, "SECRET", [" must be 1"]],
  [{ const: "\u001b[31m".repeat(99) }, "SECRET", [` must be ${JSON.stringify("\u001b[31m".repeat(99)).slice(0, 128)}…`]],
  [{ minimum: 3 }, 2, [" must be at least 3"]],
  [{ maximum: 3 }, 4, [" must be at most 3"]],
  [{ exclusiveMinimum: 3 }, 3, [" must be greater than 3"]],
  [{ exclusiveMaximum: 3 }, 3, [" must be less than 3"]],
  [{ multipleOf: 0.1 }, 0.35, [" must be a multiple of 0.1"]],
  [{ multipleOf: 2 }, 4, []],
  [{ multipleOf: 0.01 }, 19.99, []],
  [{ multipleOf: 0.1 }, 0.3, []],
  [{ multipleOf: 0.0001 }, 0.0075, []],
  [{ multipleOf: 1 }, 1e21, []],
  [{ multipleOf: 0.5 }, 1e308, []],
  [{ multipleOf: 3 }, 1e21, [" must be a multiple of 3"]],
  [{ minLength: 2 }, "🦊", [" must have at least 2 characters"]],
  [{ maxLength: 1 }, "🦊", []],
  [{ maxLength: 1 }, "ab", [" must have at most 1 character"]],
  [{ pattern: "^a" }, "SECRET", [" must match the pattern ^a"]],
  [{ pattern: "^\\w+\\-\\_\\@$" }, "a-_@", []],
  [{ pattern: "^[\\w\\-]\\p{L}$" }, "-é", []],
  [{ format: "date" }, "SECRET", []],
  [{ format: "google-duration" }, "x", []],
  [{ minItems: 1 }, [], [" must have at least 1 item"]],
  [{ maxItems: 1 }, [1, 2], [" must have at most 1 item"]],
  [{ uniqueItems: true }, [1, "1", true, null, [1], { a: 1 }], []],
  [{ uniqueItems: true }, [{ a: 1, b: [2] }, { b: [2], a: 1 }], [" must not have equal items"]],
  [{ uniqueItems: true }, [0, -0], [" must not have equal items"]],
  [{ uniqueItems: false }, [1, 1], []],
  [{ minProperties: 1 }, {}, [" must have at least 1 member"]],
  [{ maxProperties: 1 }, { a: 1, b: 2 }, [" must have at most 1 member"]],
  [{ required: ["a", "b"] }, { a: 1 }, ["/b is required"]],
  [{ required: ["a"] }, "no object", []],
  [{ patternProperties: { ".": true }, if: { type: "number" }, then: { patternProperties: { "^a": true } } }, { a: 1 }, []],
  [{ properties: { a: false } }, { a: 1 }, ["/a is not allowed"]],
  [{ properties: { a: { type: "string" } }, additionalProperties: false }, { a: "x", b: 1, "c/~d": 2 }, [
    "/b is not allowed",
    "/c~1~0d is not allowed",
  ]],
  [{ additionalProperties: { type: "string" } }, { a: 1 }, ["/a must be a string"]],
  [{ patternProperties: { "^x": { type: "string" } }, additionalProperties: false }, { x: 1, y: 1 }, [
    "/x must be a string",
    "/y is not allowed",
  ]],
  [{ propertyNames: { maxLength: 1 } }, { ab: 1, c: 1 }, ["/ab has a name that is not allowed"]],
  [{ dependentRequired: { a: ["b"] } }, { a: 1 }, ["/b is required"]],
  [{ dependentSchemas: { a: { required: ["c"] } } }, { a: 1 }, ["/c is required"]],
  [{ items: { type: "string" } }, ["a", 1], ["/1 must be a string"]],
  [{ prefixItems: [{ type: "string" }], items: { type: "number" } }, [1, "a"], ["/0 must be a string", "/1 must be a number"]],
  [{ prefixItems: [true], items: false }, [1, 2], [" must have at most 1 item"]],
  [{ contains: { type: "string" } }, ["a"], []],
  [{ contains: { type: "string" }, minContains: 0 }, [], []],
  [{ not: { type: "string" } }, "SECRET", [" must not match the excluded schema"]],
  [{ allOf: [{ minimum: 3 }, { maximum: 1 }] }, 2, [" must be at least 3", " must be at most 1"].sort()],
  [{ anyOf: [{ type: "string" }, { type: "null" }] }, null, []],
  [
    { anyOf: [{ type: "string" }, { type: "null" }] },
    1,
    [
      " must be a string",
      " must be null",
      " must match at least one of the alternatives",
    ].sort(),
  ],
  [{ oneOf: [{ type: "string" }, { minLength: 1 }] }, "SECRET", [" must match exactly one of the alternatives"]],
  [{ if: { type: "string" }, then: { minLength: 9 }, else: { minimum: 3 } }, "SECRET", [" must have at least 9 characters"]],
  [{ if: { type: "string" }, then: { minLength: 9 }, else: { minimum: 3 } }, 1, [" must be at least 3"]],
  [
    {
      type: "object",
      properties: {
        lines: {
          type: "array",
          items: {
            type: "object",
            properties: { sku: { type: "string" }, n: { type: "integer", minimum: 1 } },
            required: ["sku"],
          },
        },
      },
      required: ["lines", "id"],
    },
    { lines: [{ n: 0 }, { sku: 5 }] },
    ["/id is required", "/lines/0/n must be at least 1", "/lines/0/sku is required", "/lines/1/sku must be a string"],
  ],
  [{ default: 5, "x-mcp-header": "Region", discriminator: {}, example: 1, deprecated: true, type: "string" }, "a", []],
];

/** References, dialects, composition with annotations, and names that every object has. */
export const DOCUMENT_CASES: readonly ValidatorCase[] = [
  [{ $defs: { a: { type: "string" } }, properties: { x: { $ref: "#/$defs/a" } } }, { x: 1 }, ["/x must be a string"]],
  [{ $defs: { a: { $anchor: "here", type: "string" } }, items: { $ref: "#here" } }, [1], ["/0 must be a string"]],
  [{ $defs: { a: { $dynamicAnchor: "here", type: "string" } }, items: { $dynamicRef: "#here" } }, [1], ["/0 must be a string"]],
  [{ $id: "https://x.example/a", $defs: { b: { $id: "b", type: "string" } }, items: { $ref: "https://x.example/b" } }, [1], [
    "/0 must be a string",
  ]],
  [{ $id: "urn:uuid:a", items: { $ref: "#/$defs/s" }, $defs: { s: { type: "string" } } }, [1], ["/0 must be a string"]],
  [{ properties: { next: { $ref: "#" }, v: { type: "string" } } }, { next: { next: { v: 1 } } }, [
    "/next/next/v must be a string",
  ]],
  [{ $defs: { "a/~%b": { type: "string" } }, $ref: "#/$defs/a~1~0%25b" }, 1, [" must be a string"]],
  [{ components: { s: { type: "string", minLength: 2 } }, $ref: "#/components/s" }, "a", [" must have at least 2 characters"]],
  [{ $defs: { s: { minLength: 2 } }, $ref: "#/$defs/s", maxLength: 0 }, "a", [
    " must have at least 2 characters",
    " must have at most 0 characters",
  ]],
  [{ $defs: { no: false }, properties: { x: { $ref: "#/$defs/no" } } }, { x: 1 }, ["/x is not allowed"]],
  [{ properties: { a: { type: "string" }, b: { $ref: "#/properties/a" } } }, { a: 1, b: 2 }, [
    "/a must be a string",
    "/b must be a string",
  ]],
  [{ properties: { $ref: { type: "string" }, $defs: { type: "string" } } }, { $ref: 1, $defs: 2 }, [
    "/$defs must be a string",
    "/$ref must be a string",
  ]],
  [
    {
      allOf: [{ properties: { a: true } }],
      anyOf: [{ properties: { b: true }, required: ["b"] }, true],
      unevaluatedProperties: false,
    },
    { a: 1, b: 2, c: 3 },
    ["/c is not allowed"],
  ],
  [{ $ref: "#/$defs/p", $defs: { p: { properties: { a: true } } }, unevaluatedProperties: false }, { a: 1 }, []],
  [{ prefixItems: [true], unevaluatedItems: false }, [1, 2], ["/1 is not allowed"]],
  [
    { if: { properties: { k: { const: 1 } }, required: ["k"] }, then: { properties: { a: true } }, unevaluatedProperties: false },
    {
      k: 1,
      a: 2,
    },
    [],
  ],
  [{ if: { properties: { a: true } }, unevaluatedProperties: false }, { a: 1, b: 2 }, ["/b is not allowed"]],
  [{ $schema: "https://json-schema.org/draft/2020-12/schema#", prefixItems: [{ type: "string" }] }, [1], ["/0 must be a string"]],
  [{ $schema: DRAFT_07, items: [{ type: "string" }], additionalItems: { type: "number" } }, [1, "a"], [
    "/0 must be a string",
    "/1 must be a number",
  ]],
  [{ $schema: DRAFT_07, items: [{ type: "string" }], additionalItems: false }, ["a", "b"], [" must have at most 1 item"]],
  [{ $schema: "http://json-schema.org/draft-07/schema", prefixItems: [false], unevaluatedItems: false }, [1], []],
  [{
    $schema: DRAFT_07,
    definitions: { a: { $id: "#here", type: "string" } },
    properties: { x: { $ref: "#here", minLength: 9 } },
  }, {
    x: "a",
  }, []],
  [{ $schema: DRAFT_07, dependencies: { a: ["b"], c: { required: ["d"] } } }, { a: 1, c: 1 }, [
    "/b is required",
    "/d is required",
  ]],
  [{ required: ["constructor", "toString"] }, {}, ["/constructor is required", "/toString is required"]],
  [{ properties: { constructor: { type: "string" } }, additionalProperties: false }, {}, []],
  [{ properties: { constructor: { type: "string" } }, additionalProperties: false }, { constructor: 1, valueOf: 1 }, [
    "/constructor must be a string",
    "/valueOf is not allowed",
  ]],
  [{ properties: { constructor: { type: "string" } }, unevaluatedProperties: false }, { constructor: "a", hasOwnProperty: 1 }, [
    "/hasOwnProperty is not allowed",
  ]],
  [{ additionalProperties: false }, parse('{"__proto__":1}'), ["/__proto__ is not allowed"]],
  [{ required: ["__proto__"] }, {}, ["/__proto__ is required"]],
  [
    parse('{"required":["__proto__"],"properties":{"__proto__":{"type":"string"}},"additionalProperties":false}'),
    parse('{"__proto__":1}'),
    [
      "/__proto__ must be a string",
    ],
  ],
  [parse('{"dependentRequired":{"toString":["a"]}}'), {}, []],
];

/** Schemas that no validator compiles, with a part of the reason. */
export const BROKEN_SCHEMAS: readonly (readonly [unknown, RegExp])[] = [
  [{ $schema: "http://json-schema.org/draft-04/schema#" }, /the dialect "http:\/\/json-schema.org\/draft-04\/schema#"/],
  [{ $schema: "https://x.example/my-dialect" }, /my-dialect/],
  [{ $schema: 17 }, /a dialect that is not a string/],
  [
    { properties: { x: { $ref: "#/$defs/Missing" } } },
    /schema\.properties\.x\.\$ref: Expected a reference to a part of this schema/,
  ],
  [{ $ref: "http://127.0.0.1:9/s.json" }, /other documents are not followed/],
  [{ $id: "http://127.0.0.1:9/base/", properties: { a: { $ref: "s.json" } } }, /other documents/],
  [{ $dynamicRef: "http://127.0.0.1:9/s.json#x" }, /other documents/],
  [{ $ref: "file:///etc/hostname" }, /other documents/],
  [{ $ref: "https://json-schema.org/draft/2020-12/schema" }, /other documents/],
  [{ $defs: { a: { $ref: "#/$defs/a" } }, $ref: "#/$defs/a" }, /back to itself/],
  [{ $defs: { a: { allOf: [{ anyOf: [{ $ref: "#/$defs/a" }] }] } }, items: { $ref: "#/$defs/a" } }, /back to itself/],
  [{ type: "strng" }, /schema\.type: Expected one or several of string/],
  [{ type: [] }, /type/],
  [{ properties: { a: null } }, /schema\.properties\.a: Expected a JSON Schema object or a boolean/],
  [{ items: [{}] }, /schema\.items: Expected a JSON Schema object or a boolean/],
  [{ anyOf: [] }, /anyOf/],
  [{ properties: { a: { required: true } } }, /schema\.properties\.a\.required.*fields\(\)/],
  [{ pattern: 5 }, /schema\.pattern: Expected a string/],
  [{ pattern: "(" }, /not a regular expression/],
  [{ patternProperties: { "[": true } }, /not a regular expression/],
  [{ minLength: -1 }, /minLength/],
  [{ exclusiveMinimum: true }, /exclusiveMinimum: Expected a number/],
  [{ multipleOf: 0 }, /multipleOf/],
  [{ uniqueItems: "yes" }, /uniqueItems/],
  [
    { $defs: { a: { $id: "a", $dynamicAnchor: "n" }, b: { $id: "b", $dynamicAnchor: "n" } }, $dynamicRef: "a#n" },
    /found several/,
  ],
  [{ $defs: { a: { $anchor: "x" }, b: { $anchor: "x" } } }, /\$id: Expected a URI that no other/],
];
