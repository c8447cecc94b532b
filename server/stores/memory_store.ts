/** A store in the memory of one process: a tree of key parts, whose values are JSON texts. */
import type { Store, StoreEntry } from "./store.ts";

interface Entry {
  readonly text: string;
  readonly version: string;
  /** When its time is over; Infinity when it is kept for good. */
  readonly until: number;
}

interface Node {
  readonly children: Map<string, Node>;
  entry: Entry | undefined;
}

/** Writes between two walks that forget what has expired, at least. */
const WALK_AFTER = 256;

/** A store in the memory of one process. */
export class MemoryStore implements Store {
  readonly #maxEntries: number;
  readonly #root: Node = { children: new Map(), entry: undefined };
  #size = 0;
  #versions = 0;
  #writes = 0;

  /** Makes an empty store of at most so many entries. */
  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  /** Entries that are held, those that have expired and not been forgotten yet included. */
  get size(): number {
    return this.#size;
  }

  /** The value under a key. */
  get(key: readonly string[]): Promise<{ readonly value: unknown; readonly version: string } | undefined> {
    const entry = this.#live(key);
    return Promise.resolve(entry === undefined ? undefined : { value: JSON.parse(entry.text), version: entry.version });
  }

  /** Keeps a value; rejects with a TypeError when it is no JSON, and with a RangeError when the store is full. */
  set(
    key: readonly string[],
    value: unknown,
    options: { readonly ttl?: number | undefined; readonly ifVersion?: string | null | undefined } = {},
  ): Promise<boolean> {
    return new Promise((resolve) => resolve(this.#set(key, value, options.ttl, options.ifVersion)));
  }

  /** Forgets a key. */
  delete(key: readonly string[]): Promise<void> {
    this.#remove(key);
    return Promise.resolve();
  }

  /** The entries whose key begins with these parts, as they are when the first one is asked for. */
  async *list(prefix: readonly string[]): AsyncGenerator<StoreEntry> {
    const node = this.#find(prefix);
    if (node === undefined) return;
    const found: { readonly key: readonly string[]; readonly entry: Entry }[] = [];
    for (const { key, entry } of entriesOf(node, prefix)) if (isLive(entry)) found.push({ key, entry });
    for (const { key, entry } of found) yield { key, value: JSON.parse(entry.text), version: entry.version };
  }

  #set(key: readonly string[], value: unknown, ttl: number | undefined, ifVersion: string | null | undefined): boolean {
    if (key.length === 0) throw new TypeError("key: Expected at least one part");
    const text: string | undefined = JSON.stringify(value);
    if (text === undefined) throw new TypeError("value: Expected JSON");
    const present = this.#live(key);
    if (ifVersion !== undefined && (present?.version ?? null) !== ifVersion) return false;
    if (++this.#writes >= Math.max(WALK_AFTER, this.#size)) this.#forgetExpired();
    let node = this.#find(key);
    if (node?.entry === undefined) {
      if (this.#size >= this.#maxEntries) this.#forgetExpired();
      if (this.#size >= this.#maxEntries) throw new RangeError(`Set an entry: the store holds ${this.#size} (option maxEntries)`);
      this.#size++;
      node = this.#make(key);
    }
    node.entry = { text, version: String(++this.#versions), until: ttl === undefined ? Infinity : Date.now() + ttl };
    return true;
  }

  #live(key: readonly string[]): Entry | undefined {
    const entry = this.#find(key)?.entry;
    if (entry === undefined || isLive(entry)) return entry;
    this.#remove(key);
    return undefined;
  }

  #find(key: readonly string[]): Node | undefined {
    let node: Node | undefined = this.#root;
    for (const part of key) node = node?.children.get(part);
    return node;
  }

  #make(key: readonly string[]): Node {
    let node = this.#root;
    for (const part of key) {
      let next = node.children.get(part);
      if (next === undefined) node.children.set(part, next = { children: new Map(), entry: undefined });
      node = next;
    }
    return node;
  }

  /** Takes an entry out, with the branches that lead to nothing else. */
  #remove(key: readonly string[]): void {
    const path: Node[] = [this.#root];
    for (const part of key) {
      const next = path.at(-1)?.children.get(part);
      if (next === undefined) return;
      path.push(next);
    }
    const last = path.at(-1) as Node;
    if (last.entry === undefined) return;
    last.entry = undefined;
    this.#size--;
    for (let at = key.length; at > 0; at--) {
      const node = path[at] as Node;
      if (node.entry !== undefined || node.children.size > 0) return;
      path[at - 1]?.children.delete(key[at - 1] as string);
    }
  }

  #forgetExpired(): void {
    this.#writes = 0;
    const expired: (readonly string[])[] = [];
    for (const { key, entry } of entriesOf(this.#root, [])) if (!isLive(entry)) expired.push(key);
    for (const key of expired) this.#remove(key);
  }
}

function isLive({ until }: Entry): boolean {
  return Date.now() < until;
}

/** Every entry below a node, in the order of the keys. */
function* entriesOf(
  node: Node,
  key: readonly string[],
): Generator<{ readonly key: readonly string[]; readonly entry: Entry }> {
  const open: { readonly node: Node; readonly key: readonly string[] }[] = [{ node, key }];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (at.node.entry !== undefined) yield { key: at.key, entry: at.node.entry };
    const parts = [...at.node.children.keys()].sort().reverse();
    for (const part of parts) open.push({ node: at.node.children.get(part) as Node, key: [...at.key, part] });
  }
}
