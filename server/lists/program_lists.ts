/** Parts of a server that run the functions which list and complete. They are loaded together, because each chunk has its price. */
export { complete } from "./complete_argument.ts";
export { listConcrete } from "./list_concrete.ts";
