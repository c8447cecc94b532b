import assert from "node:assert/strict";
import { person } from "./person.ts";

Deno.test("the example of authorization goes through with the permissions that it states, and asks a person twice", async () => {
  const path = new URL("../../examples/authorization/main.ts", import.meta.url).pathname;
  const stated = /deno run (--allow.*) examples\/authorization\/main\.ts/.exec(await Deno.readTextFile(path))?.[1]?.split(" ") ??
    [];
  assert.deepEqual(stated, ["--allow-net=127.0.0.1", "--allow-env"]);
  const args = ["run", "--no-check", "--no-prompt", "--cached-only", ...stated, path];
  const child = new Deno.Command(Deno.execPath(), { args, stdin: "null", stdout: "piped", stderr: "inherit" }).spawn();
  const ada = person();
  let text = "";
  let followed = 0;
  for await (const piece of child.stdout.pipeThrough(new TextDecoderStream())) {
    text += piece;
    const pages = [...text.matchAll(/^http:\S+\/auth\?\S+$/gm)].map(([url]) => new URL(url));
    for (const page of pages.slice(followed)) {
      followed++;
      const redirectUri = page.searchParams.get("redirect_uri") ?? "";
      const end = await ada.open(page, { redirectUri, signal: new AbortController().signal });
      assert.match(await (await fetch(end as URL)).text(), /You can close this window/);
    }
  }
  assert.equal((await child.status).code, 0, text);
  assert.deepEqual(ada.pages, ["Sign in", "Allow access?", "Allow access?"]);
  assert.deepEqual(ada.scopes[1]?.toSorted(), ["notes:read", "notes:write", "offline_access"]);
  const steps = ["list_notes: no notes", "add_note: kept", "POST /token", "list_notes: Mind the gap", "Done."];
  let at = 0;
  for (const step of steps) {
    at = text.indexOf(step, at);
    assert.notEqual(at, -1, `${step} is missing:\n${text}`);
  }
});
