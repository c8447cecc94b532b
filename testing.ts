/**
 * Test kit: a client of a server in the same process over any carrier, carriers that misbehave on purpose, snapshots of
 * conversations and catalogues, and the cases that a carrier of your own must pass. It works with any test runner.
 *
 * @example A tool, tested in process
 * ```ts
 * import { defineServer, tool } from "@causeway/mcp/server";
 * import { testClient } from "@causeway/mcp/testing";
 *
 * const hello = tool({ name: "hello", handler: () => "Hello!" });
 * const server = defineServer({ name: "greeter", version: "1.0.0", tools: [hello] });
 *
 * const client = await testClient(server, { protocol: "2025-11-25", over: "stdio" });
 * if (await client.tools.hello() !== "Hello!") throw new Error("Another answer came");
 * console.log(`${client.wire.length} messages were sent`);
 * await client.close();
 * ```
 *
 * @module
 */
export { testClient } from "./testing/test_client.ts";
export type { TestClient, TestClientOptions } from "./testing/test_client.ts";
export { recorded } from "./testing/recorded.ts";
export type { RecordedTransport } from "./testing/recorded.ts";
export { wireSnapshot } from "./testing/wire_snapshot.ts";
export type { WireEntry } from "./testing/wire_log.ts";
export { catalogSnapshot } from "./testing/catalog_snapshot.ts";
export type { CatalogSnapshotOptions } from "./testing/catalog_snapshot.ts";
export { faulty } from "./testing/faulty.ts";
export type { Faults } from "./testing/fault_plan.ts";
export { transportCases } from "./testing/transport_cases.ts";
export type { TransportCase } from "./testing/transport_cases.ts";
export type * from "./client/mod.ts";
export type * from "./server/mod.ts";
