/** Parts of a client that many programs never come to. They are loaded together, because each chunk of a bundle has its price. */
export { goOn } from "./input/input_required.ts";
export { querySecrets } from "./secrets/query_secrets.ts";
export { slowOpening } from "./slow_opening.ts";
export { withExtensions } from "./spoken_extensions.ts";
export { targetFault } from "./target_fault.ts";
