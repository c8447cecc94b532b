/** A server as the application holds it. */
import type { Notify } from "../protocol/context.ts";
import type { Implementation } from "../protocol/types.ts";
import type { AuthInfo, MessageHandler, Served, ServerTypes } from "../transports/transport.ts";
import type { Catalogue, ComponentChange, Merged, Prefixed } from "./components/component_types.ts";
import type { ServerOptions } from "./options/server_options.ts";

/** A server: compiled once, served anywhere. `export default` it for `deno serve`, Deno Deploy, Workers and Bun. */
export interface Server<T extends ServerTypes = ServerTypes> extends Served<T> {
  /** Answers an HTTP request. Needs no `this`; ignores further arguments, so that any platform may call it. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** The same for a request whose caller the application has verified itself. */
  respond(
    request: Request,
    options: { readonly auth?: AuthInfo<unknown> | undefined; readonly signal?: AbortSignal | undefined },
  ): Promise<Response>;
  /** Answers one JSON-RPC message; what custom carriers call. */
  readonly handle: MessageHandler;
  /** The server's name, version and whatever else it was given about itself. */
  readonly info: Implementation;
  /** Tells listeners about changes. */
  readonly notify: Notify;
  /** A server with the present components and other options. */
  with(options: Partial<ServerOptions>): Server<T>;
  /**
   * A new server: this one, and the components that another one has now. The names of its tools and prompts stand behind
   * `prefix`; resources keep their URIs. Its middleware stays around its components and knows them by their own names; a list
   * it sees in part, as one page. Its other options stay behind, and what it is updated with later.
   *
   * @throws {TypeError} When a name or URI is taken twice, or a name with the prefix is no name.
   */
  mount<U extends ServerTypes, const X extends string = "">(
    other: Server<U>,
    options?: { readonly prefix?: X | undefined },
  ): Server<Merged<T, Prefixed<U, X>>>;
  /**
   * Swaps the catalogue in one step and tells listeners which lists have changed. What is left out stays as it is; calls that
   * run go on with what they began with. The static type does not change.
   *
   * A feature that the server was defined without cannot be added later, since clients were told what there is: `tools: []`
   * declares tools. Completion is declared as soon as a component completes.
   *
   * @returns Resolves when the listeners were told, and rejects when the bus did not take that.
   * @throws {TypeError} When something is wrong; then everything stays as it is.
   */
  update(change: ComponentChange | ((now: Catalogue) => ComponentChange)): Promise<void>;
  /** Takes nothing new, waits up to `drain` milliseconds (0 by default) for what runs, then aborts it. */
  close(options?: { readonly drain?: number | undefined }): Promise<void>;
}
