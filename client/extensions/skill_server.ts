/** What is asked of one server about skills: whether it has them, their entries, and its directories. */
import { isMcpError, TransportError } from "../../protocol/errors.ts";
import { skillFault } from "../../protocol/extensions/skill_entry.ts";
import { LIST as LIST_OPTION } from "../../protocol/extensions/extension_list.ts";
import { canonicalSkillUri, skillRoot } from "../../protocol/extensions/skill_uri.ts";
import { SKILLS_ID } from "../../protocol/extensions/skills.ts";
import type { Skill } from "../../protocol/extensions/skills.ts";
import { isJsonObject, ownMember } from "../../protocol/json.ts";
import { DEEPEST_JSON, SKILL_CLIENT_LIMITS } from "../../protocol/limits.ts";
import type { JsonObject, JsonValue, Resource } from "../../protocol/types.ts";
import type { RequestOptions } from "../options.ts";
import { readPage } from "../results.ts";
import { untilAborted } from "../waits/until_aborted.ts";
import { shownUri } from "./shown_uri.ts";
import { SkillError } from "./skill_error.ts";
import { Walk } from "./skill_walk.ts";
import type { RefusedSkill, RemoteSkill, SkillListing, SkillPage, SkillsConnection } from "./skill_types.ts";

const LIST = "skills/list";
const GET = "skills/get";
const DIRECTORY = "resources/directory/read";

/** Asks one server. */
export class SkillServer {
  /** Its label. */
  readonly label: string;
  readonly #connection: SkillsConnection;
  #discovered: Promise<JsonObject> | undefined;

  /** Has asked nothing yet. */
  constructor(connection: SkillsConnection, label: string) {
    this.#connection = connection;
    this.label = label;
  }

