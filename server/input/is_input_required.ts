/** Tells what a handler returns to ask for input from its results. */
import type { InputRequired } from "../../protocol/context.ts";
import { isJsonObject } from "../../protocol/json.ts";

/** Is this what `inputRequired` returns, or the same written out? */
export function isInputRequired(value: unknown): value is InputRequired {
  return isJsonObject(value) && value.resultType === "input_required";
}
