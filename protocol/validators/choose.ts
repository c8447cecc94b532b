/** Validators, loaded at their first use: a list of tools, say, is answered without any. */
import type { Validator } from "../json_schema.ts";
import type { InterpreterOptions } from "./interpreter.ts";

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

/**
 * Loads the validator that generates no code, for schemas of peers, and where code can't be generated.
 *
 * @param options How schemas are treated.
 * @returns The validator.
 */
export async function interpretingValidator(options: InterpreterOptions = {}): Promise<Validator> {
  const { loadInterpreter } = await import("./interpreter.ts");
  return await loadInterpreter(options);
}

function generatesCode(): boolean {
  try {
    return new Function("return true")() === true;
  } catch {
    return false;
  }
}
