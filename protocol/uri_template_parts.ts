/** The parts of a URI template, and the reasons why some templates are refused. */
import { TEMPLATE_LIMITS } from "./limits.ts";
import { isReserved, normalizeUri } from "./uri_encoding.ts";

/** A part of the path: fixed text, a value without reserved characters, or a value that may have them. */
export type PathPart =
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "simple" | "reserved"; readonly name: string };

/** A segment that may be absent; `rest` takes all segments that are left. */
export interface OptionalSegment {
  /** The variable. */
  readonly name: string;
  /** Whether it takes all segments that are left. */
  readonly rest: boolean;
}

/** A template, taken apart. Fixed text is in its normal form. */
export interface TemplateParts {
  /** Fixed text and required variables. */
  readonly path: readonly PathPart[];
  /** Segments after them, each present only when the one before it is. */
  readonly segments: readonly OptionalSegment[];
  /** Query variables. */
  readonly query: readonly string[];
  /** Whether the fixed text holds the `?` already. */
  readonly fixedQuery: boolean;
  /** The variable of the fragment. */
  readonly fragment: string | undefined;
}

interface Draft {
  readonly path: PathPart[];
  readonly segments: OptionalSegment[];
  readonly query: string[];
  fixedQuery: boolean;
  fragment: string | undefined;
  readonly names: Set<string>;
}

const OPERATORS = "+#./;?&=,!@|";

/**
 * Takes a template apart.
 *
 * @param template The template.
 * @returns Its parts.
 * @throws {TypeError} With the reason, for what is not a template and for a shape that can't be matched without ambiguity.
 */
export function parseTemplate(template: string): TemplateParts {
  const fail = (reason: string): never => {
    throw new TypeError(
      `Parsing the URI template ${typeof template === "string" ? `"${template.slice(0, 200)}"` : ""}: ${reason}`,
    );
  };
  if (typeof template !== "string" || template === "") return fail("Expected a string that is not empty");
  const { templateLength, variables } = TEMPLATE_LIMITS;
  if (template.length > templateLength) return fail(`The template is longer than ${templateLength} characters`);
  const draft: Draft = { path: [], segments: [], query: [], fixedQuery: false, fragment: undefined, names: new Set() };
  for (let at = 0; at < template.length;) {
    const open = template.indexOf("{", at);
    const literal = template.slice(at, open < 0 ? template.length : open);
    const fault = literal === "" ? undefined : addLiteral(draft, literal);
    if (fault !== undefined) return fail(fault);
    if (open < 0) break;
    const close = template.indexOf("}", open);
    if (close < 0) return fail(`The brace at character ${open + 1} is not closed`);
    const expressionFault = addExpression(draft, template.slice(open + 1, close));
    if (expressionFault !== undefined) return fail(expressionFault);
    at = close + 1;
  }
  if (draft.names.size > variables) return fail(`The template has more than ${variables} variables`);
  return draft;
}

/**
 * Names the optional variables.
 *
 * @param parts The template's parts.
 * @returns The names.
 */
export function optionalNames(parts: TemplateParts): ReadonlySet<string> {
  const fragment = parts.fragment === undefined ? [] : [parts.fragment];
  return new Set([...parts.segments.map(({ name }) => name), ...parts.query, ...fragment]);
}

/** The names of all variables, in the order in which they stand. */
export function variableNames(parts: TemplateParts): readonly string[] {
  return [...parts.path.flatMap((part) => part.kind === "literal" ? [] : [part.name]), ...optionalNames(parts)];
}

/**
 * Writes the shape of a template without the names of its variables and without its optional query.
 *
 * @param parts The template's parts.
 * @returns Equal text for templates that match the same paths.
 */
export function skeleton(parts: TemplateParts): string {
  const path = parts.path.map((part) => part.kind === "literal" ? part.text : `{${part.kind}}`);
  return [...path, ...parts.segments.map(({ rest }) => rest ? "{rest}" : "{segment}")].join("");
}

function addLiteral(draft: Draft, literal: string): string | undefined {
  if (literal.includes("}")) return `A "}" has no "{" before it`;
  const after = draft.fragment !== undefined
    ? "{#…}"
    : draft.query.length > 0
    ? "{?…}"
    : draft.segments.length > 0
    ? "{/…}"
    : undefined;
  if (after !== undefined) return `Text after ${after} cannot be told from its value`;
  const text = normalizeUri(literal);
  if (text === undefined) return "The text has a broken escape";
  if (text.includes("#")) return "A fixed fragment is not supported";
  if (text.includes("?")) draft.fixedQuery = true;
  draft.path.push({ kind: "literal", text });
  return undefined;
}

