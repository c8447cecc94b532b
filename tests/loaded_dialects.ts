/** The dialects, loaded, for tests that read and write in them by themselves. */
import { DIALECTS } from "../protocol/dialects/mod.ts";

await Promise.all(DIALECTS.map((dialect) => dialect.load?.()));

export { dialect20250618 } from "../protocol/dialects/2025-06-18.ts";
export { dialect20251125 } from "../protocol/dialects/2025-11-25.ts";
export { chooseDialects, DIALECTS, SUPPORTED_VERSIONS } from "../protocol/dialects/mod.ts";
