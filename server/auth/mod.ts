/**
 * Server authorization door: lets callers in by their access token, and tells clients where to get one.
 *
 * @example A server that wants a token
 * ```ts
 * import { defineServer, tool } from "@causeway/mcp/server";
 * import { bearer, jwt } from "@causeway/mcp/server/auth";
 *
 * const auth = bearer({
 *   resource: "https://mcp.example.com/mcp",
 *   authorizationServers: ["https://auth.example.com"],
 *   verify: jwt({ issuer: "https://auth.example.com", audience: "https://mcp.example.com/mcp" }),
 * });
 * const whoami = tool({ name: "whoami", handler: (_args, ctx) => `You are ${auth.of(ctx).principal}` });
 *
 * export default defineServer({ name: "private", version: "1.0.0", hosts: ["mcp.example.com"], auth, tools: [whoami] });
 * ```
 *
 * @module
 */
export { bearer } from "./bearer.ts";
export type { BearerOptions } from "./bearer_options.ts";
export type { DpopMode } from "./refusals.ts";
export { introspection } from "./introspection.ts";
export type { IntrospectionOptions } from "./introspection.ts";
export { jwt } from "./jwt.ts";
export type { JwtOptions } from "./jwt.ts";
export type { ReadClaims, TokenClaims } from "./claims.ts";
export type { Fetch } from "./remote_json.ts";
export type { TokenVerifier, VerifiedToken } from "./token_verifier.ts";
export type { AuthInfo } from "../../protocol/auth/auth_info.ts";
export type { Authenticator } from "../../protocol/auth/authenticator.ts";
