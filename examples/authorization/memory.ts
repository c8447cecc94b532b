/** Where the authorization server keeps what it knows: in memory here, in a database elsewhere. */

/** Something that is kept, as far as it matters here. */
interface Entry {
  readonly grantId?: string;
  readonly uid?: string;
  readonly exp?: number;
  consumed?: number;
}

/** What `oidc-provider` wants for each kind of thing. */
export interface Shelf {
  upsert(id: string, entry: Entry): Promise<void>;
  find(id: string): Promise<Entry | undefined>;
  findByUid(uid: string): Promise<Entry | undefined>;
  /** Marks what serves once as used. */
  consume(id: string): Promise<void>;
  destroy(id: string): Promise<void>;
  /** Forgets all that was given on the strength of one consent. */
  revokeByGrantId(grantId: string): Promise<void>;
}

/** Makes a shelf for each kind of thing, under the name of the kind. */
export function memory(): (kind: string) => Shelf {
  const shelves = new Map<string, Shelf>();
  return (kind) => {
    const shelf = shelves.get(kind) ?? emptyShelf();
    shelves.set(kind, shelf);
    return shelf;
  };
}

function emptyShelf(): Shelf {
  const entries = new Map<string, Entry>();
  const find = (fits: (entry: Entry) => boolean): Entry | undefined => [...entries.values()].find(fits);
  return {
    upsert(id, entry) {
      const now = Date.now() / 1000;
      for (const [key, { exp }] of entries) if (exp !== undefined && exp < now) entries.delete(key);
      return Promise.resolve(void entries.set(id, entry));
    },
    find: (id) => Promise.resolve(entries.get(id)),
    findByUid: (uid) => Promise.resolve(find((entry) => entry.uid === uid)),
    consume(id) {
      const entry = entries.get(id);
      if (entry !== undefined) entry.consumed = Math.floor(Date.now() / 1000);
      return Promise.resolve();
    },
    destroy: (id) => Promise.resolve(void entries.delete(id)),
    revokeByGrantId(grantId) {
      for (const [id, entry] of entries) if (entry.grantId === grantId) entries.delete(id);
      return Promise.resolve();
    },
  };
}
