/** A skill that was loaded, and what may be read of it. */
import { DIRECTORY_TYPE } from "../../protocol/extensions/skills.ts";
import type { SkillFile } from "../../protocol/extensions/skills.ts";
import { frontmatterDifference } from "../../protocol/extensions/skill_frontmatter.ts";
import { canonicalSkillUri, isInSkill, skillRoot } from "../../protocol/extensions/skill_uri.ts";
import { SKILL_LIMITS } from "../../protocol/limits.ts";
import type { Resource } from "../../protocol/types.ts";
import type { RequestOptions } from "../options.ts";
import { shownUri } from "./shown_uri.ts";
import type { KeptFile, SkillCache } from "./skill_cache.ts";
import { SkillError } from "./skill_error.ts";
import type { SkillErrorReason } from "./skill_error.ts";
import { manifestFault, readSkillFile, textOfBytes } from "./skill_file.ts";
import { skillFingerprint } from "./skill_fingerprint.ts";
import { skillReference } from "./skill_reference.ts";
import type { SkillServer } from "./skill_server.ts";
import type { HeldSkill, RemoteSkill, SkillContent } from "./skill_types.ts";

/** What a skill is held with. */
export interface HoldSkillOptions {
  /** Its server. */
  readonly asked: SkillServer;
  /** The verified files of that server. */
  readonly cache: SkillCache;
  /** The entry, which nobody can change any more. */
  readonly skill: RemoteSkill;
  /** Options of the first read. */
  readonly options: RequestOptions;
}

/**
 * Loads a skill.
 *
 * @throws {SkillError} When its `SKILL.md` is not what the entry says.
 */
export async function holdSkill({ options, ...held }: HoldSkillOptions): Promise<HeldSkill> {
  const files = new HeldFiles({ ...held, fingerprint: await skillFingerprint(held.skill) });
  const { skill, fingerprint } = files;
  const manifest = await files.read(skill.uri, options) as SkillContent & { readonly text: string };
  return Object.freeze(
    {
      server: skill.server,
      skill,
      fingerprint,
      manifest,
      read: (reference, options = {}) => files.read(reference, options),
      directory: (reference = "", options = {}) => files.directory(reference, options),
      refresh: (options = {}) => held.asked.get(skill.uri, options),
    } satisfies HeldSkill,
  );
}

interface Target {
  /** In the one spelling for comparison. */
  readonly key: string;
  /** In the spelling to ask with. */
  readonly uri: string;
  /** What the entry says of it; undefined for dynamic skills. */
  readonly file: SkillFile | undefined;
}

/** The files of one held skill. */
class HeldFiles {
  readonly skill: RemoteSkill;
  readonly fingerprint: string | undefined;
  readonly #asked: SkillServer;
  readonly #cache: SkillCache;
  /** Its directory, in the one spelling and in that of the entry. */
  readonly #root: string;
  readonly #base: string;
  readonly #own: string;
  readonly #files: ReadonlyMap<string, SkillFile> | undefined;
  /** Bytes that may still be read, where the entry does not tell them; less than 0 once there were more. */
  #room: number = SKILL_LIMITS.bytes;

