/** Checks the option `stateKeys`. */
import { checkList } from "../../protocol/unknown_option.ts";

/** Bytes of a key. */
export const KEY_BYTES = 32;

/**
 * Checks keys.
 *
 * @throws {TypeError} For what is not a list, and for a key of another length.
 */
export function checkStateKeys(keys: readonly (Uint8Array | string)[] | undefined): void {
  checkList(keys, "stateKeys");
  keys?.forEach((key, index) => {
    if (typeof key === "string" ? key.length < 16 : !(key instanceof Uint8Array) || key.length !== KEY_BYTES) {
      throw new TypeError(`stateKeys[${index}]: Expected ${KEY_BYTES} bytes, or a text of at least 16 characters`);
    }
  });
}
