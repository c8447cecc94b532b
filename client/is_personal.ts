/** Says which calls no cache can answer. */
import type { Call } from "./connection_settings.ts";

/** Does an answer depend on more than the params, or is more wanted than the answer? */
export function isPersonal({ options: { onProgress, logLevel }, inputResponses, requestState }: Call): boolean {
  return [onProgress, logLevel, inputResponses, requestState].some((value) => value !== undefined);
}