function addExpression(draft: Draft, expression: string): string | undefined {
  const operator = OPERATORS.includes(expression[0] ?? " ") ? expression[0] as string : "";
  const specs = expression.slice(operator.length).split(",");
  for (const spec of specs) {
    const name = spec.endsWith("*") ? spec.slice(0, -1) : spec;
    if (spec.includes(":")) return `The prefix in {${expression}} loses a part of the value, so that it cannot be matched`;
    if (!isName(name)) return `Expected names of variables in {${expression}}`;
    if (draft.names.has(name)) return `The variable "${name}" stands in two places`;
    draft.names.add(name);
  }
  if (draft.fragment !== undefined) return "An expression after {#…} cannot be told from its value";
  switch (operator) {
    case "":
    case "+":
      return addRequired(draft, specs, operator === "+", expression);
    case "/":
      return addSegments(draft, specs);
    case "?":
    case "&":
      return addQuery(draft, specs, operator);
    case "#":
      return addFragment(draft, specs);
  }
  return `The operator of {${expression}} is not supported`;
}

function addRequired(draft: Draft, specs: readonly string[], reserved: boolean, expression: string): string | undefined {
  if (draft.segments.length > 0 || draft.query.length > 0) {
    return `{${expression}} after an expression whose variables may be absent cannot be told from it`;
  }
  for (const spec of specs) {
    if (spec.endsWith("*") && reserved) return `Expected no "*" in {${expression}}`;
    const name = spec.endsWith("*") ? spec.slice(0, -1) : spec;
    if (spec !== specs[0]) draft.path.push({ kind: "literal", text: "," });
    const fault = neighbourFault(draft.path, name, reserved);
    if (fault !== undefined) return fault;
    draft.path.push({ kind: reserved ? "reserved" : "simple", name });
  }
  return undefined;
}

/** Between two values must stand a character that the one which ends there can't have. */
function neighbourFault(path: readonly PathPart[], name: string, reserved: boolean): string | undefined {
  const before = path[path.length - 1];
  if (reserved && path.some((part) => part.kind === "reserved")) return `Two expressions {+…} cannot be told apart`;
  const text = before?.kind === "literal" ? before.text : "";
  const neighbour = before?.kind === "literal" ? path[path.length - 2] : before;
  if (neighbour === undefined || neighbour.kind === "literal" || [...text].some(isReserved)) return undefined;
  return `The value of "${neighbour.name}" cannot be told from that of "${name}": expected one of :/?#[]@!$&'()*+,;= between them`;
}

function addSegments(draft: Draft, specs: readonly string[]): string | undefined {
  if (draft.fixedQuery || draft.query.length > 0) return "A segment {/…} cannot follow the query";
  if (draft.path.some((part) => part.kind === "reserved")) return "The value of {+…} cannot be told from the segments after it";
  for (const spec of specs) {
    if (draft.segments.some(({ rest }) => rest)) return "A segment after {/…*}, which takes all segments, is never reached";
    const rest = spec.endsWith("*");
    draft.segments.push({ name: rest ? spec.slice(0, -1) : spec, rest });
  }
  return undefined;
}

function addQuery(draft: Draft, specs: readonly string[], operator: "?" | "&"): string | undefined {
  const last = draft.path[draft.path.length - 1];
  if (draft.path.some((part) => part.kind === "reserved")) {
    return `The value of {+…} may have "?", which cannot be told from the query after it`;
  }
  const started = draft.fixedQuery || draft.query.length > 0;
  if (operator === "?" && started) return "The query starts twice";
  if (operator === "&" && !started) return "{&…} needs a query before it";
  if (operator === "&" && draft.query.length === 0 && last?.kind === "literal" && /[?&]$/.test(last.text)) {
    return `Expected a complete pair before {&…}, found "${last.text.slice(-1)}"`;
  }
  draft.query.push(...specs.map((spec) => spec.endsWith("*") ? spec.slice(0, -1) : spec));
  return undefined;
}

function addFragment(draft: Draft, specs: readonly string[]): string | undefined {
  if (specs.length > 1 || specs[0]?.endsWith("*")) return "Expected one variable in {#…}";
  if (draft.path.some((part) => part.kind === "reserved")) {
    return `The value of {+…} may have "#", which cannot be told from the fragment`;
  }
  draft.fragment = specs[0];
  return undefined;
}

/** RFC 6570 § 2.3, without escapes in names. */
function isName(name: string): boolean {
  return /^[A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)*$/.test(name);
}
