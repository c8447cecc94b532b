/** The same server as `official_server.ts`, written with this package. */
import {
  ask,
  defineServer,
  inputRequired,
  prompt,
  resource,
  type Server,
  type ServerPrompt,
  type ServerResource,
  type ServerTool,
  tool,
} from "@causeway/mcp/server";

/** Builds the server; `cancelled` is called when the tool `wait` is cancelled. Over HTTP it has sessions unless told otherwise. */
export function causewayServer(cancelled: () => void, sessions = true): Server {
  return defineServer({
    name: "causeway",
    version: "1.2.3",
    title: "Causeway peer",
    instructions: "Ask anything.",
    sessions,
    tools: [...tools(), ...asking(), wait(cancelled)],
    resources: resources(),
    prompts: prompts(),
  });
}

function tools(): ServerTool[] {
  return [
    tool({
      name: "echo",
      description: "Gives the text back",
      args: { text: { type: "string", required: true } },
      handler: ({ text }) => text,
    }),
    tool({
      name: "sum",
      description: "Adds numbers",
      args: { numbers: { type: "array", items: { type: "number" }, required: true } },
      output: { type: "object", properties: { total: { type: "number" } }, required: ["total"] },
      handler: ({ numbers }) => ({ total: numbers.reduce((sum, number) => sum + number, 0) }),
    }),
    tool({
      name: "fail",
      description: "Fails",
      handler: () => ({ content: [{ type: "text", text: "it did not work" }], isError: true }),
    }),
    tool({
      name: "steps",
      description: "Reports progress",
      args: { count: { type: "integer", required: true } },
      async handler({ count }, ctx) {
        for (let step = 1; step <= count; step++) await ctx.progress(step, count, `step ${step}`);
        await ctx.log("info", { finished: count });
        return `${count} steps`;
      },
    }),
    tool({
      name: "touch",
      description: "Publishes changes",
      async handler(_args, ctx) {
        await ctx.notify.toolsChanged();
        await ctx.notify.resourceUpdated("config://app");
        return "touched";
      },
    }),
  ];
}

function asking(): ServerTool[] {
  return [tool({
    name: "confirm",
    description: "Asks a person, twice",
    args: { what: { type: "string", required: true } },
    handler({ what }, ctx) {
      const confirming = { first: ask.form(`Really ${what}?`, { confirm: { type: "boolean", required: true } }) };
      const naming = {
        sampled: ask.sampling({
          messages: [{ role: "user", content: { type: "text", text: `Name for ${what}` } }],
          maxTokens: 10,
        }),
        roots: ask.roots(),
      };
      if (ctx.state === "confirmed") {
        const { sampled, roots } = ctx.answers(naming);
        return JSON.stringify({ sampled, roots });
      }
      const { first } = ctx.answers(confirming);
      if (first === undefined) return inputRequired(confirming);
      if (first.action !== "accept" || !first.content.confirm) return "left alone";
      return inputRequired(naming, { state: "confirmed" });
    },
  })];
}

function wait(cancelled: () => void): ServerTool {
  return tool({
    name: "wait",
    description: "Waits until it is cancelled",
    async handler(_args, ctx) {
      const stopped = Promise.withResolvers<void>();
      ctx.signal.addEventListener("abort", () => stopped.resolve(), { once: true });
      await ctx.progress(0);
      await stopped.promise;
      cancelled();
      return "cancelled";
    },
  });
}

function resources(): ServerResource[] {
  return [
    resource({
      uri: "config://app",
      name: "config",
      title: "Configuration",
      mimeType: "application/json",
      read: () => ({ theme: "dark" }),
    }),
    resource({
      uri: "users://{userId}/profile",
      name: "profile",
      mimeType: "text/plain",
      complete: { userId: (prefix) => ["17", "18", "29"].filter((id) => id.startsWith(prefix)) },
      read: ({ userId }) => `profile of ${userId}`,
    }),
  ];
}

function prompts(): ServerPrompt[] {
  const languages = ["typescript", "python", "rust"];
  return [prompt({
    name: "review",
    title: "Review",
    description: "Reviews code",
    arguments: { language: { required: true }, focus: {} },
    complete: { language: (prefix) => languages.filter((language) => language.startsWith(prefix)) },
    render: ({ language, focus = "style" }) => `Review this ${language} for ${focus}.`,
  })];
}
