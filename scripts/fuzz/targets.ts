/** Every fuzz target. */
import { BRIDGE } from "./bridge_target.ts";
import { EVENTS, LINES } from "./framing_targets.ts";
import { CHALLENGES, CLASSIFICATION, CURSORS, TEMPLATES } from "./protocol_targets.ts";
import { CLIENT, RESULT_READERS } from "./reader_targets.ts";
import { SESSION_IDS, STATE } from "./sealed_targets.ts";
import { SERVER } from "./server_target.ts";
import { FRONTMATTER, SKILL_ENTRIES, SKILL_URIS } from "./skill_targets.ts";
import type { FuzzTarget } from "./target.ts";
import { HEADERS, JSON_RPC } from "./wire_targets.ts";

/** Every fuzz target. */
export const TARGETS: readonly FuzzTarget[] = [
  JSON_RPC,
  CLASSIFICATION,
  HEADERS,
  EVENTS,
  LINES,
  TEMPLATES,
  CURSORS,
  CHALLENGES,
  STATE,
  SESSION_IDS,
  FRONTMATTER,
  SKILL_URIS,
  SKILL_ENTRIES,
  RESULT_READERS,
  BRIDGE,
  CLIENT,
  SERVER,
];
