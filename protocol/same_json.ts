/** Whether two values are the same as JSON. */

/**
 * Says whether two values are equal as JSON values: lists item by item, objects by their own members whatever their order and
 * their names (JSON Schema 2020-12, Core § 4.2.2).
 */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const members = Object.entries(one);
  return members.length === Object.keys(other).length &&
    members.every(([name, member]) =>
      Object.hasOwn(other, name) && isSameJson(member, (other as { readonly [name: string]: unknown })[name])
    );
}
