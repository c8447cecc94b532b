/** Checks the structured content of tool results against the tool's output schema. */
import type { CheckValue } from "../../protocol/json_schema.ts";
import type { JsonObject, JsonValue } from "../../protocol/types.ts";
import type { CompiledSchemas } from "./compiled_schemas.ts";

/** The check of one listed schema, which is compiled at its first use. */
export interface OutputCheck {
  /** The schema. */
  readonly schema: JsonObject;
  /** What compiles it, unless another listing had the same one. */
  readonly schemas: CompiledSchemas;
  /** The compiled check; it rejects when the schema can't be compiled. */
  compiled: Promise<CheckValue> | undefined;
}

/**
 * Checks a value (MCP 2026-07-28, Tools § Structured Content).
 *
 * @returns The first broken rule as the end of a sentence, or undefined.
 */
export async function checkOutput(
  check: OutputCheck,
  value: JsonValue,
  onWarning: (warning: string) => void,
): Promise<string | undefined> {
  check.compiled ??= check.schemas.get(check.schema, onWarning);
  let run: CheckValue;
  try {
    run = await check.compiled;
  } catch (error) {
    return `its schema cannot be compiled: ${error instanceof Error ? error.message : "unknown reason"}`;
  }
  const [issue] = run(value);
  return issue === undefined
    ? undefined
    : `it does not fit its schema: ${issue.path === "" ? "" : `${issue.path} `}${issue.message}`;
}
