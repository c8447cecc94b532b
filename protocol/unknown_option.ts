/** Refuses options that nobody reads, naming the one that was meant, and options of the wrong kind. */
import { isJsonObject } from "./json.ts";

/**
 * Refuses members of options that nobody reads.
 *
 * @param options The options as they were given.
 * @param known The names of options that exist.
 * @param path What stands before the name in the sentence, such as `connect.`; without its last character
 * it names the options themselves.
 * @param open May there be others too? Then only names are refused that differ from one by capitals and the letter s.
 * @throws {TypeError} For what is not an object. Naming the option, and the one that was meant: it has that name elsewhere, or begins
 * alike.
 */
export function checkOptionNames(options: unknown, known: ReadonlySet<string>, path: string, open = false): void {
  checkObject(options, path.slice(0, -1));
  for (const name of Object.keys(options)) {
    if (known.has(name)) continue;
    const near = open
      ? [...known].find((one) => bare(one) === bare(name))
      : habit(name, known) ?? [...known].find((one) => bare(one).startsWith(bare(name.slice(0, 3))));
    if (!open || near !== undefined) {
      throw new TypeError(`${path}${name}: Unknown option${near === undefined ? "" : `, perhaps ${near}`}`);
    }
  }
}

/**
 * Refuses what should be an object and is not.
 *
 * @param value What was given.
 * @param path Its name, such as `connect.options`.
 * @throws {TypeError} Naming it.
 */
export function checkObject(value: unknown, path: string): asserts value is object {
  if (!isJsonObject(value)) throw new TypeError(`${path}: Expected an object`);
}

/** The names that stand in the sources as one text, which handlers come by on every call. */
const KNOWN = new Map<string, ReadonlySet<string>>();

/**
 * Refuses options of a function that are not an object, and members of them that nobody reads.
 *
 * @param options The options as they were given.
 * @param name The function.
 * @param known The names of options that exist, with blanks between them; a text of the sources, never of a peer.
 * @throws {TypeError} As {@linkcode checkObject} and {@linkcode checkOptionNames} do.
 */
export function checkOptions(options: unknown, name: string, known: string): asserts options is object {
  checkObject(options, `${name}.options`);
  const names = KNOWN.get(known) ?? new Set(known.split(" "));
  KNOWN.set(known, names);
  checkOptionNames(options, names, `${name}.`);
}

/**
 * Refuses what should be a function and is not.
 *
 * @param value What was given.
 * @param path Its name, such as `logging.write`.
 * @throws {TypeError} Naming it.
 */
export function checkFunction(value: unknown, path: string): void {
  if (typeof value !== "function") throw new TypeError(`${path}: Expected a function`);
}

/**
 * Refuses what should be a list and is not: a single text is the usual slip.
 *
 * @param value The option; undefined when it was not given.
 * @param path Its name, such as `connect.use`.
 * @throws {TypeError} Naming the option.
 */
export function checkList(value: unknown, path: string): void {
  if (value !== undefined && !Array.isArray(value)) throw new TypeError(`${path}: Expected a list`);
}

/** What options may be called here, and what other libraries call them; names that begin alike need none. */
const HABITS = [
  ["handler read render", "handler execute run callback load"],
  ["input arguments", "parameters schema"],
  ["use", "middleware"],
  ["visible", "canAccess"],
  ["auth", "token"],
  ["hosts", "allowedHosts"],
  ["origins", "allowedOrigins cors"],
  ["headers", "requestInit"],
  ["form", "elicitation"],
] as const;

/** The known option that other libraries give this name. */
function habit(name: string, known: ReadonlySet<string>): string | undefined {
  const found = HABITS.find(([, names]) => names.split(" ").includes(name));
  return found?.[0].split(" ").find((one) => known.has(one));
}

function bare(name: string): string {
  return name.toLowerCase().replaceAll("s", "");
}
