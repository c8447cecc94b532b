/**
 * Server authorization door: lets callers in by their access token, and tells clients where to get one.
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
