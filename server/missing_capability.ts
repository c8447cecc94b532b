/** Which capabilities a client lacks for questions. */
import { ERROR_CODES, ProtocolError } from "../protocol/errors.ts";
import type { ClientCapabilities, InputRequest, JsonObject } from "../protocol/types.ts";

/**
 * Refuses questions that the client can not answer (MCP 2026-07-28, Multi Round-Trip Requests § Server requirements).
 *
 * @throws {ProtocolError} -32021, which names everything that is missing.
 */
export function checkCapabilities(requests: Iterable<InputRequest>, declared: ClientCapabilities): void {
  const missing = missingCapabilities(requests, declared);
  if (missing === undefined) return;
  throw new ProtocolError(ERROR_CODES.missing_capability, `Missing client capability: ${Object.keys(missing).join(", ")}`, {
    data: { requiredCapabilities: missing },
    reason: "missing_capability",
  });
}

function missingCapabilities(requests: Iterable<InputRequest>, declared: ClientCapabilities): JsonObject | undefined {
  const missing: Record<string, JsonObject> = {};
  for (const request of requests) {
    if (request.method === "sampling/createMessage") {
      const { tools, toolChoice } = request.params;
      const usesTools = tools !== undefined || toolChoice !== undefined;
      if (usesTools && declared.sampling?.tools === undefined) missing.sampling = { tools: {} };
      else if (declared.sampling === undefined) missing.sampling ??= {};
    }
    if (request.method === "roots/list" && declared.roots === undefined) missing.roots = {};
    if (request.method === "elicitation/create") {
      const { elicitation } = declared;
      const mode = request.params.mode === "url" ? "url" : "form";
      // An empty object stands for forms alone (MCP 2026-07-28, Elicitation § Capabilities).
      const has = elicitation !== undefined &&
        (elicitation[mode] !== undefined || (mode === "form" && elicitation.url === undefined));
      if (!has) missing.elicitation = { ...missing.elicitation, [mode]: {} };
    }
  }
  return Object.keys(missing).length === 0 ? undefined : missing;
}
