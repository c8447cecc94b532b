/**
 * Door of the client's authorization: flows that give tokens to `connect`, and stores that keep them.
 *
 * @example A program that signs in for itself, and keeps its tokens in a file
 * ```ts
 * import { connect } from "@causeway/mcp/client";
 * import { clientCredentials, fileTokenStore } from "@causeway/mcp/client/auth";
 *
 * export function open(secret: string) {
 *   const auth = clientCredentials({
 *     clientId: "nightly",
 *     issuer: "https://login.example.com",
 *     authentication: { method: "client_secret_basic", secret },
 *     store: fileTokenStore("/var/lib/nightly/tokens.json"),
 *   });
 *   return connect("https://example.com/mcp", { auth });
 * }
 * ```
 *
 * @module
 */
export { AuthorizationError } from "../../protocol/errors.ts";
export type { AuthorizationFacts, AuthorizationReason } from "../../protocol/errors.ts";
export type { AuthProvider, AuthRequest, Challenge } from "../authorized_fetch.ts";
export type { Awaitable } from "../../protocol/types.ts";
export { oauth } from "./authorization_code.ts";
export type { OAuthOptions } from "./authorization_code.ts";
export type { ClientAuthentication } from "./client_authentication.ts";
export { clientCredentials } from "./client_credentials.ts";
export type { ClientCredentialsOptions } from "./client_credentials.ts";
export { enterpriseManaged } from "./enterprise_managed.ts";
export type { EnterpriseManagedOptions } from "./enterprise_managed.ts";
export { fileTokenStore } from "./file_store.ts";
export type { FlowOptions } from "./flow_options.ts";
export type { OpenPage } from "./redirect_target.ts";
export type { ClientOptions } from "./registration.ts";
export type { HostLookup } from "./host_lookup.ts";
export type { IssuerOptions } from "./issuer_binding.ts";
export { memoryTokenStore } from "./token_store.ts";
export type { TokenStore } from "./token_store.ts";
export { workloadIdentity } from "./workload_identity.ts";
export type { WorkloadIdentityOptions } from "./workload_identity.ts";
