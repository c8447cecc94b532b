/**
 * A client, a protected server and an authorization server, all on this machine. You sign in and decide in your browser.
 *
 *     deno run --allow-net=127.0.0.1 --allow-env examples/authorization/main.ts
 *
 * The network is for the three of them and reaches no further. The environment is read by a package below `oidc-provider` (`debug`
 * lists all names). No files, no programs: the page is opened by you, not by this program.
 */
// deno-lint-ignore-file no-console -- the transcript is what this program is for
import { connect, textOf } from "@causeway/mcp/client";
import { oauth } from "@causeway/mcp/client/auth";
import { startAuthorizationServer } from "./authorization_server.ts";
import { SCOPES, startNotesServer } from "./notes_server.ts";

/** Seconds: so short that you see a token being renewed. */
const LIFETIME = 4;

const authorization = await startAuthorizationServer({
  accounts: { ada: "engine" },
  lifetime: LIFETIME,
  onRequest: (line) => console.log(`    authorization server: ${line}`),
});
const notes = await startNotesServer(authorization.issuer);
authorization.protect(notes.url, SCOPES);

const auth = oauth({
  clientName: "Note taker",
  allowInsecureLoopback: true,
  // The listener for the answer is opened by the client. Without `open` it would open the browser, too.
  open: (url) => console.log(`\n>>> Open this page, and sign in as "ada" with the password "engine":\n\n${url}\n`),
});

console.log(`1. We connect to ${notes.url} without a token. It says where tokens are given.`);
const client = await connect(notes.url, { auth });

console.log("2. We may read now.");
console.log(`   list_notes: ${textOf(await client.callTool("list_notes"))}`);

console.log("3. Writing needs a second scope, so you are asked once more.");
console.log(`   add_note: ${textOf(await client.callTool("add_note", { text: "Mind the gap" }))}`);

console.log(`4. The token ends after ${LIFETIME} seconds. We wait, and renew it with a refresh token; you are not asked.`);
await new Promise((resolve) => setTimeout(resolve, LIFETIME * 1000));
console.log(`   list_notes: ${textOf(await client.callTool("list_notes"))}`);

await client.close();
await notes.close();
await authorization.close();
console.log("Done.");
