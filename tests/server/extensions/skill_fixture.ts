/** What the tests of skills on a server share: skills of every kind, and what is read of them. */
import assert from "node:assert/strict";
import { dynamicSkill, skill, skills } from "../../../server/extensions/skills.ts";
import type { SkillsOptions } from "../../../server/extensions/skills.ts";
import { defineServer } from "../../../server/server.ts";
import type { Server } from "../../../server/server_types.ts";
import type { Way } from "../eras.ts";
import type { Json } from "../handshake_client.ts";

/** Who the servers are. */
export const INFO: { readonly name: string; readonly version: string } = { name: "x", version: "1.0.0" };

/** A `SKILL.md` of a name. */
export function manifest(name: string, description = "What it is for"): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n\nDo it.\n`;
}

/** What is no text. */
export const BYTES = Uint8Array.from([0x89, 0x50, 0, 0xff, 0xfe, 0x0d, 0x0a]);
/** Texts that must not be changed, by path. */
export const TEXTS: Readonly<Record<string, string>> = {
  "bom.md": "\ufeff# With a mark\n",
  "crlf.txt": "one\r\ntwo\rthree\n",
  "multi byte/ü&=.md": "grüße 🦊 e\u0301",
  "empty.txt": "",
};

/** A skill with directories, bytes, and another skill in it. */
export const refunds = await skill({
  uri: "skill://acme/billing/refunds/SKILL.md",
  files: { "SKILL.md": manifest("refunds"), ...TEXTS, "assets/seal.bin": BYTES, "inner/SKILL.md": manifest("inner") },
});
/** The skill in it. */
export const inner = await skill({
  uri: "skill://acme/billing/refunds/inner/SKILL.md",
  files: { "SKILL.md": manifest("inner") },
});
/** A skill of one file. */
export const greeting = await skill({ files: { "SKILL.md": manifest("greeting") }, meta: { "com.example/x": 1 } });
/** The `SKILL.md` of the dynamic skill. */
export const DAILY = "---\nname: daily\ndescription: Now\n---\n";
/** A skill that is made for each reader. */
export const daily = dynamicSkill({
  frontmatter: { name: "daily", description: "Now" },
  read: (path) => ({ "SKILL.md": DAILY, "a b/c.md": "at once", "seal.png": BYTES })[path],
  list: (directory) => ({ "": ["a b/", "SKILL.md", "seal.png"], "a b": ["c.md"], "void": [] })[directory],
});

/** A server of all these skills, or of others. */
export function serve(options: Partial<SkillsOptions> = {}): Server {
  const published = skills({ skills: [refunds, inner, greeting, daily], ...options });
  return defineServer({ ...INFO, extensions: [published] }) as Server;
}

/** Every item of a paged list. */
export async function all(way: Way, method: string, member: string, params: object = {}): Promise<Json[]> {
  const found: Json[] = [];
  let cursor: string | undefined;
  do {
    const { result } = await way.call(method, { ...params, ...(cursor === undefined ? {} : { cursor }) });
    found.push(...result[member]);
    cursor = result.nextCursor;
  } while (cursor !== undefined);
  return found;
}

/** The one content that a read gives. */
export async function contents(way: Way, uri: string): Promise<Json> {
  const { result } = await way.call("resources/read", { uri });
  assert.equal(result.contents.length, 1);
  assert.equal(result.contents[0].uri, uri);
  return result.contents[0];
}

/** The bytes of a content. */
export function bytesOf(content: Json): Uint8Array {
  return content.text === undefined
    ? Uint8Array.from(atob(content.blob), (char) => char.charCodeAt(0))
    : new TextEncoder().encode(content.text);
}
