/** Which validator checks the program's own schemas when none is given. */
import type { Validator } from "../json_schema.ts";
import { loadAjv } from "./ajv.ts";
import { loadInterpreter } from "./interpreter.ts";

/**
 * Loads the validator for the program's own schemas: `ajv` where code can be generated, else the interpreter (Workers, pages
 * with a content security policy).
 *
 * @returns The validator.
 */
export async function defaultValidator(): Promise<Validator> {
  return generatesCode() ? await loadAjv() : await loadInterpreter({ trusted: true });
}

function generatesCode(): boolean {
  try {
    return new Function("return true")() === true;
  } catch {
    return false;
  }
}
