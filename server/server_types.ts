/** A server as the application holds it. */
import type { Notify } from "../protocol/context.ts";
import type { Implementation } from "../protocol/types.ts";
import type { AuthInfo, MessageHandler, Served, ServerTypes } from "../transports/transport.ts";
import type { ServerOptions } from "./server_options.ts";

/** A server: compiled once, served anywhere. `export default` it for `deno serve`, Deno Deploy, Workers and Bun. */
export interface Server<T extends ServerTypes = ServerTypes> extends Served<T> {
  /** Answers an HTTP request. Needs no `this`; ignores further arguments, so that any platform may call it. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** The same for a request whose caller the application has verified itself. */
  respond(
    request: Request,
    options: { readonly auth?: AuthInfo | undefined; readonly signal?: AbortSignal | undefined },
  ): Promise<Response>;
  /** Answers one JSON-RPC message; what custom carriers call. */
  readonly handle: MessageHandler;
  /** Name, version and what else was given about the server. */
  readonly info: Implementation;
  /** Tells listeners about changes. */
  readonly notify: Notify;
  /** The same components with other options. */
  with(options: Partial<ServerOptions>): Server<T>;
  /** Takes nothing new, waits up to `drain` milliseconds for what runs, then aborts it. */
  close(options?: { readonly drain?: number | undefined }): Promise<void>;
}