  /** What it declares of skills, so far as connecting has told; undefined when it declares none. */
  get declared(): JsonObject | undefined {
    return declaredIn(this.#connection.server.capabilities as JsonObject);
  }

  /** Every page of `skills/list`. */
  async list(options: RequestOptions): Promise<SkillListing> {
    const refused: RefusedSkill[] = [];
    const seen = new Set<string>();
    let ttlMs = Infinity;
    const walk = new Walk({ method: LIST, server: this.label, most: SKILL_CLIENT_LIMITS.skills, options });
    const skills = await walk.run(async (cursor, paced) => {
      const page = await this.listPage(cursor, paced);
      refused.push(...page.refused);
      ttlMs = Math.min(ttlMs, page.ttlMs);
      this.#mustBeNew(page.skills, seen);
      return { items: page.skills, counted: [...page.skills, ...page.refused], nextCursor: page.nextCursor };
    });
    return { skills, refused, ttlMs };
  }

  /** One page of `skills/list`. */
  async listPage(cursor: string | undefined, options: RequestOptions): Promise<SkillPage> {
    await this.#mustDeclare(LIST, options);
    const result = await this.#connection.request(LIST, cursor === undefined ? {} : { cursor }, listOf("skills", options));
    const entries = ownMember(result, "skills");
    if (!Array.isArray(entries)) throw malformed(LIST, "skills is not a list");
    const nextCursor = ownMember(result, "nextCursor") ?? undefined;
    if (nextCursor !== undefined && typeof nextCursor !== "string") throw malformed(LIST, "nextCursor is not a string");
    const skills: RemoteSkill[] = [];
    const refused: RefusedSkill[] = [];
    for (const entry of entries as JsonValue[]) {
      const fault = skillFault(entry);
      if (fault === undefined) skills.push(this.#served(entry as unknown as Skill));
      else refused.push({ uri: uriOf(entry), fault });
    }
    this.#mustBeNew(skills, new Set());
    return { skills, refused, ttlMs: ttlOf(result), nextCursor };
  }

  /** The entry of one skill. */
  async get(uri: string, options: RequestOptions): Promise<RemoteSkill> {
    if (typeof uri !== "string" || skillRoot(uri) === undefined) {
      throw this.#fault("entry", uri, "it is not the URI of a SKILL.md");
    }
    await this.#mustDeclare(GET, options);
    const skill = ownMember(await this.#connection.request(GET, { uri }, options), "skill");
    const fault = skillFault(skill);
    if (fault !== undefined) throw this.#fault("entry", uri, `the server's entry is not one to load (${fault})`);
    const entry = skill as unknown as Skill;
    if (canonicalSkillUri(entry.uri) !== canonicalSkillUri(uri)) {
      throw this.#fault("entry", uri, `the server described ${JSON.stringify(shownUri(entry.uri))} instead`);
    }
    return this.#served(entry);
  }

  /** The direct children of a directory, as the server has them. */
  async directory(uri: string, options: RequestOptions): Promise<readonly Resource[]> {
    if (typeof uri !== "string" || uri === "") throw new TypeError("skills.directory: Expected a URI");
    await this.#mustDeclare(DIRECTORY, options);
    const shape = { method: DIRECTORY, member: "resources", strings: ["uri", "name"], objects: [] };
    const walk = new Walk({ method: DIRECTORY, server: this.label, most: SKILL_CLIENT_LIMITS.children, options });
    return await walk.run(async (cursor, paced) => {
      const params = cursor === undefined ? { uri } : { uri, cursor };
      // What is no resource can be neither shown nor read.
      const result = await this.#connection.request(DIRECTORY, params, listOf("resources", paced));
      const page = readPage<Resource>(shape, result, DEEPEST_JSON, () => undefined);
      return { ...page, counted: page.items };
    });
  }

  /** `resources/read`, past any cache of answers: what is verified is kept by its digest. */
  async read(uri: string, options: RequestOptions): Promise<JsonObject> {
    await this.#mustDeclare("resources/read", options);
    return await this.#connection.request("resources/read", { uri }, options);
  }

  /** Clients ask only what the server has declared (SEP-2640, Capability Negotiation). */
  async #mustDeclare(method: string, options: RequestOptions): Promise<void> {
    const settings = this.declared ?? declaredIn(await this.#unknown(options));
    if (settings === undefined) {
      throw new SkillError("unsupported", `Asking ${shownUri(this.label)} for ${method}: it does not declare ${SKILLS_ID}`, {
        server: this.label,
      });
    }
    if (method !== DIRECTORY || settings.directoryRead === true) return;
    throw new SkillError("unsupported", `Asking ${shownUri(this.label)} for ${method}: it does not declare directoryRead`, {
      server: this.label,
    });
  }

  /** Where connecting told nothing, the server is asked once. */
  async #unknown({ signal, timeout }: RequestOptions): Promise<JsonObject> {
    if (Object.keys(this.#connection.server.capabilities).length > 0) return {};
    this.#discovered ??= this.#connection.request("server/discover", {}, { timeout }).then((result) => {
      const capabilities = ownMember(result, "capabilities");
      return isJsonObject(capabilities) ? capabilities : {};
    }, (error: unknown) => {
      // Revisions with a handshake have no such method, and have told all by then.
      if (isMcpError(error) && error.kind === "protocol") return {};
      this.#discovered = undefined;
      throw error;
    });
    // Others may wait for the same answer, so that who leaves does not end the question.
    return await untilAborted(this.#discovered, signal);
  }

  #mustBeNew(skills: readonly RemoteSkill[], seen: Set<string>): void {
    for (const { uri } of skills) {
      const key = canonicalSkillUri(uri) as string;
      if (seen.has(key)) throw this.#fault("repeated", uri, "the server lists it twice");
      seen.add(key);
    }
  }

  /** The members that an entry has, and the server last: nothing on the wire can name another one. */
  #served({ uri, frontmatter, resources, _meta }: Skill): RemoteSkill {
    return { uri, frontmatter, resources, ...(_meta === undefined ? {} : { _meta }), server: this.label };
  }

  #fault(reason: "entry" | "repeated", uri: string, found: string): SkillError {
    const name = JSON.stringify(shownUri(uri));
    return new SkillError(reason, `Taking the skill ${name} of ${shownUri(this.label)}: ${found}`, { server: this.label, uri });
  }
}

function declaredIn(capabilities: JsonObject): JsonObject | undefined {
  const extensions = ownMember(capabilities, "extensions");
  const settings = isJsonObject(extensions) ? ownMember(extensions, SKILLS_ID) : undefined;
  return isJsonObject(settings) ? settings : undefined;
}

function uriOf(entry: JsonValue): string | undefined {
  const uri = isJsonObject(entry) ? ownMember(entry, "uri") : undefined;
  return typeof uri === "string" ? uri : undefined;
}

/** As for every other list, what is absent or malformed counts as 0 (MCP 2026-07-28, Caching § Time-to-Live Field). */
function ttlOf(result: JsonObject): number {
  const ttlMs = ownMember(result, "ttlMs");
  return Number.isSafeInteger(ttlMs) && (ttlMs as number) > 0 ? ttlMs as number : 0;
}

function malformed(method: string, found: string): TransportError {
  return new TransportError("not_mcp", `Reading the answer to ${method}: ${found}`);
}

/** Of the list in this member of the result, items that nest too deep are left out alone. */
function listOf(member: string, options: RequestOptions): RequestOptions {
  return { ...options, [LIST_OPTION]: member } as RequestOptions;
}
