/** Finds what in a value JSON cannot carry, before it would be written wrongly or not at all. */

/**
 * Finds the first part of a value that JSON cannot carry: bytes, dates, maps, functions, symbols, bigints,
 * numbers that are not finite, cycles, and nesting that no stack takes. Members that are `undefined` are left out by JSON and are fine.
 *
 * @param value Any value.
 * @param path The name of the value in the message.
 * @returns A sentence that begins with the path, or undefined.
 */
export function jsonFault(value: unknown, path: string): string | undefined {
  try {
    return find(value, path, new Set());
  } catch (error) {
    // The stack ends here long before it would end in JSON.stringify.
    if (error instanceof RangeError) return `${path}: A nesting this deep cannot be written as JSON`;
    throw error;
  }
}

function find(value: unknown, path: string, above: Set<object>): string | undefined {
  switch (typeof value) {
    case "string":
    case "boolean":
    case "undefined":
      return undefined;
    case "number":
      return Number.isFinite(value) ? undefined : `${path}: A number that is not finite cannot be written as JSON`;
    case "object":
      return value === null ? undefined : findInObject(value, path, above);
    case "bigint":
      return `${path}: A bigint cannot be written as JSON: use toJson() or String()`;
    default:
      return `${path}: A ${typeof value} cannot be written as JSON`;
  }
}

function findInObject(value: object, path: string, above: Set<object>): string | undefined {
  if (above.has(value)) return `${path}: A cycle cannot be written as JSON`;
  const kind = strange(value);
  if (kind !== undefined) return `${path}: ${kind}`;
  above.add(value);
  try {
    if (Array.isArray(value)) {
      for (let i = 0; i < value.length; i++) {
        const fault = value[i] === undefined
          ? `${path}[${i}]: undefined cannot stand in a JSON array`
          : find(value[i], `${path}[${i}]`, above);
        if (fault !== undefined) return fault;
      }
      return undefined;
    }
    for (const key of Object.keys(value)) {
      const fault = find((value as Record<string, unknown>)[key], `${path}.${key}`, above);
      if (fault !== undefined) return fault;
    }
    return undefined;
  } finally {
    above.delete(value);
  }
}

function strange(value: object): string | undefined {
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) {
    return "Bytes cannot be written as JSON: use image(), audio() or embed()";
  }
  if (value instanceof Date) return "A Date cannot be written as JSON: use toJson() or toISOString()";
  if (value instanceof Map || value instanceof Set) return "A Map or Set cannot be written as JSON: use toJson()";
  if (value instanceof Promise) return "A Promise cannot be written as JSON: await it";
  const { [Symbol.toStringTag]: tag, toJSON } = value as { readonly [Symbol.toStringTag]?: unknown; readonly toJSON?: unknown };
  if (typeof toJSON === "function") return undefined;
  if (value instanceof Error) return "An Error cannot be written as JSON: throw it";
  // Responses, streams, generators: JSON would have nothing of them.
  return typeof tag === "string" ? `An object of the kind ${tag} cannot be written as JSON` : undefined;
}
