/** Fuzz target for what views and hosts of apps post to each other. */
import { readBridgeMessage } from "../../protocol/extensions/bridge/read_bridge_message.ts";
import { everyMessage } from "../../tests/protocol/extensions/bridge/bridge_specimens.ts";
import { mutateJson } from "./random.ts";
import { growth, must, sameJson, target } from "./target.ts";

interface Posted {
  readonly from: "view" | "host";
  readonly value: unknown;
}

const SOUND = everyMessage();
const BOUNDS = { messageBytes: 4096, jsonDepth: 12, jsonElements: 400 } as const;
const WIDE = { messageBytes: 1_000_000_000, jsonDepth: 64, jsonElements: 10_000_000 } as const;

/** Messages of the bridge. */
export const BRIDGE = target<Posted>({
  name: "bridge of apps",
  weight: 8,
  make(random) {
    const { from, message } = random.pick(SOUND);
    return { from: random.oneIn(6) ? random.pick(["view", "host"]) : from, value: mutateJson(random, message, 3) };
  },
  check({ from, value }) {
    const open = new Set<string | number>([2]);
    const read = readBridgeMessage(value, from, { ...BOUNDS, open, asked: new Map([[1, "ui/initialize"], [2, "ping"]]) });
    if (!read.ok) {
      must(Number.isInteger(read.error.code), "a refusal has a code");
      must(read.id === undefined || !open.has(read.id), "an open request is not answered twice");
      return;
    }
    const { message } = read;
    must(JSON.stringify(message).length <= 2 * BOUNDS.messageBytes, "a message is as short as it has to be");
    if (message.kind === "response") return;
    must(message.kind !== "request" || !open.has(message.id), "an id is open once");
    const { kind: _, ...rest } = message;
    const again = readBridgeMessage({ jsonrpc: "2.0", ...rest }, from, BOUNDS);
    must(again.ok && sameJson(again.message, message), "a message that was read is read again as the same");
  },
  growth: [
    growth("many members", (size) => {
      const members = Array.from({ length: size }, (_, at) => [`k${at}`, at]);
      return { jsonrpc: "2.0", method: "ui/notifications/initialized", params: Object.fromEntries(members) };
    }, (value) => readBridgeMessage(value, "view", WIDE)),
    growth(
      "long text",
      (size) => ({ jsonrpc: "2.0", id: 1, method: "ui/open-link", params: { url: "é".repeat(size) } }),
      (value) => readBridgeMessage(value, "view", WIDE),
    ),
  ],
});
