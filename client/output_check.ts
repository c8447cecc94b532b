/** Checks the structured content of tool results against the tool's output schema. */
import type { CheckValue, Validator } from "../protocol/json_schema.ts";
import type { JsonObject, JsonValue } from "../protocol/types.ts";
import { peerValidator } from "./interpreter.ts";

/** A check that is compiled at its first use, and the text of the schema it was compiled from. */
export interface OutputCheck {
  /** The schema. */
  readonly schema: JsonObject;
  /** Its text, once it was compiled: a later listing of the same schema takes over the check. */
  text: string | undefined;
  /** The compiled check; it rejects when the schema can't be compiled. */
  compiled: Promise<CheckValue> | undefined;
}

/** Makes a check that nothing was compiled for. */
export function outputCheck(schema: JsonObject): OutputCheck {
  return { schema, text: undefined, compiled: undefined };
}

/**
 * Checks a value. The schema comes from the server, so it is interpreted and never turned into code
 * (MCP 2026-07-28, Tools § Structured Content; Basic § JSON Schema Usage).
 *
 * @returns The first broken rule as the end of a sentence, or undefined.
 */
export async function checkOutput(
  check: OutputCheck,
  value: JsonValue,
  onWarning: (warning: string) => void,
): Promise<string | undefined> {
  check.compiled ??= compile(check, onWarning);
  let run: CheckValue;
  try {
    run = await check.compiled;
  } catch (error) {
    return `its schema can't be compiled: ${error instanceof Error ? error.message : "unknown reason"}`;
  }
  const [issue] = run(value);
  return issue === undefined
    ? undefined
    : `it does not fit its schema: ${issue.path === "" ? "" : `${issue.path} `}${issue.message}`;
}

async function compile(check: OutputCheck, onWarning: (warning: string) => void): Promise<CheckValue> {
  check.text = JSON.stringify(check.schema);
  const interpreter: Validator = await peerValidator(onWarning);
  return interpreter.compile(check.schema);
}
