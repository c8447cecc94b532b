/**
 * Skills on a client (`io.modelcontextprotocol/skills`): finds, loads and reads them, and verifies what it reads. Nothing of a
 * skill is carried out, approved or written to a disk here; all of it is a stranger's text.
 *
 * @example The skills of a server, and the text of one
 * ```ts ignore
 * import { connect } from "@causeway/mcp/client";
 * import { skills } from "@causeway/mcp/client/skills";
 *
 * const client = await connect("https://example.com/mcp");
 * const found = skills.on(client, { server: "manners", approve: () => true }); // ask a person instead
 * for (const skill of (await found.list()).skills) console.log((await found.load(skill)).manifest.text);
 * await client.close();
 * ```
 *
 * @module
 */
import { skillFault } from "../../protocol/extensions/skill_entry.ts";
import { frozenCopy } from "../../protocol/frozen_copy.ts";
import { isJsonObject } from "../../protocol/json.ts";
import { SKILL_CLIENT_LIMITS } from "../../protocol/limits.ts";
import { checkObject, checkOptionNames } from "../../protocol/unknown_option.ts";
import type { RequestOptions } from "../options.ts";
import { holdSkill } from "./held_skill.ts";
import { shownUri } from "./shown_uri.ts";
import { SkillCache } from "./skill_cache.ts";
import { SkillError } from "./skill_error.ts";
import { SkillServer } from "./skill_server.ts";
import type { HeldSkill, RemoteSkill, SkillsClient, SkillsConnection, SkillsOptions } from "./skill_types.ts";

export type { Skill, SkillFile } from "../../protocol/extensions/skills.ts";
export { approvals } from "./skill_approvals.ts";
export type { ApprovalStore, SkillApprovals } from "./skill_approvals.ts";
export { SkillError } from "./skill_error.ts";
export type { SkillErrorFacts, SkillErrorReason } from "./skill_error.ts";
export { skillFingerprint } from "./skill_fingerprint.ts";
export type {
  HeldSkill,
  RefusedSkill,
  RemoteSkill,
  SkillContent,
  SkillListing,
  SkillPage,
  SkillsClient,
  SkillsConnection,
  SkillsOptions,
} from "./skill_types.ts";
export type * from "../mod.ts";

/** The Skills extension on the client's side. */
export interface SkillsClientExtension {
  /**
   * The skills of the server that a client is connected to. Nothing is asked by that.
   *
   * @throws {TypeError} For what is not a client, and for a label that is no text of 1 to 256 characters.
   */
  on(client: SkillsConnection, options: SkillsOptions): SkillsClient;
}

/**
 * Skills of any client: a client declares nothing for them, so that `connect` need not know (SEP-2640, Capability Negotiation).
 *
 * ```ts
 * import { connect, defineServer } from "@causeway/mcp";
 * import { approvals, skills } from "@causeway/mcp/client/skills";
 * import { skill, skills as publish } from "@causeway/mcp/server/skills";
 * import { memoryStore } from "@causeway/mcp/stores/memory";
 *
 * const text = "---\nname: greeting\ndescription: How guests are greeted\n---\nSay hello first.\n";
 * const published = publish({ skills: [await skill({ files: { "SKILL.md": text } })] });
 * const server = defineServer({ name: "hotel", version: "1.0.0", extensions: [published] });
 *
 * const client = await connect(server);
 * const approved = approvals(memoryStore());
 * const hotel = skills.on(client, { server: "hotel", approve: (skill) => approved.has(skill) });
 * for (const skill of (await hotel.list()).skills) {
 *   await approved.approve(skill); // only after a person has looked at it and agreed
 *   const held = await hotel.load(skill);
 *   console.log(`From ${held.server}: ${held.manifest.text}`);
 * }
 * await client.close();
 * ```
 */
export const skills: SkillsClientExtension = Object.freeze({ on: skillsOf });

const KNOWN: ReadonlySet<string> = new Set(["server", "approve", "cacheBytes"]);

function skillsOf(
  client: SkillsConnection,
  options: SkillsOptions,
): SkillsClient {
  if (typeof client?.request !== "function") throw new TypeError("skills.on: Expected a connected client");
  checkObject(options, "skills.on.options");
  checkOptionNames(options, KNOWN, "skills.on.");
  const { server, approve, cacheBytes = SKILL_CLIENT_LIMITS.kept } = options;
  if (typeof server !== "string" || server === "" || server.length > SKILL_CLIENT_LIMITS.label) {
    throw new TypeError(`skills.on.server: Expected a label of 1 to ${SKILL_CLIENT_LIMITS.label} characters`);
  }
  if (approve !== undefined && typeof approve !== "function") throw new TypeError("skills.on.approve: Expected a function");
  if (!Number.isSafeInteger(cacheBytes) || cacheBytes < 0) {
    throw new TypeError("skills.on.cacheBytes: Expected a number of bytes");
  }
  const asked = new SkillServer(client, server);
  const cache = new SkillCache(cacheBytes);
  const load = async (wanted: RemoteSkill | string, options: RequestOptions): Promise<HeldSkill> => {
    const entry = typeof wanted === "string" ? await asked.get(wanted, options) : wanted;
    if (!isJsonObject(entry)) throw new TypeError("skills.load: Expected an entry or the URI of one");
    // Nobody can change what the skill is held by.
    const skill = frozenCopy(entry);
    mustBeLoadable(skill, server);
    if (approve !== undefined && await approve(skill) !== true) throw fault("unapproved", skill, server, "it is not approved");
    return await holdSkill({ asked, cache, skill, options });
  };
  return Object.freeze(
    {
      server,
      get supported() {
        return asked.declared !== undefined;
      },
      get directoryRead() {
        return asked.declared?.directoryRead === true;
      },
      list: (options = {}) => asked.list(options),
      listPage: (cursor, options = {}) => asked.listPage(cursor, options),
      get: (uri, options = {}) => asked.get(uri, options),
      load: (skill, options = {}) => load(skill, options),
      directory: (uri, options = {}) => asked.directory(uri, options),
    } satisfies SkillsClient,
  );
}

/** An entry is a stranger's, too, and may have been kept or changed since it was read. */
function mustBeLoadable(skill: RemoteSkill, server: string): void {
  const found = skillFault(skill);
  if (found !== undefined) throw fault("entry", skill, server, found);
  if (skill.server !== server) {
    throw fault("origin", skill, server, `it is a skill of ${JSON.stringify(shownUri(skill.server))}`);
  }
}

function fault(reason: "entry" | "origin" | "unapproved", skill: RemoteSkill, server: string, found: string): SkillError {
  const { uri } = skill;
  return new SkillError(reason, `Loading the skill ${JSON.stringify(shownUri(uri))} from ${shownUri(server)}: ${found}`, {
    server,
    uri,
  });
}