  constructor({ asked, cache, skill, fingerprint }: Omit<HoldSkillOptions, "options"> & { fingerprint: string | undefined }) {
    this.skill = skill;
    this.fingerprint = fingerprint;
    this.#asked = asked;
    this.#cache = cache;
    this.#root = skillRoot(skill.uri) as string;
    this.#base = skill.uri.slice(0, skill.uri.lastIndexOf("/"));
    this.#own = canonicalSkillUri(skill.uri) as string;
    const { resources } = skill;
    this.#files = resources === "dynamic" ? undefined : new Map(
      resources.map((file) => [canonicalSkillUri(file.uri) as string, file]),
    );
  }

  async read(reference: string, options: RequestOptions): Promise<SkillContent> {
    const target = this.#find(reference);
    const { file, uri, key } = target;
    const cached = file && this.#cache.get(key, file.digest);
    // Another entry may say another size of the same bytes.
    const kept = cached?.bytes.byteLength === file?.size ? cached : undefined;
    const { bytes, mimeType } = kept ?? await this.#fetch(target, options);
    const text = textOfBytes(bytes);
    // The frontmatter of other skills inside this one is text (SEP-2640, Nested Skills).
    if (key === this.#own) {
      const found = manifestFault(text, this.skill.frontmatter);
      if (found !== undefined) throw await this.#stale("frontmatter", uri, found, options);
    }
    if (file !== undefined && kept === undefined) this.#cache.set(key, file.digest, { bytes, mimeType });
    const { server } = this.skill;
    return { server, skill: this.skill.uri, uri, mimeType, bytes: bytes.slice(), text, verified: file !== undefined };
  }

  async directory(reference: string, options: RequestOptions): Promise<readonly Resource[]> {
    const path = typeof reference === "string" ? skillReference(this.#base, reference) : undefined;
    const key = path === undefined ? undefined : canonicalSkillUri(path);
    if (path === undefined || key === undefined || (key !== this.#root && !isInSkill(this.#root, key))) {
      throw this.#fault("unlisted", String(reference), "it is not a directory of the skill");
    }
    const children = await this.#asked.directory(path, options);
    // It never adds to what the entry lists (SEP-2640, Directory Reads and the Held Entry).
    return children.filter(({ uri, mimeType }) => {
      const child = canonicalSkillUri(uri);
      if (child === undefined || child.slice(0, child.lastIndexOf("/")) !== key) return false;
      if (this.#files === undefined) return true;
      return mimeType === DIRECTORY_TYPE ? this.#hasDirectory(child) : this.#files.has(child);
    });
  }

  #find(reference: string): Target {
    const uri = typeof reference === "string" ? skillReference(this.#base, reference) : undefined;
    const key = uri === undefined ? undefined : canonicalSkillUri(uri);
    const file = key === undefined ? undefined : this.#files?.get(key);
    if (
      uri === undefined || key === undefined || (this.#files === undefined ? !isInSkill(this.#root, key) : file === undefined)
    ) {
      throw this.#fault("unlisted", String(reference), "the entry of the skill does not list it");
    }
    // The entry's own spelling is the one that the server knows.
    return { key, uri: file?.uri ?? (key === this.#own ? this.skill.uri : uri), file };
  }

  async #fetch({ key, uri, file }: Target, options: RequestOptions): Promise<KeptFile> {
    if (file === undefined && this.#room < 0) throw this.#overrun(uri);
    const read = await readSkillFile(await this.#asked.read(uri, options), key, file);
    if (!("bytes" in read)) throw await this.#stale(read.reason, uri, read.found, options);
    if (file !== undefined) return read;
    this.#room -= read.bytes.byteLength;
    if (this.#room < 0) throw this.#overrun(uri);
    return read;
  }

  #overrun(uri: string): SkillError {
    return this.#fault("limit", uri, `more than ${SKILL_LIMITS.bytes} bytes of a dynamic skill are read`);
  }

  /** The skill may have changed since: the entry is asked for once more, for the program to see (SEP-2640, Verification on Read). */
  async #stale(reason: SkillErrorReason, uri: string, found: string, options: RequestOptions): Promise<SkillError> {
    try {
      const current = await this.#asked.get(this.skill.uri, options);
      const same = await skillFingerprint(current) === this.fingerprint &&
        frontmatterDifference(this.skill.frontmatter, current.frontmatter) === undefined;
      return this.#fault(reason, uri, found, same ? undefined : current);
    } catch {
      return this.#fault(reason, uri, found);
    }
  }

  #hasDirectory(key: string): boolean {
    for (const file of this.#files?.keys() ?? []) if (file.startsWith(`${key}/`)) return true;
    return false;
  }

  #fault(reason: SkillErrorReason, uri: string, found: string, current?: RemoteSkill): SkillError {
    const { server } = this.skill;
    return new SkillError(reason, `Reading ${JSON.stringify(shownUri(uri))} of ${shownUri(server)}: ${found}`, {
      server,
      uri,
      current,
    });
  }
}
