/** The validator for schemas that come from the server. */
import type { Validator } from "../protocol/json_schema.ts";

/**
 * Loads the interpreting validator: schemas of a peer are never turned into code. Loading waits for the first use, because many
 * clients never check a schema.
 *
 * @param onWarning Takes the end of a sentence for each pattern that is not run.
 */
export async function peerValidator(onWarning?: (warning: string) => void): Promise<Validator> {
  const { loadInterpreter } = await import("../protocol/validators/interpreter.ts");
  return await loadInterpreter({ onWarning, now: () => performance.now() });
}
