/** Checks the option `sessions` of a server. */
import { checkOptionNames } from "../protocol/unknown_option.ts";
import type { ServerOptions } from "./server_options.ts";

const METHODS = ["get", "set", "delete", "list"] as const;

/** @throws {TypeError} When sessions are neither switched nor given a store. */
export function checkSessions(sessions: ServerOptions["sessions"]): void {
  if (sessions === undefined || typeof sessions === "boolean") return;
  if (typeof sessions !== "object" || sessions === null) throw new TypeError("sessions: Expected a boolean or an object");
  checkOptionNames(sessions, new Set(["store"]), "sessions.");
  const { store } = sessions;
  if (store === undefined) return;
  if (typeof store !== "object" || store === null || METHODS.some((method) => typeof store[method] !== "function")) {
    throw new TypeError(`sessions.store: Expected an object with ${METHODS.join(", ")}`);
  }
}
