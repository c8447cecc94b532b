/** A store in the memory of one process: a tree of key parts, whose values are JSON texts. */
import { Ranked } from "./ranked.ts";
import type { Store, StoreEntry } from "./store.ts";

interface Entry {
  readonly key: readonly string[];
  readonly text: string;
  /** Versions grow with every write. */
  readonly version: number;
  /** When its time is over; Infinity when it is kept for good. */
  readonly until: number;
  /** May it be forgotten for another entry? */
  readonly expendable: boolean;
}

type SetOptions = NonNullable<Parameters<Store["set"]>[2]>;

interface Node {
  readonly children: Map<string, Node>;
  entry: Entry | undefined;
}

/** Expired entries that one write forgets at most; a full store forgets as many as it must. */
const FORGOTTEN_AT_ONCE = 2;

/** A store in the memory of one process. */
export class MemoryStore implements Store {
  readonly #maxEntries: number;
  readonly #maxCharacters: number;
  readonly #root: Node = { children: new Map(), entry: undefined };
  readonly #byTime = new Ranked<Entry>(({ until }) => until);
  readonly #byAge = new Ranked<Entry>(({ version }) => version);
  #size = 0;
  #characters = 0;
  #versions = 0;

  /**
   * Makes an empty store.
   *
   * @param maxEntries Entries at most.
   * @param maxCharacters Characters of values beyond which expendable entries are forgotten; no bound when absent.
   */
  constructor(maxEntries: number, maxCharacters: number = Infinity) {
    this.#maxEntries = maxEntries;
    this.#maxCharacters = maxCharacters;
  }

  /** Entries that are held, those that have expired and not been forgotten yet included. */
  get size(): number {
    return this.#size;
  }

  /** The value under a key. */
  get(key: readonly string[]): Promise<{ readonly value: unknown; readonly version: string } | undefined> {
    const entry = this.#live(key);
    return Promise.resolve(entry === undefined ? undefined : { value: JSON.parse(entry.text), version: String(entry.version) });
  }

  /**
   * Keeps a value; rejects with a TypeError when it is not JSON, and with a RangeError when the store is full and nothing in it
   * is expendable.
   */
  set(key: readonly string[], value: unknown, options: SetOptions = {}): Promise<boolean> {
    return new Promise((resolve) => resolve(this.#set(key, value, options)));
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
    const found = [...entriesOf(node)].filter(isLive);
    for (const { key, text, version } of found) yield { key, value: JSON.parse(text), version: String(version) };
  }

  #set(given: readonly string[], value: unknown, { ttl, ifVersion, expendable = false }: SetOptions): boolean {
    if (given.length === 0) throw new TypeError("key: Expected at least one part");
    const text: string | undefined = JSON.stringify(value);
    if (text === undefined) throw new TypeError("value: Expected JSON");
    const key = [...given];
    const present = this.#live(key);
    if (ifVersion !== undefined && (present === undefined ? null : String(present.version)) !== ifVersion) return false;
    for (let count = 0; count < FORGOTTEN_AT_ONCE; count++) this.#forgetExpired();
    if (present === undefined) this.#makeRoom();
    else this.#drop(present);
    const entry: Entry = {
      key,
      text,
      version: ++this.#versions,
      until: ttl === undefined ? Infinity : Date.now() + ttl,
      expendable,
    };
    this.#make(key).entry = entry;
    this.#size++;
    this.#characters += text.length;
    if (ttl !== undefined) this.#byTime.add(entry);
    if (expendable) this.#byAge.add(entry);
    this.#trim(entry);
    return true;
  }

  /** What has expired goes first, then the oldest entry that is expendable. */
  #makeRoom(): void {
    while (this.#size >= this.#maxEntries) {
      if (this.#forgetExpired()) continue;
      const oldest = this.#byAge.first;
      if (oldest === undefined) throw new RangeError(`Setting an entry: the store holds ${this.#size} (option maxEntries)`);
      this.#remove(oldest.key);
    }
  }

  /** Forgets what is expendable while the values are too long together; what was kept just now stays. */
  #trim(newest: Entry): void {
    while (this.#characters > this.#maxCharacters) {
      if (this.#forgetExpired()) continue;
      const oldest = this.#byAge.first;
      if (oldest === undefined || oldest === newest) return;
      this.#remove(oldest.key);
    }
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
    this.#drop(last.entry);
    last.entry = undefined;
    for (let at = key.length; at > 0; at--) {
      const node = path[at] as Node;
      if (node.entry !== undefined || node.children.size > 0) return;
      path[at - 1]?.children.delete(key[at - 1] as string);
    }
  }

  /** Counts an entry no more. */
  #drop(entry: Entry): void {
    this.#size--;
    this.#characters -= entry.text.length;
    this.#byTime.delete(entry);
    this.#byAge.delete(entry);
  }

  /** Forgets the entry whose time was over first, if there is one. */
  #forgetExpired(): boolean {
    const first = this.#byTime.first;
    if (first === undefined || isLive(first)) return false;
    this.#remove(first.key);
    return true;
  }
}

function isLive({ until }: Entry): boolean {
  return Date.now() < until;
}

/** Every entry below a node, in the order of the keys. */
function* entriesOf(node: Node): Generator<Entry> {
  const open = [node];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (at.entry !== undefined) yield at.entry;
    for (const part of [...at.children.keys()].sort().reverse()) open.push(at.children.get(part) as Node);
  }
}
