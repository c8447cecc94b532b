/** What runs the functions of templates and prompts that list and complete: loaded with the first request that needs one. */
import { onDemand } from "../../protocol/on_demand.ts";
import type { OnDemand } from "../../protocol/on_demand.ts";

/** What runs those functions. */
export const PROGRAM_LISTS: OnDemand<typeof import("./program_lists.ts")> = onDemand(() => import("./program_lists.ts"));
