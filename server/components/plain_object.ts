/** Objects that a handler may return, as far as a type can tell. */

/**
 * An object that can be written as JSON: no function, date, map, set, promise or bytes. What it holds is looked at when it is
 * written.
 */
export type PlainObject = object & {
  /** Maps, sets, promises, typed arrays and other objects of the platform have it. */
  readonly [Symbol.toStringTag]?: never;
  /** Dates have it. */
  readonly [Symbol.toPrimitive]?: never;
  /** Functions and classes have it. */
  readonly [Symbol.hasInstance]?: never;
};
