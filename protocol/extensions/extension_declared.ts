/** Which extensions a client declares with a request. */
import { ERROR_CODES, ProtocolError } from "../errors.ts";
import { isJsonObject, ownMember } from "../json.ts";
import type { ServedExchange } from "./extension_serving.ts";
import type { ServerExtension } from "./extension_types.ts";

/** What tells an extension and where it exists. */
export type Declarable = Pick<ServerExtension, "id" | "handshake">;

type Declaring = Pick<ServedExchange, "dialect" | "request">;

/** Does the client declare the extension with this request, or in its handshake where the extension exists there? */
export function declares({ dialect, request }: Declaring, { id, handshake }: Declarable): boolean {
  const declared: unknown = request.clientCapabilities.extensions;
  return (dialect.handshake === undefined || handshake) && isJsonObject(declared) && isJsonObject(ownMember(declared, id));
}

/**
 * Refuses a client that does not declare the extension (MCP 2026-07-28, Basic § Error codes).
 *
 * @throws {ProtocolError} -32021, which names the extension.
 */
export function mustDeclare(exchange: Declaring, extension: Declarable): void {
  if (declares(exchange, extension)) return;
  const { id } = extension;
  throw new ProtocolError(ERROR_CODES.missing_capability, `Missing client capability: the extension ${id}`, {
    data: { requiredCapabilities: { extensions: { [id]: {} } } },
    reason: "missing_capability",
  });
}
