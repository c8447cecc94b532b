/** The version of the bridge between hosts and views. */

/** The version of the bridge (MCP Apps, 2026-01-26). It has nothing to do with the revisions of MCP. */
export const BRIDGE_VERSION = "2026-01-26";
