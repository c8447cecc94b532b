/** A set of values in the order of a rank, for what goes first when there is no room. */

/** Finds the value of the lowest rank, and removes any value, in logarithmic time: a binary heap that knows where each value is. */
export class Ranked<T> {
  readonly #rank: (value: T) => number;
  readonly #heap: T[] = [];
  readonly #places = new Map<T, number>();

  /** @param rank Must not change while a value is in the set. */
  constructor(rank: (value: T) => number) {
    this.#rank = rank;
  }

  /** The value of the lowest rank. */
  get first(): T | undefined {
    return this.#heap[0];
  }

  /** Adds a value that is not in the set. */
  add(value: T): void {
    this.#heap.push(value);
    this.#rise(this.#heap.length - 1, value);
  }

  /** Takes a value out, if it is there. */
  delete(value: T): void {
    const place = this.#places.get(value);
    if (place === undefined) return;
    this.#places.delete(value);
    const last = this.#heap.pop() as T;
    if (last === value) return;
    this.#sink(place, last);
    this.#rise(this.#places.get(last) as number, last);
  }

  #put(place: number, value: T): void {
    this.#heap[place] = value;
    this.#places.set(value, place);
  }

  #rise(from: number, value: T): void {
    let place = from;
    while (place > 0) {
      const above = (place - 1) >> 1;
      const other = this.#heap[above] as T;
      if (this.#rank(other) <= this.#rank(value)) break;
      this.#put(place, other);
      place = above;
    }
    this.#put(place, value);
  }

  #sink(from: number, value: T): void {
    let place = from;
    for (;;) {
      const left = 2 * place + 1;
      const right = left + 1;
      const heap = this.#heap;
      if (left >= heap.length) break;
      const below = right < heap.length && this.#rank(heap[right] as T) < this.#rank(heap[left] as T) ? right : left;
      const other = heap[below] as T;
      if (this.#rank(value) <= this.#rank(other)) break;
      this.#put(place, other);
      place = below;
    }
    this.#put(place, value);
  }
}
