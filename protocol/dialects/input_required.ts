/** Reads results that ask for input (MCP 2026-07-28, Multi Round-Trip Requests). */
import type { Outcome, ResultIn } from "../dialect.ts";
import { isJsonObject, ownMember } from "../json.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import type { InputRequests } from "../types.ts";
import { unreadable } from "./outcomes.ts";

const INPUT_METHODS: ReadonlySet<unknown> = new Set(["elicitation/create", "sampling/createMessage", "roots/list"]);

/** Reads an InputRequiredResult: at least one of `inputRequests`, each of a known method, and `requestState`. */
export function readInputRequired(result: JsonObject): Outcome<ResultIn> {
  const requests = ownMember(result, "inputRequests");
  const state = ownMember(result, "requestState");
  if (state !== undefined && typeof state !== "string") {
    return unreadable("Invalid input_required result: requestState must be a string");
  }
  if (requests === undefined && state === undefined) {
    return unreadable("Invalid input_required result: inputRequests or requestState is required");
  }
  if (requests !== undefined && !isInputRequests(requests)) {
    return unreadable("Invalid input_required result: inputRequests must map keys to elicitation, sampling or roots requests");
  }
  return {
    ok: true,
    value: { type: "input_required", requests: (requests ?? {}) as unknown as InputRequests, requestState: state, result },
  };
}

function isInputRequests(value: JsonValue): boolean {
  return isJsonObject(value) &&
    Object.values(value).every((request) =>
      isJsonObject(request) && INPUT_METHODS.has(request.method) &&
      (request.method === "roots/list"
        ? request.params === undefined || isJsonObject(request.params)
        : isJsonObject(request.params))
    );
}
