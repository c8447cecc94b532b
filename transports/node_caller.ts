/** Who calls, as the application around a handler for Node has found out. */
import { checkFunction, checkObject, checkOptionNames } from "../protocol/unknown_option.ts";
import type { AuthInfo } from "./transport.ts";

/** What is served: a fetch handler, and for verified callers a way past its own authentication. */
interface Answering {
  readonly fetch: (request: Request) => Response | Promise<Response>;
  readonly respond?: (request: Request, options: { readonly auth: AuthInfo<unknown> }) => Promise<Response>;
}

/** Options of `toNodeHandler`. */
export interface NodeHandlerOptions<R extends object = object> {
  /**
   * Gives the caller whom the application has verified, such as a `user` that a middleware of Express has put on the request;
   * handlers see it as `ctx.auth`. For undefined the request goes on as without this option: a server with an `auth` of its own
   * asks that, another one serves an anonymous caller.
   */
  readonly auth?: ((request: R) => AuthInfo<unknown> | undefined | PromiseLike<AuthInfo<unknown> | undefined>) | undefined;
}

/**
 * Makes what answers a request, given with the one that the application sees.
 *
 * @throws {TypeError} For an option that nobody reads, and for `auth` beside a server that takes no verified callers.
 */
export function withCaller(
  server: Answering,
  options: NodeHandlerOptions<never>,
): (request: Request, own: object) => Response | Promise<Response> {
  checkObject(options, "toNodeHandler.options");
  checkOptionNames(options, KNOWN, "toNodeHandler.");
  const { fetch } = server;
  const { auth } = options;
  if (auth === undefined) return (request) => fetch(request);
  checkFunction(auth, "toNodeHandler.auth");
  const { respond } = server;
  if (respond === undefined) throw new TypeError("toNodeHandler.auth: Expected a server with respond, as defineServer gives it");
  return async (request, own) => {
    const caller = await auth(own as never);
    if (caller === undefined) return await fetch(request);
    if (typeof caller?.principal !== "string" || caller.principal === "" || !Array.isArray(caller.scopes)) {
      throw new TypeError("toNodeHandler.auth: Expected a caller with a principal and scopes, or undefined");
    }
    return await respond(request, { auth: caller });
  };
}

const KNOWN: ReadonlySet<string> = new Set(["auth"]);
