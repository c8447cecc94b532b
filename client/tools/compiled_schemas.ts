/** Compiles the output schemas of a server: those of equal text once, however often they are listed. */
import type { CheckValue } from "../../protocol/json_schema.ts";
import { COMPILED_LENGTH, SCHEMA_LIMITS } from "../../protocol/limits.ts";
import type { JsonObject } from "../../protocol/types.ts";
import { peerValidator } from "../peer_validator.ts";

/** Keeps compiled checks by the text of their schema; what was not asked for the longest goes first. */
export class CompiledSchemas {
  readonly #byText = new Map<string, Promise<CheckValue>>();
  #length = 0;

  /**
   * Gives the check of a schema. The schema comes from the server, so it is interpreted and never turned into code
   * (MCP 2026-07-28, Tools § Structured Content; Basic § JSON Schema Usage).
   *
   * @param schema The schema.
   * @param onWarning Takes the end of a sentence for each pattern that is not run, when the schema is compiled.
   * @throws {TypeError} When the schema cannot be compiled.
   */
  async get(schema: JsonObject, onWarning: (warning: string) => void): Promise<CheckValue> {
    const text = JSON.stringify(schema);
    const known = this.#byText.get(text);
    const check = known ?? peerValidator(onWarning).then((validator) => validator.compile(schema));
    if (text.length <= COMPILED_LENGTH) this.#keep(text, check);
    return await check;
  }

  #keep(text: string, check: Promise<CheckValue>): void {
    // Set anew, so that the order is that of the last use.
    if (!this.#byText.delete(text)) this.#length += text.length;
    this.#byText.set(text, check);
    for (const oldest of this.#byText.keys()) {
      if (this.#byText.size <= SCHEMA_LIMITS.compiled && this.#length <= COMPILED_LENGTH) break;
      this.#byText.delete(oldest);
      this.#length -= oldest.length;
    }
  }
}
