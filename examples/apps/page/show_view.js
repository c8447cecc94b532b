/** Shows one view in a sandbox of another origin, and hosts it. */
import { allowAttribute, appHost, SANDBOX_READY, SANDBOX_RESOURCE } from "@causeway/mcp/client/apps";

/** The agreed CSS variables, in the colours of this page. */
const VARIABLES = {
  "--color-background-primary": "light-dark(#ffffff, #1b1d20)",
  "--color-background-secondary": "light-dark(#f2f2f0, #26292d)",
  "--color-background-inverse": "light-dark(#1c1e21, #eceef0)",
  "--color-background-info": "light-dark(#eef5f8, #1d2b31)",
  "--color-text-primary": "light-dark(#1c1e21, #eceef0)",
  "--color-text-secondary": "light-dark(#6a7077, #9aa1a9)",
  "--color-text-info": "light-dark(#1f5a70, #9fd3e6)",
  "--color-border-primary": "light-dark(#e4e4e0, #303439)",
  "--color-ring-primary": "light-dark(#1f6f8b, #6cc0dc)",
  "--font-sans": 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  "--font-mono": "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace",
  "--border-radius-md": "8px",
};

/**
 * Opens the sandbox; the view begins when that is loaded.
 *
 * @param options The connection that the tool came from, the tool with its view, the origin of the sandboxes, the panel that
 * shows it, and the theme to begin with.
 * @returns The host of the view, and its frame.
 */
export function showView({ client, app, sandbox, panel, theme }) {
  const frame = document.createElement("iframe");
  frame.title = `View of the tool ${app.tool.name}`;
  frame.sandbox.value = "allow-scripts allow-same-origin allow-forms";
  const allow = allowAttribute(); // nothing that the view asks for is granted
  frame.allow = allow;
  const host = appHost({
    client,
    tool: app.tool,
    app,
    info: { name: "apps-page", version: "1.0.0" },
    post(message) {
      panel.log("host", message);
      frame.contentWindow?.postMessage(message, sandbox);
    },
    context: {
      theme,
      styles: { variables: VARIABLES },
      displayMode: "inline",
      availableDisplayModes: ["inline"],
      containerDimensions: { maxHeight: 720 },
      locale: navigator.language,
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      platform: "web",
    },
    handlers: {
      openLink: (url) => panel.askToOpen(url),
      message: ({ content }) => panel.say(content.flatMap((block) => block.type === "text" ? [block.text] : []).join("\n")),
      updateModelContext: () => true,
      log: () => {},
      sizeChanged({ width, height }) {
        // A view that has no room at the moment tells of heights that are none.
        if (height !== undefined && width !== 0) frame.style.height = `${Math.min(height, 720)}px`;
      },
    },
    report: (fault) => reportError(fault),
  });
  addEventListener("message", ({ source, origin, data }) => {
    if (source !== frame.contentWindow || origin !== sandbox) return;
    if (data?.method === SANDBOX_READY) {
      const params = { html: app.html, allow, csp: app.ui.csp, permissions: app.ui.permissions };
      frame.contentWindow?.postMessage({ jsonrpc: "2.0", method: SANDBOX_RESOURCE, params }, sandbox);
    } else {
      panel.log("view", data);
      host.receive(data);
    }
  });
  frame.src = `${sandbox}/?${new URLSearchParams({ host: location.origin, csp: JSON.stringify(app.ui.csp ?? {}) })}`;
  panel.show(frame, app.ui.prefersBorder === true);
  return { host, frame };
}
