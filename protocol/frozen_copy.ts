/** Copies JSON so that it can be shown to the application and still be shared: nobody can change it. */

/** A copy of a JSON value that is frozen at every depth. */
export function frozenCopy<T>(json: T): T {
  return freeze(JSON.parse(JSON.stringify(json)));
}

function freeze<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  for (const member of Object.values(value)) freeze(member);
  return Object.freeze(value);
}
