/** `skillsFrom`: the skills below a directory of this machine. */
import { ERROR_CODES, ProtocolError } from "../../protocol/errors.ts";
import { SKILL_FILE } from "../../protocol/extensions/skill_uri.ts";
import { SKILL_LIMITS } from "../../protocol/limits.ts";
import { checkObject } from "../../protocol/unknown_option.ts";
import { publish } from "./skill.ts";
import type { GivenFile } from "./skill.ts";
import { digestOfBytes } from "./skill_bytes.ts";
import type { ServedSkill } from "./skill_parts.ts";

/** How {@linkcode skillsFrom} reads. */
export interface SkillsFromOptions {
  /** What the URIs begin with, without a slash at its end but those of the scheme, such as "skill://acme"; "skill://" when absent. */
  readonly base?: string | undefined;
  /** Is a directory with `SKILL.md` within a skill a skill of its own, too? Its files belong to both then. False when absent. */
  readonly nested?: boolean | undefined;
}

/**
 * Finds the skills below a directory: every directory that holds `SKILL.md`, or the directory itself when it does. The path from
 * the directory on becomes the path of the skill, so that `team/refunds/SKILL.md` is `skill://team/refunds/SKILL.md`.
 *
 * Files are read once for their digests, and again for each reader; one that has changed meanwhile is not served (-32603), until
 * the skills are read anew. Names that begin with a dot are passed over. The way there may be a symbolic link, nothing below may.
 * It reads what is there when it is called: nothing is watched.
 *
 * @param directory A path, or a `file:` URL.
 * @param options What the URIs begin with.
 * @returns The skills, in the order of their paths.
 * @throws {TypeError} For a directory that cannot be read, a symbolic link, what is neither file nor directory, and a skill that
 * hosts would not load; the message names the path.
 */
export async function skillsFrom(directory: string | URL, options: SkillsFromOptions = {}): Promise<readonly ServedSkill[]> {
  if (typeof directory !== "string" && !(directory instanceof URL)) {
    throw new TypeError("skillsFrom.directory: Expected a path or a file URL");
  }
  checkObject(options, "skillsFrom.options");
  const { base = "skill://", nested = false } = options;
  for (const key of Object.keys(options)) {
    if (key !== "base" && key !== "nested") throw new TypeError(`skillsFrom.${key}: Unknown option`);
  }
  if (!/^[A-Za-z][A-Za-z0-9+.-]*:(?:\/{0,3}|.*[^/])$/.test(base)) {
    throw new TypeError("skillsFrom.base: Expected the beginning of a URI, without a slash at its end");
  }
  const given = typeof directory === "string" && !directory.startsWith("file:")
    ? directory
    : builtin<NodeUrl>("node:url").fileURLToPath(directory);
  const top = await reading(given, () => files().realpath(given));
  const read: Reading = { base, nested, skills: [] };
  const found = await look(top, []);
  // The directory itself is a skill, which is called as it is called.
  if (found.isSkill) await readSkill(read, top, [builtin<NodePath>("node:path").basename(top)], []);
  else await search(read, top, [], found);
  return read.skills;
}

interface Reading {
  readonly base: string;
  readonly nested: boolean;
  readonly skills: ServedSkill[];
}

interface Looked {
  readonly files: readonly string[];
  readonly directories: readonly string[];
  readonly isSkill: boolean;
}

/** Looks for skills below a directory that is none. */
async function search(reading: Reading, top: string, path: readonly string[], { directories }: Looked): Promise<void> {
  for (const name of directories) {
    const below = [...path, name];
    const found = await look(top, below);
    if (found.isSkill) await readSkill(reading, top, below, below);
    else await search(reading, top, below, found);
  }
}

/**
 * Reads one skill.
 *
 * @param path The path of the skill, as its URI has it.
 * @param place Where it lies below the top.
 */
async function readSkill(reading: Reading, top: string, path: readonly string[], place: readonly string[]): Promise<void> {
  const given: GivenFile[] = [];
  const emptyDirectories: string[] = [];
  const within: string[][] = [];
  const what = `skillsFrom: ${join(top, place)}`;
  let bytes = 0;
  const walk = async (below: readonly string[]): Promise<void> => {
    const found = await look(top, [...place, ...below]);
    if (found.isSkill && below.length > 0) within.push([...below]);
    if (found.files.length + found.directories.length === 0) emptyDirectories.push(below.join("/"));
    for (const name of found.files) {
      const file = join(top, [...place, ...below, name]);
      if (given.length >= SKILL_LIMITS.files) throw new TypeError(`${what}: Expected at most ${SKILL_LIMITS.files} files`);
      const content = await readBounded(file, SKILL_LIMITS.bytes - bytes);
      if (content === undefined) throw new TypeError(`${what}: Expected at most ${SKILL_LIMITS.bytes} bytes in all`);
      bytes += content.byteLength;
      given.push({ path: [...below, name].join("/"), bytes: content, read: (published) => readAgain(file, published) });
    }
    for (const name of found.directories) await walk([...below, name]);
  };
  await walk([]);
  const separator = reading.base.endsWith("/") || reading.base.endsWith(":") ? "" : "/";
  const uri = `${reading.base}${separator}${[...path, SKILL_FILE].map(encodeURIComponent).join("/")}`;
  reading.skills.push(await publish(given, { uri, what, emptyDirectories }));
  if (!reading.nested) return;
  const inner: Reading = { ...reading, nested: false };
  for (const below of within) await readSkill(inner, top, [...path, ...below], [...place, ...below]);
}

