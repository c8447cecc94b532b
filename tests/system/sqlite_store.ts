/** A store in a file, over SQLite. */
import { DatabaseSync } from "node:sqlite";
import type { Store, StoreEntry } from "../../server/stores/store.ts";

const SEPARATOR = "\u0001";

/** Opens a store in a file. */
export function sqliteStore(file: string): Store {
  const database = new DatabaseSync(file);
  database.exec("PRAGMA journal_mode = WAL");
  database.exec("CREATE TABLE IF NOT EXISTS entries (key TEXT PRIMARY KEY, value TEXT, version INTEGER, until REAL)");
  const join = (key: readonly string[]): string => key.map((part) => part + SEPARATOR).join("");
  const read = (key: string): { value: string; version: number } | undefined =>
    database.prepare("SELECT value, version FROM entries WHERE key = ? AND until > ?").get(key, Date.now()) as never;
  return {
    get: (key) => {
      const found = read(join(key));
      return Promise.resolve(found && { value: JSON.parse(found.value), version: String(found.version) });
    },
    set: (key, value, { ttl, ifVersion } = {}) => {
      const name = join(key);
      const found = read(name);
      if (ifVersion !== undefined && (found === undefined ? null : String(found.version)) !== ifVersion) {
        return Promise.resolve(false);
      }
      database.prepare("INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?)").run(
        name,
        JSON.stringify(value),
        (found?.version ?? 0) + 1,
        ttl === undefined ? Number.MAX_SAFE_INTEGER : Date.now() + ttl,
      );
      return Promise.resolve(true);
    },
    delete: (key) => {
      database.prepare("DELETE FROM entries WHERE key = ?").run(join(key));
      return Promise.resolve();
    },
    list: async function* (prefix): AsyncGenerator<StoreEntry> {
      const rows = database.prepare("SELECT key, value, version FROM entries WHERE until > ? ORDER BY key").all(Date.now()) as {
        readonly key: string;
        readonly value: string;
        readonly version: number;
      }[];
      for (const { key, value, version } of rows) {
        if (!key.startsWith(join(prefix))) continue;
        yield { key: key.split(SEPARATOR).slice(0, -1), value: JSON.parse(value), version: String(version) };
      }
    },
  };
}
