/** What handlers that ask for input need: loaded with the first question. */
import type { Question } from "../../protocol/context.ts";
import { SAMPLE_TOKENS } from "../../protocol/limits.ts";
import type { SamplingParams, SamplingResult } from "../../protocol/types.ts";
import { ask } from "./ask.ts";

export { checkAskTimeout } from "./ask_timeout.ts";
export { createInput } from "./create_input.ts";
export { QuestionKeys } from "./question_keys.ts";

/** The question of `ctx.sample`. */
export function sampling(prompt: string | SamplingParams, maxTokens: number | undefined): Question<SamplingResult> {
  return ask.sampling(samplingParams(prompt, maxTokens));
}

/** The params of a sampling request; a text becomes one message of the user. */
function samplingParams(prompt: string | SamplingParams, maxTokens: number | undefined): SamplingParams {
  if (typeof prompt !== "string") return maxTokens === undefined ? prompt : { ...prompt, maxTokens };
  return { messages: [{ role: "user", content: { type: "text", text: prompt } }], maxTokens: maxTokens ?? SAMPLE_TOKENS };
}
