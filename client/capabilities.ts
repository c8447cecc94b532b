/** What a client declares: what its input handlers imply, and what it states itself. */
import { isJsonObject } from "../protocol/json.ts";
import { checkObject } from "../protocol/unknown_option.ts";
import type { ClientCapabilities, JsonObject } from "../protocol/types.ts";
import type { InputHandlers } from "./options.ts";

/** What the capabilities are derived from. */
export interface CapabilitySources {
  /** Handlers for the server's questions. */
  readonly inputs: InputHandlers | undefined;
  /** What the program states. */
  readonly capabilities: ClientCapabilities | undefined;
}

/**
 * Derives the declared capabilities (MCP 2026-07-28, Elicitation, Sampling and Roots § Capabilities). What is stated beyond
 * the handlers is for programs that answer in manual rounds.
 *
 * @throws {TypeError} For a capability that is not an object.
 */
export function deriveCapabilities({ inputs, capabilities }: CapabilitySources): ClientCapabilities {
  const stated = statedCapabilities(capabilities);
  const derived: { -readonly [K in keyof ClientCapabilities]: ClientCapabilities[K] } = { ...stated };
  if (inputs?.form !== undefined || inputs?.url !== undefined) {
    // A stated empty object means forms alone.
    const elicitation = isEmpty(stated.elicitation) ? { form: {} } : stated.elicitation;
    derived.elicitation = {
      ...(inputs.form === undefined ? {} : { form: {} }),
      ...(inputs.url === undefined ? {} : { url: {} }),
      ...elicitation,
    };
  }
  if (inputs?.sampling !== undefined) derived.sampling = { ...stated.sampling };
  if (inputs?.roots !== undefined) derived.roots = { ...stated.roots };
  return derived;
}

function statedCapabilities(capabilities: ClientCapabilities = {}): ClientCapabilities {
  checkObject(capabilities, "connect.capabilities");
  const stated: Record<string, JsonObject> = {};
  for (const [name, value] of Object.entries(capabilities)) {
    if (value === undefined) continue;
    if (!isJsonObject(value)) throw new TypeError(`connect.capabilities.${name}: Expected an object`);
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    stated[name] = Object.fromEntries(members) as JsonObject;
  }
  return stated as ClientCapabilities;
}

function isEmpty(value: object | undefined): boolean {
  return value !== undefined && Object.keys(value).length === 0;
}
