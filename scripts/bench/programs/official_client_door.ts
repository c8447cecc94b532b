/** What a bundle holds of the official client. */
export * from "@modelcontextprotocol/client";
