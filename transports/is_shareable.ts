/** JSON that nobody can change: it needs no copy. */

/** Values that were found shareable; they cannot change. */
const found = new WeakSet<object>();

/**
 * Says whether a value is plain JSON that is frozen at every depth, as JSON text would give it.
 *
 * @param value An object or array.
 */
export function isShareable(value: object): boolean {
  if (found.has(value)) return true;
  if (!Object.isFrozen(value) || !isFrozenJson(value)) return false;
  found.add(value);
  return true;
}

function isFrozenJson(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== Array.prototype) return false;
  const members = Object.getOwnPropertyDescriptors(value);
  const keys = Reflect.ownKeys(members);
  if (Array.isArray(value) && keys.length !== value.length + 1) return false;
  return keys.every((key) => {
    if (key === "length" && Array.isArray(value)) return true;
    const { value: member, enumerable } = members[key as string] as PropertyDescriptor;
    if (typeof key === "symbol" || enumerable !== true) return false;
    if (typeof member === "number") return Number.isFinite(member) && !Object.is(member, -0);
    if (typeof member === "object") return member === null || isShareable(member);
    return typeof member === "string" || typeof member === "boolean";
  });
}
