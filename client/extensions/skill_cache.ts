/** Keeps verified files of one server in memory, the last used ones, so that they need not be asked for again. */

/** A file that was verified. */
export interface KeptFile {
  /** Its bytes; nobody else has this array. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** What the server calls its type. */
  readonly mimeType: string | undefined;
}

/** Files by URI and digest (SEP-2640, Lazy Retrieval: what fits the digest may be given without asking). */
export class SkillCache {
  readonly #capacity: number;
  readonly #files = new Map<string, KeptFile>();
  #bytes = 0;

  /**
   * Begins empty.
   *
   * @param capacity Bytes at most.
   */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** A file that was kept. */
  get(uri: string, digest: string): KeptFile | undefined {
    const key = keyOf(uri, digest);
    const file = this.#files.get(key);
    if (file === undefined) return undefined;
    this.#files.delete(key);
    this.#files.set(key, file);
    return file;
  }

  /** Keeps a file, where there is room for it at all. Others go, those first that were not used for the longest time. */
  set(uri: string, digest: string, file: KeptFile): void {
    const key = keyOf(uri, digest);
    if (weightOf(key, file) > this.#capacity) return;
    this.#drop(key);
    this.#files.set(key, file);
    this.#bytes += weightOf(key, file);
    for (const oldest of this.#files.keys()) {
      if (this.#bytes <= this.#capacity) break;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    const file = this.#files.get(key);
    if (file === undefined) return;
    this.#files.delete(key);
    this.#bytes -= weightOf(key, file);
  }
}

function keyOf(uri: string, digest: string): string {
  return JSON.stringify([uri, digest]);
}

/** Empty files have names, too. */
function weightOf(key: string, { bytes, mimeType = "" }: KeptFile): number {
  return bytes.byteLength + key.length + mimeType.length;
}
