/** What a bundle holds of the official server. */
export * from "@modelcontextprotocol/server";
