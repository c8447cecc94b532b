/** Runs the cases over each carrier and revision and tells what came of each. */
import { connect } from "@causeway/mcp/client";
import { bearer } from "@causeway/mcp/server/auth";
import { CASES, OPTIONS, rejection, same } from "./cases.mjs";
import { server } from "./server.mjs";

/** The revisions that are spoken. */
export const REVISIONS = ["2026-07-28", "2025-11-25", "2025-06-18"];
const PATIENCE = 20_000;

/** Runs `run` and gives its name and what went wrong. */
export async function outcome(name, run) {
  let late;
  const patience = new Promise((_resolve, reject) => late = setTimeout(() => reject(new Error("takes too long")), PATIENCE));
  try {
    await Promise.race([run(), patience]);
    return { name };
  } catch (error) {
    return { name, error: String(error?.stack ?? error) };
  } finally {
    clearTimeout(late);
  }
}

/**
 * Runs the cases.
 *
 * @param carriers Name → what opens a client with options.
 * @param skip Tells which cases cannot be, by carrier, revision and case.
 */
export async function* runCases(carriers, skip = () => false) {
  for (const [carrier, open] of Object.entries(carriers)) {
    for (const protocol of REVISIONS) {
      let client;
      yield await outcome(`${carrier}, ${protocol}: connects`, async () => {
        client = await open({ ...OPTIONS, protocol });
        same(client.server.protocolVersion, protocol);
      });
      if (client === undefined) continue;
      for (const [name, run] of Object.entries(CASES)) {
        if (!skip(carrier, protocol, name)) yield await outcome(`${carrier}, ${protocol}: ${name}`, () => run(client));
      }
      yield await outcome(`${carrier}, ${protocol}: closes`, () => client.close());
    }
  }
}

/** The carriers that need nothing but the runtime. */
export const INSIDE = {
  "in process": (options) => connect(server, options),
  "fetch": (options) =>
    connect("http://localhost/mcp", { ...options, fetch: (input, init) => server.fetch(new Request(input, init)) }),
};

/** What concerns the runtime and no carrier. */
export async function* runAlone() {
  yield await outcome("bearer tokens are asked for and verified", async () => {
    const guarded = server.with({
      auth: bearer({
        resource: "http://localhost/mcp",
        authorizationServers: ["https://issuer.example"],
        verify: (token) => token === "good" ? { principal: "ada", scopes: [], claims: {} } : undefined,
      }),
    });
    const fetch = (input, init) => guarded.fetch(new Request(input, init));
    const refused = await rejection(connect("http://localhost/mcp", { fetch }));
    if (refused instanceof TypeError) throw refused;
    const client = await connect("http://localhost/mcp", { fetch, auth: "good" });
    same((await client.listTools()).length, 8);
    await client.close();
  });
  for (const door of ["", "/protocol", "/transports", "/testing", "/stores/memory", "/client/auth"]) {
    yield await outcome(`the door ".${door}" opens`, () => DOORS[door]());
  }
}

/** Written out, so that bundlers see them. */
const DOORS = {
  "": () => import("@causeway/mcp"),
  "/protocol": () => import("@causeway/mcp/protocol"),
  "/transports": () => import("@causeway/mcp/transports"),
  "/testing": () => import("@causeway/mcp/testing"),
  "/stores/memory": () => import("@causeway/mcp/stores/memory"),
  "/client/auth": () => import("@causeway/mcp/client/auth"),
};
