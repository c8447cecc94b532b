/** The interpreting validator, loaded when a schema is checked with it for the first time. */
import type { Validator } from "../json_schema.ts";
import type { InterpreterOptions } from "./interpreter.ts";

/**
 * Loads the interpreting validator and the library under it.
 *
 * @param options How schemas are treated.
 * @returns A validator; each schema object is compiled once.
 */
export async function interpretingValidator(options?: InterpreterOptions): Promise<Validator> {
  const { loadInterpreter } = await import("./interpreter.ts");
  return await loadInterpreter(options);
}
