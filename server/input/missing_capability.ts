/** Which capabilities a client lacks for questions. */
import { ERROR_CODES, ProtocolError } from "../../protocol/errors.ts";
import type { ClientCapabilities, InputRequest, JsonObject } from "../../protocol/types.ts";

/** Says what a client lacks for one question; undefined when nothing is missing. */
export type MissingCapability = (request: InputRequest, declared: ClientCapabilities) => JsonObject | undefined;

/**
 * Refuses questions that the client cannot answer (MCP 2026-07-28, Multi Round-Trip Requests § Server requirements; MCP
 * 2025-11-25, Lifecycle § Operation).
 *
 * @param requests The questions.
 * @param declared What the client can do.
 * @param missingIn What a revision asks of clients; that of MCP 2026-07-28 by default.
 * @throws {ProtocolError} -32021, which names everything that is missing.
 */
export function checkCapabilities(
  requests: Iterable<InputRequest>,
  declared: ClientCapabilities,
  missingIn: MissingCapability = missingCapability,
): void {
  const missing: Record<string, JsonObject> = {};
  for (const request of requests) {
    const lacking = missingIn(request, declared) ?? {};
    for (const [name, parts] of Object.entries(lacking)) missing[name] = { ...missing[name], ...parts as JsonObject };
  }
  const names = Object.keys(missing);
  if (names.length === 0) return;
  throw new ProtocolError(ERROR_CODES.missing_capability, `Missing client capability: ${names.join(", ")}`, {
    data: { requiredCapabilities: missing },
    reason: "missing_capability",
  });
}

function missingCapability(request: InputRequest, { sampling, roots, elicitation }: ClientCapabilities): JsonObject | undefined {
  switch (request.method) {
    case "sampling/createMessage": {
      const { tools, toolChoice } = request.params;
      if ((tools !== undefined || toolChoice !== undefined) && sampling?.tools === undefined) return { sampling: { tools: {} } };
      return sampling === undefined ? { sampling: {} } : undefined;
    }
    case "roots/list":
      return roots === undefined ? { roots: {} } : undefined;
    case "elicitation/create": {
      const mode = request.params.mode === "url" ? "url" : "form";
      // An empty object stands for forms alone (MCP 2026-07-28, Elicitation § Capabilities).
      const has = elicitation !== undefined &&
        (elicitation[mode] !== undefined || (mode === "form" && elicitation.url === undefined));
      return has ? undefined : { elicitation: { [mode]: {} } };
    }
    default:
      return undefined;
  }
}
