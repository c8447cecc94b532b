/** The host page: connects to both servers, calls a tool of each as a model would, and hosts the views. */
import { connect } from "@causeway/mcp/client";
import { apps, modelTools } from "@causeway/mcp/client/apps";
import { createPanel } from "./panel.js";
import { showView } from "./show_view.js";

const hosts = [];
const systemIsDark = matchMedia("(prefers-color-scheme: dark)");
let chosen = "system";

const { servers, sandbox } = await (await fetch("/config.json")).json();
watchTheme();
await Promise.all([
  take({ url: servers.weather, said: "What is the weather in Oslo?", name: "weather", args: { city: "Oslo" } }),
  take({ url: servers.time, said: "What time is it on the server?", name: "get-time", args: {} }),
]);

/** Takes one turn: what a user said, and what a model called because of it. */
async function take({ url, said, name, args }) {
  const panel = createPanel({ said, call: `${name} ${JSON.stringify(args)}` });
  const client = await connect(url, { extensions: [apps] });
  // A model sees these tools, and no other ones.
  const tool = modelTools(await client.listTools()).find((one) => one.name === name);
  const app = tool === undefined ? undefined : await apps.on(client).resolve(tool);
  if (app === undefined) throw new Error(`There is no view for ${name}`);
  const { info, protocolVersion } = client.server;
  panel.title(info?.title ?? info?.name ?? name, `MCP ${protocolVersion} · ${app.uri}`);
  const { host, frame } = showView({ client, app, sandbox, panel, theme: theme() });
  hosts.push(host);
  panel.onEnd(async () => {
    const outcome = await host.teardown();
    frame.remove();
    await client.close();
    return outcome === "answered" ? "The view has ended." : "The view was ended.";
  });
  const result = client.callTool(app.tool, args);
  await host.ready;
  host.toolInput(args);
  host.toolResult(await result);
}

/** The theme in force. */
function theme() {
  if (chosen !== "system") return chosen;
  return systemIsDark.matches ? "dark" : "light";
}

function watchTheme() {
  const buttons = [...document.querySelectorAll("[data-theme]")];
  const apply = () => {
    for (const button of buttons) button.ariaPressed = String(button.dataset.theme === chosen);
    document.documentElement.style.colorScheme = chosen === "system" ? "light dark" : chosen;
    for (const host of hosts) host.setContext({ theme: theme() });
  };
  for (const button of buttons) {
    button.onclick = () => {
      chosen = button.dataset.theme;
      apply();
    };
  }
  systemIsDark.onchange = apply;
}
