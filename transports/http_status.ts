/** HTTP statuses that more than one room answers with. */

/** The server cannot serve now: it closes, it has no room, or what it depends on fails (RFC 9110 § 15.6.4). */
export const SERVICE_UNAVAILABLE = 503;
