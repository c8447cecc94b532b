/** What a host tells a view that it can do. */
import type { ContentModalities, HostCapabilities } from "../../protocol/extensions/bridge/bridge_types.ts";
import type { JsonObject } from "../../protocol/types.ts";
import type { AppHostOptions } from "./app_host_types.ts";

/**
 * The capabilities that follow from what there is: the server of the view, the handlers, and what the view was granted. What the
 * options name comes over it.
 */
export function hostCapabilities({ app, handlers = {}, capabilities }: AppHostOptions): HostCapabilities {
  const { csp, permissions } = app?.ui ?? {};
  const anything: ContentModalities = { text: {}, image: {}, audio: {}, resource: {}, resourceLink: {} };
  return {
    serverTools: {},
    serverResources: {},
    openLinks: offered(handlers.openLink),
    downloadFile: offered(handlers.downloadFile),
    logging: offered(handlers.log),
    sampling: offered(handlers.sample),
    message: handlers.message === undefined ? undefined : anything,
    updateModelContext: handlers.updateModelContext === undefined ? undefined : { ...anything, structuredContent: {} },
    sandbox: app === undefined
      ? undefined
      : { csp: csp as JsonObject | undefined, permissions: permissions as JsonObject | undefined },
    ...capabilities,
  };
}

function offered(handler: unknown): JsonObject | undefined {
  return handler === undefined ? undefined : {};
}
