/** Session ids as sealed tokens. */
import { SESSION_ID_LENGTH } from "../../protocol/limits.ts";
import type { SessionClaims, SessionTokens } from "../../transports/sessions/session_tokens.ts";
import { createSealer } from "../input/request_state.ts";
import type { StateBinding } from "../input/request_state.ts";

/** What {@linkcode createSessionTokens} takes. */
export interface SessionTokenOptions {
  /** Keys, newest first; one for this process is made without any. */
  readonly keys: readonly (Uint8Array | string)[] | undefined;
  /** The name of the server: an id opens on no other server with the same keys. */
  readonly server?: string | undefined;
  /** Milliseconds for which an id can be opened: limit `sessionAge`. */
  readonly lifetime: number;
  /** Called once when an id is sealed that no other process can open. */
  readonly onProcessKey: () => void;
}

/** Makes what seals and opens the ids of sessions, as request state is sealed, but for another purpose. */
export function createSessionTokens(options: SessionTokenOptions): SessionTokens {
  const sealer = createSealer({ ...options, maxBytes: SESSION_ID_LENGTH });
  return {
    async seal(claims, principal) {
      const { state: _state, ...bare } = claims;
      const binding = bindingOf(principal);
      return toHeader(await sealer.seal(claims, binding).catch(() => sealer.seal(bare, binding)));
    },
    async open(token, principal) {
      const base64 = fromHeader(token);
      const opened = base64 === undefined ? undefined : await sealer.open(base64, bindingOf(principal));
      return opened?.state as SessionClaims | undefined;
    },
  };
}

/** No request has a method of this name, so that no request state is ever taken for a session. */
function bindingOf(principal: string | undefined): StateBinding {
  return { principal: principal ?? "", method: "Mcp-Session-Id", request: principal === undefined ? "anonymous" : "named" };
}

/** Base64 in the alphabet for URLs, without padding (RFC 4648 § 5). */
function toHeader(base64: string): string {
  return base64.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function fromHeader(token: string): string | undefined {
  if (token.length > SESSION_ID_LENGTH || !/^[\w-]+$/.test(token)) return undefined;
  const base64 = token.replaceAll("-", "+").replaceAll("_", "/");
  return base64.padEnd(Math.ceil(base64.length / 4) * 4, "=");
}
