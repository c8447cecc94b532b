/** Checks the option `sessions` of a server. */
import { checkOptionNames } from "../../protocol/unknown_option.ts";
import type { ServerOptions } from "./server_options.ts";

const METHODS = ["get", "set", "delete", "list"] as const;

/** @throws {TypeError} When sessions are neither switched nor given a store. */
export function checkSessions(sessions: ServerOptions["sessions"]): void {
  if (sessions === undefined || typeof sessions === "boolean") return;
  checkOptionNames(sessions, new Set(["store"]), "sessions.");
  const { store } = sessions;
  if (store === undefined) return;
  if (METHODS.some((method) => typeof (store as typeof store | null)?.[method] !== "function")) {
    throw new TypeError(`sessions.store: Expected an object with ${METHODS.join(", ")}`);
  }
}
