/** The notifications of changes: which one stands for what, in every revision. */

/** A list that can change, as the filter of a change stream names it (MCP 2026-07-28, Subscriptions § Notification filter). */
export type ListChange = "toolsListChanged" | "promptsListChanged" | "resourcesListChanged";

/** Every change that can be told. */
export type ChangeType = ListChange | "resourceUpdated";

/** Change → the method of its notification. */
export const CHANGE_METHODS: { readonly [K in ChangeType]: string } = {
  toolsListChanged: "notifications/tools/list_changed",
  promptsListChanged: "notifications/prompts/list_changed",
  resourcesListChanged: "notifications/resources/list_changed",
  resourceUpdated: "notifications/resources/updated",
};

const TYPES: ReadonlyMap<string, ChangeType> = new Map(
  Object.entries(CHANGE_METHODS).map(([type, method]) => [method, type as ChangeType]),
);

/** The change that a notification tells of; undefined when it tells of none. */
export function changeOfMethod(method: string): ChangeType | undefined {
  return TYPES.get(method);
}
