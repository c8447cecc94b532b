/** A server that asks for input, round by round. */
import type { InputHandlers, JsonObject, JsonValue } from "../../client/mod.ts";
import { scripted, text } from "./scripted.ts";
import type { ScriptedServer } from "./scripted.ts";

/** A schema of a form. */
export const CITY: JsonObject = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
/** A form without a mode. */
export const FORM: JsonObject = { method: "elicitation/create", params: { message: "Which city?", requestedSchema: CITY } };

/** A result that asks. */
export function ask(requests?: JsonObject, requestState?: string): JsonObject {
  return {
    resultType: "input_required",
    ...(requests === undefined ? {} : { inputRequests: requests }),
    ...(requestState === undefined ? {} : { requestState }),
  };
}

/** A server that answers its rounds in this order, then with "done". */
export function rounds(...answers: readonly JsonObject[]): ScriptedServer {
  let turn = 0;
  return scripted(({ method }) => method === "server/discover" ? undefined : answers[turn++] ?? text("done"));
}

/** Accepts every form with this content. */
export const formOf = (content: JsonObject): InputHandlers => ({ form: () => ({ action: "accept", content }) });

/** The answers that came with a round. */
export function answersOf(server: ScriptedServer, round: number): JsonValue | undefined {
  return server.requests()[round]?.params?.inputResponses;
}
