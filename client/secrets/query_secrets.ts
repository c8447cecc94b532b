/** What may be secret in the query of an address. */
import { isCredentialHeader } from "./is_credential_header.ts";

/** Names that only queries have for credentials. */
const NAMES = /(?:^|[-_])(?:code|key|pass|pwd|sid|sig)$/;

/** A word as people write it, or a short number: `weather`, `FAHRENHEIT`, `getWeather`, `2025`. */
const WORD = /^(?:\d{0,4}|[A-Z]{1,20}|(?=[A-Za-z]{1,20}$)[A-Za-z][a-z]*(?:[A-Z][a-z]{2,})*)$/;

/**
 * Lists the values in a query that are secret: those whose name speaks of a credential (`api_key`, `token`), and those that do not
 * read as words and short numbers, whatever their name is. So `?tool=get_weather&day=2025-11-25` holds none.
 *
 * @param search The query as it stands in the address.
 */
export function querySecrets(search: string): readonly string[] {
  return search.slice(1).split("&").flatMap((part) => {
    const at = part.indexOf("=");
    const name = part.slice(0, Math.max(at, 0)).replace(/[a-z](?=[A-Z])/g, "$&-").toLowerCase();
    const value = part.slice(at + 1);
    const isNamed = isCredentialHeader(name) || NAMES.test(name);
    return isNamed || !value.split(/%..|[^a-z\d]+/i).every((word) => WORD.test(word)) ? [value] : [];
  });
}
