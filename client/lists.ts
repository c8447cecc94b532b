/** The lists that a client walks. */
import type { ListKinds } from "./client_types.ts";
import type { DeclaredList } from "./results.ts";

/** How each list is asked for, and what its items have. */
export const LISTS: { readonly [K in keyof ListKinds]: DeclaredList } = {
  tools: { method: "tools/list", capability: "tools", member: "tools", strings: ["name"], objects: ["inputSchema"] },
  resources: { method: "resources/list", capability: "resources", member: "resources", strings: ["uri", "name"], objects: [] },
  resourceTemplates: {
    method: "resources/templates/list",
    capability: "resources",
    member: "resourceTemplates",
    strings: ["uriTemplate", "name"],
    objects: [],
  },
  prompts: { method: "prompts/list", capability: "prompts", member: "prompts", strings: ["name"], objects: [] },
};
