/** What a list method is made of. */
import type { CallInfo } from "../../protocol/context.ts";
import type { JsonObject } from "../../protocol/types.ts";
import type { Mounted } from "../components/mounted.ts";
import type { ListFacts } from "./pages.ts";

/** One item of a list, and when it is shown. */
export interface Listed {
  /** The name or URI. */
  readonly key: string;
  /** As it is listed. */
  readonly definition: JsonObject;
  /** Is it shown to this caller? Always when absent. */
  readonly visible?: ((info: CallInfo) => boolean) | undefined;
  /** The mounted server that it belongs to. */
  readonly within?: Mounted | undefined;
}

/** What a list method is made of. */
export interface ListSource extends Pick<ListFacts, "method" | "member" | "kind"> {
  /** The member of a definition that names it. */
  readonly key: "name" | "uri" | "uriTemplate";
  /** Which hint of `options.cache` applies. */
  readonly hint: "tools" | "prompts" | "resources" | "templates";
  /** The items that the catalogue holds. */
  readonly items: () => readonly Listed[];
  /** The mounted servers that have a part in it. */
  readonly places: readonly Mounted[];
  /** Is it shown in part to some callers, beyond what the items say? Then nobody may share its pages. */
  readonly perCaller?: boolean | undefined;
  /** Items that are found for one request. */
  readonly more?: ((info: CallInfo) => Promise<readonly Listed[]>) | undefined;
}
