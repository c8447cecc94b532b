/** Whether a list has equal items, in time linear in its size. */
import { isJsonObject } from "./json.ts";

/**
 * Says whether two items of a list are equal as JSON values (JSON Schema 2020-12, Core § 4.2.2). Each distinct value within
 * the list gets a number, and lists and objects are told apart by the numbers of what they hold.
 *
 * @param items The list.
 * @returns Whether any two items are equal.
 */
export function hasDuplicates(items: readonly unknown[]): boolean {
  const number = createNumbering();
  const seen = new Set<number>();
  for (const item of items) seen.add(number(item));
  return seen.size < items.length;
}

/**
 * Says whether any list in a value, at any depth, has equal items.
 *
 * @param value The value.
 * @returns Whether there is such a list, and the sum of the squares of the lists' lengths.
 */
export function surveyLists(value: unknown): { readonly duplicates: boolean; readonly squares: number } {
  const number = createNumbering();
  let duplicates = false;
  let squares = 0;
  const stack = [value];
  while (stack.length > 0) {
    const next = stack.pop();
    if (Array.isArray(next)) {
      squares += next.length ** 2;
      duplicates ||= new Set(next.map(number)).size < next.length;
      for (const item of next) stack.push(item);
    } else if (isJsonObject(next)) {
      for (const member of Object.values(next)) stack.push(member);
    }
  }
  return { duplicates, squares };
}

/** Numbers values so that equal ones, and only they, have the same number; objects are numbered once. */
function createNumbering(): (value: unknown) => number {
  const numbers = new Map<string, number>();
  const known = new Map<object, number>();
  const byKey = (key: string): number => {
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    return number;
  };
  const number = (value: unknown): number => {
    if (typeof value !== "object" || value === null) return byKey(`${typeof value}:${String(value === 0 ? 0 : value)}`);
    const before = known.get(value);
    if (before !== undefined) return before;
    const key = Array.isArray(value)
      ? `[${value.map(number).join()}`
      : `{${Object.entries(value).map(([name, member]) => `${byKey(`n:${name}`)}:${number(member)}`).sort().join()}`;
    const result = byKey(key);
    known.set(value, result);
    return result;
  };
  return number;
}
