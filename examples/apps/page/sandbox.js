/**
 * The outer frame of a view. Its origin is another one than the host's, so that a view that gets out of its own frame is still
 * not where the host is. It loads the HTML that the host hands it and passes on everything else.
 */
const OWN = "ui/notifications/sandbox-";
const host = new URLSearchParams(location.search).get("host") ?? "";
const view = document.createElement("iframe");

addEventListener("message", ({ source, origin, data }) => {
  const isOwn = typeof data?.method === "string" && data.method.startsWith(OWN);
  if (source === parent && origin === host) {
    if (data?.method === `${OWN}resource-ready`) load(data.params);
    else if (!isOwn) {
      follow(data);
      view.contentWindow?.postMessage(data, "*"); // the view has no origin that could be named
    }
  } else if (source === view.contentWindow && !isOwn) parent.postMessage(data, host);
});

parent.postMessage({ jsonrpc: "2.0", method: `${OWN}proxy-ready`, params: {} }, host);

/** The policy of this document, which came as a header, holds in the view too. */
function load({ html, allow }) {
  view.sandbox.value = "allow-scripts allow-forms";
  view.allow = allow ?? "";
  view.srcdoc = html;
  document.body.replaceChildren(view);
}

/** A frame is transparent only while its colour scheme is that of the page around it. */
function follow({ params, result }) {
  const theme = params?.theme ?? result?.hostContext?.theme;
  if (theme) document.documentElement.style.colorScheme = theme;
}