/** What a directory holds, in the order of the names. */
async function look(top: string, below: readonly string[]): Promise<Looked> {
  const path = join(top, below);
  if (below.length > SKILL_LIMITS.directories) {
    throw new TypeError(`skillsFrom: ${path}: Expected at most ${SKILL_LIMITS.directories} directories within each other`);
  }
  const entries = await reading(path, () => files().readdir(path, { withFileTypes: true }));
  const kept = entries.filter(({ name }) => !name.startsWith(".")).sort((one, other) => one.name < other.name ? -1 : 1);
  for (const entry of kept) {
    if (entry.isSymbolicLink()) throw new TypeError(`skillsFrom: ${join(path, [entry.name])}: Expected no symbolic link`);
    if (!entry.isFile() && !entry.isDirectory()) {
      throw new TypeError(`skillsFrom: ${join(path, [entry.name])}: Expected a file or a directory`);
    }
  }
  const names = (one: (entry: NodeEntry) => boolean): string[] => kept.filter(one).map(({ name }) => name);
  const found = names((entry) => entry.isFile());
  return { files: found, directories: names((entry) => entry.isDirectory()), isSkill: found.includes(SKILL_FILE) };
}

/** Reads a published file for somebody, and refuses bytes that contradict its entry (SEP-2640, Resources). */
async function readAgain(
  file: string,
  { size, digest }: { readonly size: number; readonly digest: string },
): Promise<Uint8Array> {
  const bytes = await readBounded(file, size).catch(() => undefined);
  if (bytes !== undefined && bytes.byteLength === size && await digestOfBytes(bytes) === digest) return bytes;
  throw new ProtocolError(ERROR_CODES.internal_error, "Internal error: the file has changed since its skill was published");
}

/** The bytes of a file; undefined when there are more. What is no file any more, and a link, is not followed. */
async function readBounded(file: string, most: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = files().constants;
  return await reading(file, async () => {
    const handle = await files().open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const stat = await handle.stat();
      if (!stat.isFile()) throw new TypeError("Expected a file");
      if (stat.size > most) return undefined;
      return await readWhole(handle, stat.size);
    } finally {
      await handle.close();
    }
  });
}

/** A file that grows while it is read has more bytes than it said: one byte more is asked for. */
async function readWhole(handle: NodeHandle, size: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(size + 1);
  let length = 0;
  while (length < bytes.byteLength) {
    const { bytesRead } = await handle.read(bytes, length, bytes.byteLength - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  if (length > size) throw new TypeError("Expected a file that nobody writes to meanwhile");
  return bytes.slice(0, length);
}

async function reading<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const code = (error as { readonly code?: unknown } | null)?.code;
    const found = typeof code === "string" ? code : error instanceof Error ? error.message : String(error);
    throw new TypeError(`skillsFrom: Reading ${path}: ${found}`);
  }
}

function join(top: string, below: readonly string[]): string {
  return builtin<NodePath>("node:path").join(top, ...below);
}

// The parts of Node's modules that are used, described here so that no declaration needs their types.

interface NodeFiles {
  readonly constants: { readonly O_RDONLY: number; readonly O_NOFOLLOW?: number; readonly O_NONBLOCK?: number };
  realpath(path: string): Promise<string>;
  readdir(path: string, options: { readonly withFileTypes: true }): Promise<NodeEntry[]>;
  open(path: string, flags: number): Promise<NodeHandle>;
}

interface NodeEntry {
  readonly name: string;
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

interface NodeHandle {
  stat(): Promise<{ readonly size: number; isFile(): boolean }>;
  read(into: Uint8Array, offset: number, length: number, position: number): Promise<{ readonly bytesRead: number }>;
  close(): Promise<void>;
}

interface NodePath {
  join(...parts: string[]): string;
  basename(path: string): string;
}

interface NodeUrl {
  fileURLToPath(url: string | URL): string;
}

function files(): NodeFiles {
  return builtin<NodeFiles>("node:fs/promises");
}

function builtin<T>(name: string): T {
  const { process } = globalThis as { readonly process?: { getBuiltinModule?(name: string): unknown } };
  const module = process?.getBuiltinModule?.(name);
  if (module === undefined) throw new TypeError(`Loading ${name}: this platform has no files`);
  return module as T;
}
