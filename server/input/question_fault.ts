/** Questions to the client: what is wrong with one before it is sent. */
import { isJsonObject } from "../../protocol/json.ts";
import type { JsonValue } from "../../protocol/types.ts";
import { elicitationFault } from "./elicitation_fault.ts";
import { samplingFault } from "./sampling_fault.ts";

/**
 * Says what is wrong with a question written by hand (MCP 2026-07-28, Multi Round-Trip Requests § Input requests).
 *
 * @param question The question.
 * @param path Where it stands.
 * @returns A sentence that begins with the path, or undefined.
 */
export function questionFault(question: JsonValue | undefined, path: string): string | undefined {
  if (!isJsonObject(question)) return `${path}: Expected a question`;
  switch (question.method) {
    case "roots/list":
      return undefined;
    case "elicitation/create":
      return isJsonObject(question.params)
        ? elicitationFault(question.params, `${path}.params`)
        : `${path}.params: Expected an object`;
    case "sampling/createMessage":
      return isJsonObject(question.params)
        ? samplingFault(question.params, `${path}.params`)
        : `${path}.params: Expected an object`;
    default:
      return `${path}.method: Expected elicitation/create, sampling/createMessage or roots/list`;
  }
}
