/** What handlers that ask for input need: loaded with the first question. */
export { ask, samplingParams } from "./ask.ts";
export { createInput } from "./create_input.ts";
export { QuestionKeys } from "./question_keys.ts";
