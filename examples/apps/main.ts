/**
 * A host page with two apps on it, ours and the official one, each in a sandbox of its own:
 *
 *     deno run --unstable-no-legacy-abort --allow-net=127.0.0.1 --allow-read=examples/apps --allow-run=deno examples/apps/main.ts [port]
 *
 * Four servers on loopback, and so four origins: the page, the sandboxes, and two MCP servers that the page itself talks to.
 * Ends when standard input is closed, where that is a pipe.
 */
// deno-lint-ignore-file no-console -- the address of the page is what this program prints
import { contentSecurityPolicy } from "@causeway/mcp/client/apps";
import weather from "./weather.ts";

const HOME = "127.0.0.1";
const FILES = new URL("./page/", import.meta.url);

const scriptText = await bundled("page.js");
const page = serve(Number(Deno.args[0] ?? 0), showPage);
const sandbox = serve(0, showSandbox);
const mcp = serve(0, weather.fetch);
const { child, port: officialPort } = await startOfficial(origin(page));
console.log(`${origin(page)}/`);

if (!Deno.stdin.isTerminal()) {
  for await (const _chunk of Deno.stdin.readable);
  await child.stdin.close();
  await Promise.all([page.shutdown(), sandbox.shutdown(), mcp.shutdown(), child.status]);
}

type Server = Deno.HttpServer<Deno.NetAddr>;

function serve(port: number, handler: (request: Request) => Response | Promise<Response>): Server {
  return Deno.serve({ hostname: HOME, port, onListen: () => {} }, handler);
}

function origin({ addr: { port } }: Server): string {
  return `http://${HOME}:${port}`;
}

async function showPage(request: Request): Promise<Response> {
  const servers = { weather: `${origin(mcp)}/mcp`, time: `http://${HOME}:${officialPort}/mcp` };
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src data:",
    `connect-src 'self' ${origin(mcp)} http://${HOME}:${officialPort}`,
    `frame-src ${origin(sandbox)}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
  switch (new URL(request.url).pathname) {
    case "/":
      return text("text/html", await file("index.html"), policy);
    case "/style.css":
      return text("text/css", await file("style.css"));
    case "/page.js":
      return text("text/javascript", scriptText);
    case "/config.json":
      return Response.json({ servers, sandbox: origin(sandbox) });
  }
  return new Response(null, { status: 404 });
}

/** The policy comes from what the view's resource declares: only origins get into it, whoever asks. */
async function showSandbox(request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  if (pathname === "/sandbox.js") return text("text/javascript", await file("sandbox.js"));
  if (pathname !== "/") return new Response(null, { status: 404 });
  try {
    const policy = contentSecurityPolicy(JSON.parse(searchParams.get("csp") ?? "{}"));
    return text("text/html", await file("sandbox.html"), `${policy}; frame-ancestors ${origin(page)}`);
  } catch (error) {
    return new Response(error instanceof Error ? error.message : null, { status: 400 });
  }
}

function file(name: string): Promise<string> {
  return Deno.readTextFile(new URL(name, FILES));
}

function text(type: string, body: string, policy?: string): Response {
  const headers = {
    "content-type": `${type}; charset=utf-8`,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
  };
  return new Response(body, { headers: policy === undefined ? headers : { ...headers, "content-security-policy": policy } });
}

/** The page's script and what it imports, in one text for browsers. */
async function bundled(name: string): Promise<string> {
  const args = ["bundle", "--quiet", "--platform", "browser", "--minify", new URL(name, FILES).pathname];
  const { success, stdout, stderr } = await new Deno.Command("deno", { args }).output();
  if (!success) throw new Error(`Bundling ${name}: ${new TextDecoder().decode(stderr)}`);
  return new TextDecoder().decode(stdout);
}

/** The official server is a program of its own, with permissions of its own. */
async function startOfficial(allowed: string): Promise<{ readonly child: Deno.ChildProcess; readonly port: number }> {
  const program = new URL("./official.ts", import.meta.url).href;
  const permissions = [`--allow-net=${HOME}`, "--allow-read", "--allow-env"];
  const args = ["run", "--quiet", "--no-prompt", "--unstable-no-legacy-abort", ...permissions, program, allowed];
  const child = new Deno.Command("deno", { args, stdin: "piped", stdout: "piped" }).spawn();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const port = Number((await reader.read()).value);
  await reader.cancel();
  return { child, port };
}
