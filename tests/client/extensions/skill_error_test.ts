/** Errors of skills and views whose URIs hold what is secret. */
import assert from "node:assert/strict";
import { inspect } from "node:util";
import { connect } from "../../../client/connect.ts";
import { apps } from "../../../client/extensions/apps.ts";
import { shownUri } from "../../../client/extensions/shown_uri.ts";
import { approvals, SkillError, skills } from "../../../client/extensions/skills.ts";
import type { ApprovalStore, RemoteSkill } from "../../../client/extensions/skills.ts";
import { TransportError } from "../../../protocol/errors.ts";
import { complete, DISCOVERED, scripted } from "../scripted.ts";
import { entryOf, skillSite, skillText } from "./skill_site.ts";

const URI = "skill://refunds/SKILL.md";
const SECRET = /hunter2|t0ken/;

/** Fails when an error tells a secret, or has lost what it is about. */
function quiet(reason: string, uri: string): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof SkillError, String(error));
    assert.equal(error.reason, reason);
    assert.equal(error.uri, uri);
    assert.match(error.message, /refunds/);
    assert.doesNotMatch(inspect(error), SECRET);
    assert.doesNotMatch(JSON.stringify(error), SECRET);
    return true;
  };
}

Deno.test("shownUri leaves out credentials, query and fragment", () => {
  assert.equal(shownUri("skill://ada:pw@host/a%20b?key=1#x"), "skill://…@host/a%20b?…");
  assert.equal(shownUri("ui://host/a#x"), "ui://host/a#…");
  assert.equal(shownUri("references/a.md?key=1"), "references/a.md?…");
  assert.equal(shownUri("a\u001b[2Jb\nc"), "a [2Jb c");
  assert.equal(shownUri(undefined), "undefined");
});

Deno.test("SkillError tells no credentials and no query of a URI, and still has it", async () => {
  const files = new Map([[URI, skillText("refunds")]]);
  const entry = await entryOf(URI, files);
  const entries = new Map([[URI, entry]]);
  let approved = true;
  const client = await connect(skillSite({ pages: [[entry]], entries, files }));
  const served = skills.on(client, { server: "https://docs.example/mcp?key=t0ken", approve: () => approved });
  const held = await served.load((await served.list()).skills[0] as RemoteSkill);
  const outside = "skill://ada:hunter2@refunds/other.md?key=t0ken";
  await assert.rejects(held.read(outside), quiet("unlisted", outside));
  await assert.rejects(held.directory(outside), quiet("unlisted", outside));
  await assert.rejects(served.get(`${URI}?key=t0ken`), quiet("entry", `${URI}?key=t0ken`));
  const other = { ...held.skill, server: "https://other.example/mcp?key=t0ken" };
  await assert.rejects(served.load(other), quiet("origin", URI));
  approved = false;
  await assert.rejects(served.load(held.skill), quiet("unapproved", URI));
  const store = new Map() as unknown as ApprovalStore;
  const stores = Object.assign(store, { list: () => [] });
  await assert.rejects(approvals(stores).approve({ ...held.skill, resources: "dynamic" }), quiet("dynamic", URI));
  await client.close();
});

Deno.test("apps tells no query of the URI of a view", async () => {
  const uri = "ui://card/view?key=t0ken";
  const tool = { name: "x", inputSchema: { type: "object" }, _meta: { ui: { resourceUri: uri } } };
  await using client = await connect(
    scripted(({ method }) => {
      if (method === "server/discover") {
        return { ...DISCOVERED, capabilities: { tools: {}, resources: {}, extensions: { "io.modelcontextprotocol/ui": {} } } };
      }
      return complete(method === "tools/list" ? { tools: [tool] } : { contents: [{ uri, mimeType: "text/plain", text: "" }] });
    }),
    { extensions: [apps] },
  );
  await assert.rejects(apps.on(client).resolve("x"), (error) => {
    assert.ok(error instanceof TransportError, String(error));
    assert.match(error.message, /ui:\/\/card\/view/);
    assert.doesNotMatch(error.message, SECRET);
    return true;
  });
});
