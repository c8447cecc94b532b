/** Names of grants and tokens in token requests. */

/** A JWT as grant (RFC 7523 § 2.1). */
export const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";

/** One token for another (RFC 8693 § 2.1). */
export const TOKEN_EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";

/** An identity assertion that serves as grant elsewhere. */
export const ID_JAG = "urn:ietf:params:oauth:token-type:id-jag";

/** An id token (RFC 8693 § 3). */
export const ID_TOKEN = "urn:ietf:params:oauth:token-type:id_token";

/** The profile that an authorization server announces when it takes identity assertions. */
export const ID_JAG_PROFILE = "urn:ietf:params:oauth:grant-profile:id-jag";
