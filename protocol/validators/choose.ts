/** Which validator checks the program's own schemas when none is given. */
import type { Validator } from "../json_schema.ts";
import { interpretingValidator } from "./interpreting.ts";

/**
 * Loads the validator for the program's own schemas: `ajv` where code can be generated, else the interpreter (Workers, pages
 * with a content security policy).
 *
 * @returns The validator.
 */
export async function defaultValidator(): Promise<Validator> {
  if (!generatesCode()) return await interpretingValidator({ trusted: true });
  const { loadAjv } = await import("./ajv.ts");
  return await loadAjv();
}

function generatesCode(): boolean {
  try {
    return new Function("return true")() === true;
  } catch {
    return false;
  }
}
