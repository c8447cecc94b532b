/** One tour through the server about packages: the same calls, whatever the transport. */
import { type Client, isMcpError, textOf, uriTemplate } from "@causeway/mcp/client";
import type server from "../packages.ts";
import type { Transcript } from "./transcript.ts";

/** A client that knows the names, arguments and results of the server's tools. */
type Packages = Client<typeof server>;

/** Asks for everything once. Throws at the first answer that is not the expected one. */
export async function tour(client: Packages, record: Transcript): Promise<void> {
  await lists(client, record);
  await calls(client, record);
  await contents(client, record);
  await changes(client, record);
  await refusals(client, record);
}

async function lists(client: Packages, { ask }: Transcript): Promise<void> {
  await ask("discover", "server/discover", () => client.discover(), ({ supportedVersions, capabilities }) => {
    return `speaks ${supportedVersions.join(", ")}; offers ${Object.keys(capabilities).sort().join(", ")}`;
  });
  await ask("list", "tools/list, resources/list, resources/templates/list, prompts/list", () =>
    Promise.all([
      client.listTools(),
      client.listResources(),
      client.listResourceTemplates(),
      client.listPrompts(),
    ]), (all) => all.map((items) => items.map(({ name }) => name).join(", ")).join(" | "));
}

async function calls(client: Packages, { ask, say }: Transcript): Promise<void> {
  await ask(
    "call",
    'tools/call search { query: "json-schema" }',
    () => client.tools.search({ query: "json-schema" }),
    ({ total, packages }) => `${total} hits, the first: ${packages[0]?.name ?? "none"}`,
  );
  await ask(
    "call with progress",
    "tools/call compare { names: [ajv, zod, @cfworker/json-schema] }",
    () =>
      client.callTool("compare", { names: ["ajv", "zod", "@cfworker/json-schema"] }, {
        onProgress: ({ progress, total, message }) => say(`progress ${progress} of ${total}: ${message}`),
      }),
    (result) => {
      if (result.isError) throw new Error(textOf(result));
      const { packages, smallest } = result.structuredContent;
      return `${packages.map(({ name, all }) => `${name} needs ${all}`).join(", ")}; smallest: ${smallest}`;
    },
  );
}

async function contents(client: Packages, { ask }: Transcript): Promise<void> {
  const uri = uriTemplate("npm://{name}/info").expand({ name: "@cfworker/json-schema" });
  await ask("read", `resources/read ${uri}`, () => client.readResource(uri), ({ contents: [first] }) => {
    if (first === undefined || !("text" in first)) throw new Error("Reading a package: No text came back");
    const { name, version, license } = JSON.parse(first.text);
    return `${first.mimeType}: ${name} ${version} (${license})`;
  });
  await ask(
    "prompt",
    "prompts/get review { name: ajv, focus: security }",
    () => client.getPrompt("review", { name: "ajv", focus: "security" }),
    ({ messages }) => messages.map(({ role, content }) => `${role}: ${textOf({ content })}`).join(" / "),
  );
  await ask(
    "complete",
    "completion/complete review name=event…",
    () => client.complete({ prompt: "review" }, { name: "name", value: "eventsource-" }),
    ({ values }) => values.join(", "),
  );
}

async function changes(client: Packages, { ask }: Transcript): Promise<void> {
  const open = { signal: AbortSignal.timeout(5_000) };
  const stream = await ask(
    "listen",
    "subscriptions/listen npm://pins",
    () => client.listen({ resourceSubscriptions: ["npm://pins"] }, open),
    ({ accepted }) => `listening to ${accepted.resourceSubscriptions?.join(", ")}`,
  );
  await ask("call with question", "tools/call pin { name: zod }", () => client.tools.pin({ name: "zod" }), String);
  await ask("event", "the next change", () => stream.next(), ({ value }) => {
    if (value?.type !== "resourceUpdated") throw new Error(`Waiting for a change: ${value?.type ?? "nothing"} came`);
    return `${value.uri} was updated`;
  });
  await stream.close();
}

async function refusals(client: Packages, { ask }: Transcript): Promise<void> {
  await ask("bad arguments", 'tools/call search { query: "" }', () => client.callTool("search", { query: "" }), (result) => {
    if (!result.isError) throw new Error("Calling search without a query: It was not refused");
    return `isError: ${textOf(result)}`;
  });
  await ask("a tool that fails", "tools/call dependencies { name: no-such-package }", () => {
    return failure(client.tools.dependencies({ name: "no-such-package" }));
  }, String);
  await ask("an unknown tool", "tools/call deploy", () => {
    const untyped: Client = client;
    return failure(untyped.callTool("deploy"));
  }, String);
}

/** What a call that must fail fails with. */
async function failure(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (error) {
    if (!isMcpError(error)) throw error;
    return `${error.name}: ${error.message}`;
  }
  throw new Error("Waiting for a refusal: The call succeeded");
}
