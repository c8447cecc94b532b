/** Calls the server at the first argument five times at once, with the tokens of the file at the second, when told to. */
import { fileTokenStore, oauth } from "../../../client/auth/mod.ts";
import { connect, textOf } from "../../../client/mod.ts";

const [url = "", file = ""] = Deno.args;
const auth = oauth({
  store: fileTokenStore(file),
  open: () => Promise.reject(new Error("Nobody is here to be asked")),
  allowInsecureLoopback: true,
});
const say = (text: string): number => Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
say("ready");
await Deno.stdin.read(new Uint8Array(1));
const client = await connect(url, { auth });
const results = await Promise.all(Array.from({ length: 5 }, () => client.callTool("list_notes")));
await client.close();
say(JSON.stringify(results.map(textOf)));
