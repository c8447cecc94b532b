/** What a client takes, by its Accept header (RFC 9110 § 12.5.1). */

/** What clients send (MCP 2026-07-28, Streamable HTTP § Sending messages), compared before anything is parsed. */
export const USUAL_ACCEPT = "application/json, text/event-stream";

/** Is a body of JSON taken? Everything is when there is no header. */
export function acceptsJson(accept: string | null): boolean {
  return accept === null || accept === USUAL_ACCEPT || accepts(accept, "application", "json");
}

/** Is a stream of events taken? Everything is when there is no header. */
export function acceptsEvents(accept: string | null): boolean {
  return accept === null || accept === USUAL_ACCEPT || accepts(accept, "text", "event-stream");
}

/** Is a media type in an Accept header, with a weight other than zero? The most specific range decides. */
function accepts(accept: string, type: string, subtype: string): boolean {
  let best = -1;
  let weight = 0;
  for (const range of accept.toLowerCase().split(",")) {
    const [media = "", ...params] = range.split(";").map((part) => part.trim());
    const rank = [`*/*`, `${type}/*`, `${type}/${subtype}`].indexOf(media);
    if (rank < best || rank < 0) continue;
    const q = params.find((param) => param.startsWith("q="));
    best = rank;
    weight = q === undefined ? 1 : Number(q.slice(2));
  }
  return weight > 0;
}
