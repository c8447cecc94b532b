/** One of several processes that share a token store: calls a tool at the first argument with the store at the second. */
import { fileTokenStore, oauth } from "../../../../client/auth/mod.ts";
import { connect } from "../../../../client/mod.ts";
import { person } from "../world.ts";

const [url = "", file = ""] = Deno.args;
const auth = oauth({
  store: fileTokenStore(file),
  open: person(),
  redirectUri: "http://localhost:3000/callback",
  allowInsecureLoopback: true,
});
const client = await connect(url, { auth });
await client.callTool("x");
await client.close();
