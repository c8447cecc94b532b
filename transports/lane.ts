/** A line of values with two ends. */

/** Takes values at its end, and gives them at either end, each in constant time. */
export class Lane<T> {
  #items: T[] = [];
  #head = 0;

  /** How many values wait. */
  get size(): number {
    return this.#items.length - this.#head;
  }

  /** The oldest value. */
  get first(): T | undefined {
    return this.#items[this.#head];
  }

  /** Adds a value. */
  push(value: T): void {
    this.#items.push(value);
  }

  /** Takes the oldest value out. */
  shift(): T | undefined {
    if (this.size === 0) return undefined;
    const value = this.#items[this.#head++];
    // Compacting at half keeps the cost of a shift constant.
    if (this.#head * 2 >= this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return value;
  }

  /** Takes the newest value out. */
  pop(): T | undefined {
    return this.size === 0 ? undefined : this.#items.pop();
  }
}
