/** Remembers which skills a person has approved, each as it was at that time. */
import { shownUri } from "./shown_uri.ts";
import { skillDigest } from "./skill_digest.ts";
import { SkillError } from "./skill_error.ts";
import { skillFingerprint } from "./skill_fingerprint.ts";
import type { RemoteSkill } from "./skill_types.ts";

/** Where approvals are kept; any `Store` of `@causeway/mcp/server` is one. Whoever can write to it can approve. */
export interface ApprovalStore {
  /** The value under a key. */
  get(key: readonly string[]): Promise<{ readonly value: unknown } | undefined>;
  /** Keeps a value for good. */
  set(key: readonly string[], value: unknown): Promise<unknown>;
  /** Forgets a key. */
  delete(key: readonly string[]): Promise<void>;
  /** Every entry whose key begins with these parts. */
  list(prefix: readonly string[]): AsyncIterable<{ readonly key: readonly string[] }>;
}

/** Approvals of skills. Each is of one skill of one server, and of all its files as they were: any change of these voids it. */
export interface SkillApprovals {
  /** Is this skill approved with exactly these files? Never so for a dynamic one. */
  has(skill: RemoteSkill): Promise<boolean>;
  /**
   * Remembers that a person has approved the skill. Skills inside it are not approved by that.
   *
   * @throws {SkillError} "dynamic": such a skill is approved for one use, by the person, each time.
   */
  approve(skill: RemoteSkill): Promise<void>;
  /** Takes an approval back. */
  revoke(skill: Pick<RemoteSkill, "server" | "uri">): Promise<void>;
  /** Takes back all approvals of a server, for example when the program removes it. */
  forget(server: string): Promise<void>;
}

const SPACE = ["causeway", "skill-approvals"] as const;

/**
 * Approvals that outlast the process where the store does. They say what a person has decided; nothing here decides.
 *
 * @param store Where they are kept.
 * @throws {TypeError} For what is not a store.
 */
export function approvals(store: ApprovalStore): SkillApprovals {
  for (const name of ["get", "set", "delete", "list"] as const) {
    if (typeof store?.[name] !== "function") {
      throw new TypeError("approvals.store: Expected a store with get, set, delete and list");
    }
  }
  return Object.freeze(
    {
      has: async (skill) => {
        const fingerprint = await skillFingerprint(skill);
        return fingerprint !== undefined && (await store.get(await keyOf(skill)))?.value === fingerprint;
      },
      approve: async (skill) => {
        const fingerprint = await skillFingerprint(skill);
        if (fingerprint === undefined) {
          const found = "its files are dynamic, so that an approval holds for one use only";
          throw new SkillError("dynamic", `Approving the skill ${JSON.stringify(shownUri(skill.uri))}: ${found}`, skill);
        }
        await store.set(await keyOf(skill), fingerprint);
      },
      revoke: async (skill) => await store.delete(await keyOf(skill)),
      forget: async (server) => {
        const keys: (readonly string[])[] = [];
        for await (const { key } of store.list([...SPACE, server])) keys.push(key);
        for (const key of keys) await store.delete(key);
      },
    } satisfies SkillApprovals,
  );
}

/** The server chooses the URI: what a store keeps of it is of one length, and of harmless characters. */
async function keyOf({ server, uri }: Pick<RemoteSkill, "server" | "uri">): Promise<readonly string[]> {
  return [...SPACE, server, await skillDigest(new TextEncoder().encode(uri))];
}
