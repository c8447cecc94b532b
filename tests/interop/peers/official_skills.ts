/**
 * Serves skills with the official package, in both kinds of revisions: over stdio, or called with `http` over HTTP on a free port
 * of loopback, which it prints. With `dynamic` the skills are made for each reader.
 */
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { memorySkillFiles, type Skill, SkillsExtension } from "@modelcontextprotocol/server/ext/skills";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { writeStderr } from "./write_stderr.ts";

/** Frontmatter that is legal and read in more than one way by careless readers. */
const ODD = `name: odd
description: >-
  Ünïcode: folded
  over lines
license: "MIT"
metadata: {version: "1.0", "a b": 'it''s'}
enabled: yes
version: 1.10
octal: 0o17
decimal: 017
hex: 0xff
date: 2026-01-01
nothing: ~
empty:
tags:
- a
- [1, {x: true}]
text: |
  line one

  line two
`;

const FILES = {
  "plain/SKILL.md": "---\nname: plain\ndescription: A plain one\n---\n# Plain\n",
  "plain/references/one.md": "One\n",
  "plain/references/deep/two.md": "Zwei €\n",
  "plain/assets/bytes.bin": Uint8Array.from({ length: 256 }, (_, byte) => byte),
  "plain/assets/with space & ümlaut.txt": "spaced",
  "plain/inner/SKILL.md": "---\nname: inner\ndescription: A skill inside\n---\n",
  "odd/SKILL.md": `\ufeff---\r\n${ODD.replaceAll("\n", "\r\n")}---\r\nBody\r\n`,
  "odd/empty.txt": "",
};

const LIVE: Skill = {
  uri: "skill://live/SKILL.md",
  frontmatter: { name: "live", description: "Made on the spot" },
  resources: "dynamic",
};

const dynamic = new SkillsExtension({
  source: {
    list: () => Promise.resolve({ skills: [] }),
    get: (uri) => Promise.resolve(uri === LIVE.uri ? LIVE : undefined),
    read: (uri) => {
      if (uri === LIVE.uri) return Promise.resolve({ text: "---\nname: live\ndescription: Made on the spot\n---\n" });
      return Promise.resolve(uri === "skill://live/now.txt" ? { text: "now" } : undefined);
    },
  },
});

const skills = Deno.args.includes("dynamic") ? dynamic : await SkillsExtension.load(memorySkillFiles(FILES), {
  strict: true,
  pageSize: 2,
  cacheHint: { ttlMs: 1000, cacheScope: "public" },
});

function server(): McpServer {
  const server = new McpServer({ name: "official-skills", version: "2.4.0" });
  skills.attach(server);
  return server;
}

if (Deno.args.includes("http")) {
  const handler = createMcpHandler(server, { onerror: (error) => writeStderr(error.message) });
  const http = Deno.serve({
    hostname: "127.0.0.1",
    port: 0,
    onListen: ({ port }) => Deno.stdout.writeSync(new TextEncoder().encode(`${JSON.stringify({ port })}\n`)),
  }, (request) => handler.fetch(request));
  for await (const _chunk of Deno.stdin.readable);
  await handler.close();
  await http.shutdown();
} else {
  serveStdio(server, { onerror: (error) => writeStderr(error.message) });
}
