/** Addresses as errors may tell them. */

/** An address without credentials, query and fragment, which may be secret. */
export function publicPart(url: URL): string {
  // Those of other schemes have no origin that could be told.
  return (url.origin === "null" ? url.protocol : url.origin) + url.pathname;
}
