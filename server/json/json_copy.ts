/** Copies what a handler hands over, which may go on to change it. */
import { jsonFault } from "./json_fault.ts";

/**
 * A copy of an object as JSON carries it. What is not an object, and what JSON cannot carry, is given back as it is: whoever writes it
 * says what is wrong with it.
 */
export function jsonCopy<T>(value: T): T {
  return typeof value === "object" && jsonFault(value, "") === undefined ? JSON.parse(JSON.stringify(value)) : value;
}
