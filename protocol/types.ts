/** The vocabulary of the protocol: shapes that cross the wire, spelled as the specification spells them, by chapters. */

export type { JsonObject, JsonValue } from "./json.ts";
export type { LimitOptions, Limits } from "./limits.ts";
export type * from "./types/capabilities.ts";
export type * from "./types/common.ts";
export type * from "./types/content.ts";
export type * from "./types/definitions.ts";
export type * from "./types/input.ts";
export type * from "./types/json_rpc.ts";
export type * from "./types/notices.ts";
export type * from "./types/results.ts";
export type * from "./types/sampling.ts";

/** A value, or a promise of one. */
export type Awaitable<T> = T | PromiseLike<T>;

/** Protocol revisions this package speaks, newest first; other strings are allowed so that newer ones can be named. */
export type ProtocolVersion = "2026-07-28" | "2025-11-25" | "2025-06-18";

/** Stateless revisions are "modern"; those that begin with a handshake are "legacy". */
export type Era = "modern" | "legacy";

/** Headers as `fetch` takes them, without a name that only the DOM library knows. */
export type HeadersLike = Headers | Readonly<Record<string, string>> | readonly (readonly [name: string, value: string])[];
