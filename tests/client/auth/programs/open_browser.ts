/** Opens a page as a program does that may start the browser and nothing else; prints what came of it. */
import { openBrowser } from "../../../../client/auth/loopback.ts";
import { print } from "../../../../scripts/print.ts";

print(await openBrowser(new URL("https://as.example/authorize?a=1&b=%20")).then(() => "opened", String));
