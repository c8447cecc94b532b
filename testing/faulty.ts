/** `faulty`: a carrier that misbehaves on purpose. */
import type { JsonRpcMessage } from "../protocol/types.ts";
import { checkObject, checkOptionNames } from "../protocol/unknown_option.ts";
import type { ByteChannel, Channel, Transport } from "../transports/transport.ts";
import { createFaultPlan } from "./fault_plan.ts";
import type { Faults } from "./fault_plan.ts";
import { faultyChannel } from "./faulty_channel.ts";
import type { Ends } from "./faulty_channel.ts";
import { faultyTransport } from "./faulty_transport.ts";

/**
 * Puts faults between a client and its carrier: what is dropped never comes, and the call ends with its timeout.
 *
 * ```ts
 * import { connect } from "@causeway/mcp/client";
 * import { defineServer, tool } from "@causeway/mcp/server";
 * import { faulty } from "@causeway/mcp/testing";
 * import { connectInMemory } from "@causeway/mcp/transports";
 *
 * const hello = tool({ name: "hello", handler: () => "Hello!" });
 * const server = defineServer({ name: "greeter", version: "1.0.0", tools: [hello] });
 * const slow = faulty(connectInMemory(server), { delay: { chance: 0.5, ms: 20 }, seed: 7 });
 * const client = await connect(slow);
 * await client.callTool("hello"); // arrives, though late
 * await client.close();
 * ```
 *
 * @param transport Any carrier.
 * @param faults What goes wrong, and how often.
 * @throws {TypeError} For what is not a carrier, for an unknown fault, and for a malformed chance, time or number of bytes.
 */
export function faulty(transport: Transport, faults: Faults): Transport;
/**
 * Puts faults into a channel of bytes, cut at any of them; `lines(faulty(socket, faults))` makes a channel of messages of it.
 *
 * @throws {TypeError} As for a carrier.
 */
export function faulty(bytes: ByteChannel, faults: Faults): ByteChannel;
/**
 * Puts faults into a channel of messages.
 *
 * @throws {TypeError} As for a carrier.
 */
export function faulty(channel: Channel, faults: Faults): Channel;
export function faulty(target: Transport | ByteChannel | Channel, faults: Faults): Transport | ByteChannel | Channel {
  checkObject(target, "faulty.target");
  checkObject(faults, "faulty.faults");
  checkOptionNames(faults, KNOWN, "faults.");
  if (!("exchange" in target || ("readable" in target && "writable" in target))) {
    throw new TypeError("faulty.target: Expected a transport or a channel");
  }
  const plan = createFaultPlan(faults);
  if ("exchange" in target) return faultyTransport(target, plan);
  return faultyChannel(target as Ends<JsonRpcMessage | Uint8Array>, plan) as ByteChannel | Channel;
}

const KNOWN: ReadonlySet<string> = new Set(
  [
    "seed",
    "drop",
    "duplicate",
    "reorder",
    "truncate",
    "delay",
    "cutAfterBytes",
    "way",
  ] satisfies readonly (keyof Faults)[],
);
