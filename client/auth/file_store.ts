/** A token store in one file: readable by its owner alone, replaced in one step, locked across processes. */
import { AuthorizationError } from "../../protocol/errors.ts";
import { encodeHex } from "../../protocol/hex.ts";
import { AUTHORIZATION_LIMITS } from "../../protocol/limits.ts";
import { keyedLock } from "./token_store.ts";
import type { TokenStore } from "./token_store.ts";

/**
 * Keeps tokens in a file. Its mode is 0600, and its folder is made when there is none; a change writes a new file beside it and
 * renames that. Locks are files beside it, whose holder keeps their time fresh; a stale lock is broken.
 *
 * ```ts
 * import { fileTokenStore, oauth } from "@causeway/mcp/client/auth";
 *
 * const auth = oauth({ store: fileTokenStore("/home/me/.config/example/tokens.json") });
 * ```
 *
 * @param path Where it is, as a path or a `file:` URL. Its values are not encrypted.
 * @returns The store; what the system refuses rejects with an `AuthorizationError` "token_request_failed".
 * @throws {TypeError} For what is not a path. Where the platform has no files, using the store rejects with one.
 */
export function fileTokenStore(path: string | URL): TokenStore {
  if (typeof path !== "string" && !(path instanceof URL)) {
    throw new TypeError("fileTokenStore.path: Expected a path or a file URL");
  }
  const file = pathOf(path);
  const inProcess = keyedLock();
  const locked = <T>(name: string, fn: () => Promise<T>, signal?: AbortSignal): Promise<T> =>
    inProcess(name, () => withLockFile(`${file}.${name}`, fn, signal));
  const change = (apply: (values: Map<string, string>) => void): Promise<void> =>
    locked("write", async () => {
      const values = await readValues(file);
      apply(values);
      await replace(file, JSON.stringify(Object.fromEntries(values), undefined, 2));
    });
  return {
    get: async (key) => (await readValues(file)).get(key),
    set: (key, value) => change((values) => void values.set(key, value)),
    delete: (key) => change((values) => void values.delete(key)),
    lock: async (key, fn, signal) => await locked(await digest(key), fn, signal),
  };
}

async function readValues(file: string): Promise<Map<string, string>> {
  let text: string;
  try {
    text = await files().readFile(file, "utf8");
  } catch (cause) {
    if (codeOf(cause) === "ENOENT") return new Map();
    throw fault("reading", codeOf(cause));
  }
  try {
    const entries = Object.entries(JSON.parse(text) as object);
    return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
  } catch {
    // What the parser throws quotes the text.
    throw fault("reading", "its file is not a token store");
  }
}

async function replace(file: string, text: string): Promise<void> {
  const fresh = `${file}.${globalThis.crypto.randomUUID()}`;
  try {
    const handle = await files().open(fresh, "wx", OWNER_ONLY);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await files().rename(fresh, file);
  } catch (cause) {
    await files().rm(fresh, { force: true });
    throw fault("writing", codeOf(cause));
  }
}

const OWNER_ONLY = 0o600;
/** Runs while the lock file is ours; waits for that until the signal aborts, and then rejects with its reason. */
async function withLockFile<T>(name: string, fn: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  const path = `${name}.lock`;
  const own = globalThis.crypto.randomUUID();
  while (!await take(path, own)) {
    signal?.throwIfAborted();
    await breakStale(path);
    await new Promise((resolve) => setTimeout(resolve, AUTHORIZATION_LIMITS.lockLook));
  }
  const young = setInterval(() => {
    const now = new Date();
    files().utimes(path, now, now).catch(() => undefined);
  }, AUTHORIZATION_LIMITS.staleLock / 4);
  try {
    return await fn();
  } finally {
    clearInterval(young);
    if (await contentOf(path) === own) await files().rm(path, { force: true });
  }
}

async function take(path: string, own: string): Promise<boolean> {
  try {
    await files().mkdir(pathModule().dirname(path), { recursive: true, mode: 0o700 });
    await files().writeFile(path, own, { flag: "wx", mode: OWNER_ONLY });
    return true;
  } catch (cause) {
    if (codeOf(cause) === "EEXIST") return false;
    throw fault("locking", codeOf(cause));
  }
}

/** Takes away a lock whose holder has died. Renaming it first lets only one of several win. */
async function breakStale(path: string): Promise<void> {
  try {
    // Read before its age: what was read afterwards could be the lock of somebody who has broken this one already.
    const holder = await contentOf(path);
    const { mtimeMs } = await files().stat(path);
    // One of the future is as old: a clock that was set back must not make everybody wait until then.
    if (Math.abs(Date.now() - mtimeMs) < AUTHORIZATION_LIMITS.staleLock) return;
    const aside = `${path}.${globalThis.crypto.randomUUID()}`;
    await files().rename(path, aside);
    // Between the look and the renaming somebody else may have broken it and taken it.
    if (await contentOf(aside) !== holder) await files().link(aside, path).catch(() => undefined);
    await files().rm(aside, { force: true });
  } catch (cause) {
    if (codeOf(cause) !== "ENOENT") throw fault("locking", codeOf(cause));
  }
}

async function contentOf(path: string): Promise<string | undefined> {
  try {
    return await files().readFile(path, "utf8");
  } catch {
    return undefined;
  }
}

async function digest(key: string): Promise<string> {
  const bytes = new Uint8Array(await globalThis.crypto.subtle.digest("SHA-256", new TextEncoder().encode(key)));
  return encodeHex(bytes.subarray(0, 16));
}

function fault(action: string, found: string): AuthorizationError {
  return new AuthorizationError("token_request_failed", `Keeping tokens: ${action} the store failed (${found})`);
}

function codeOf(cause: unknown): string {
  const code = (cause as { readonly code?: unknown } | null)?.code;
  return typeof code === "string" ? code : "the system refused it";
}

function pathOf(path: string | URL): string {
  if (typeof path === "string" && !path.startsWith("file:")) return path;
  return builtin<{ fileURLToPath(url: string | URL): string }>("node:url").fileURLToPath(path);
}

// The parts of Node's modules that are used, described here so that no declaration needs their types.

interface NodeFiles {
  readFile(path: string, encoding: "utf8"): Promise<string>;
  writeFile(path: string, text: string, options: { readonly flag: string; readonly mode: number }): Promise<void>;
  open(path: string, flags: string, mode: number): Promise<NodeHandle>;
  rename(from: string, to: string): Promise<void>;
  link(from: string, to: string): Promise<void>;
  rm(path: string, options: { readonly force: boolean }): Promise<void>;
  mkdir(path: string, options: { readonly recursive: boolean; readonly mode: number }): Promise<unknown>;
  stat(path: string): Promise<{ readonly mtimeMs: number }>;
  utimes(path: string, accessed: Date, modified: Date): Promise<void>;
}

interface NodeHandle {
  writeFile(text: string): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

function files(): NodeFiles {
  return builtin<NodeFiles>("node:fs/promises");
}

function pathModule(): { dirname(path: string): string } {
  return builtin<{ dirname(path: string): string }>("node:path");
}

function builtin<T>(name: string): T {
  const { process } = globalThis as { readonly process?: { getBuiltinModule?(name: string): unknown } };
  const module = process?.getBuiltinModule?.(name);
  if (module === undefined) throw new TypeError(`Loading ${name}: this platform has no files`);
  return module as T;
}
