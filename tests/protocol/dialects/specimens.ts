/** One rich specimen of every message and definition, written in a given dialect. */
import type { Dialect, Outcome, RequestOut } from "../../../protocol/dialect.ts";
import type { JsonObject, JsonValue } from "../../../protocol/json.ts";
import type { InputRequest } from "../../../protocol/types.ts";
import { ANSWERS, DECLARED, IMPLEMENTATION, LISTS, OFFERED, QUESTIONS, RESULTS, TOOLS } from "./specimen_inputs.ts";

/** What was written, and under which name the published schema describes it. */
export interface Specimen {
  /** What it is. */
  readonly name: string;
  /** The type in the published schema; undefined when it has none. */
  readonly type: string | undefined;
  /** As it goes over the wire. */
  readonly value: JsonValue;
}

/** Writes one specimen of everything. */
export function specimens(dialect: Dialect): readonly Specimen[] {
  return [...handshakeSpecimens(dialect), ...requestSpecimens(dialect), ...resultSpecimens(dialect), ...noticeSpecimens(dialect)]
    // As the wire has it: without members that are undefined.
    .map((specimen) => ({ ...specimen, value: JSON.parse(JSON.stringify(specimen.value)) }));
}

function handshakeSpecimens({ handshake }: Dialect): Specimen[] {
  if (handshake === undefined) return [];
  const welcome = { serverInfo: IMPLEMENTATION, capabilities: OFFERED, instructions: "Use it" };
  const { message, headers } = handshake.writeHello(1, { clientInfo: IMPLEMENTATION, clientCapabilities: DECLARED });
  const asked = Object.entries(QUESTIONS).map(([name, question]): Specimen => {
    const written = handshake.writeQuestion({ id: 7, question, progressToken: 1, elicitationId: "e1" });
    return { name: `question: ${name}`, type: written.ok ? QUESTION_TYPES[question.method] : undefined, value: outcome(written) };
  });
  const answered = ANSWERS.map(([name, type, answer]): Specimen => ({
    name: `answer: ${name}, ${answer.action ?? "given"}`,
    type,
    value: handshake.writeAnswer(QUESTIONS[name] as InputRequest, answer),
  }));
  return [
    { name: "initialize", type: "InitializeRequest", value: message as unknown as JsonObject },
    { name: "initialize: headers", type: undefined, value: headers },
    {
      name: "welcome, lasting",
      type: "InitializeResult",
      value: handshake.writeWelcome({ ...welcome, lasting: true }),
    },
    { name: "welcome, single", type: "InitializeResult", value: handshake.writeWelcome({ ...welcome, lasting: false }) },
    ...asked,
    ...answered,
  ];
}

const QUESTION_TYPES = {
  "elicitation/create": "ElicitRequest",
  "sampling/createMessage": "CreateMessageRequest",
  "roots/list": "ListRootsRequest",
} as const;

const REQUESTS: readonly (readonly [method: string, type: string, params: JsonObject])[] = [
  ["ping", "PingRequest", {}],
  ["server/discover", "DiscoverRequest", {}],
  ["tools/list", "ListToolsRequest", { cursor: "c" }],
  ["tools/call", "CallToolRequest", { name: "rich", arguments: { n: 1 } }],
  ["prompts/list", "ListPromptsRequest", {}],
  ["prompts/get", "GetPromptRequest", { name: "p", arguments: { a: "x" } }],
  ["resources/list", "ListResourcesRequest", {}],
  ["resources/templates/list", "ListResourceTemplatesRequest", {}],
  ["resources/read", "ReadResourceRequest", { uri: "file:///a" }],
  ["resources/subscribe", "SubscribeRequest", { uri: "file:///a" }],
  ["resources/unsubscribe", "UnsubscribeRequest", { uri: "file:///a" }],
  ["completion/complete", "CompleteRequest", {
    ref: { type: "ref/prompt", name: "p" },
    argument: { name: "a", value: "x" },
    context: { arguments: { b: "y" } },
  }],
  ["logging/setLevel", "SetLevelRequest", { level: "info" }],
  ["subscriptions/listen", "SubscriptionsListenRequest", { notifications: { toolsListChanged: true } }],
];

function requestSpecimens(dialect: Dialect): Specimen[] {
  return REQUESTS.filter(([method]) => dialect.hasRequest(method, "client")).flatMap(([method, type, params]): Specimen[] => {
    const asking = dialect.mayAskForInput(method);
    const request: RequestOut = {
      id: 1,
      method,
      params,
      clientInfo: IMPLEMENTATION,
      clientCapabilities: DECLARED,
      progressToken: asking ? "p" : undefined,
      logLevel: asking ? "info" : undefined,
      meta: asking ? { "com.example/a": 1 } : undefined,
      inputResponses: asking ? { a: { action: "decline" } } : undefined,
      requestState: asking ? "s" : undefined,
      mirrored: [{ header: "mcp-param-n", spelled: "N", path: ["n"] }],
    };
    const { message, headers } = dialect.writeRequest(request);
    return [
      { name: `request: ${method}`, type, value: message as unknown as JsonObject },
      { name: `request: ${method}: headers`, type: undefined, value: headers },
    ];
  });
}

function resultSpecimens(dialect: Dialect): Specimen[] {
  const frame = dialect.frame(IMPLEMENTATION);
  const cache = { ttlMs: 5, cacheScope: "public" } as const;
  const answered = RESULTS.filter(([method]) => dialect.hasRequest(method, "client")).map((
    [method, type, result],
    index,
  ): Specimen => ({
    name: `result ${index}: ${method}`,
    type,
    value: dialect.writeResult(method, result, frame, cache),
  }));
  const listed = LISTS.map(([method, type, member, kind, definitions]): Specimen => {
    const written = definitions.map((definition) => dialect.writeDefinition(kind, definition));
    return {
      name: `result: ${method}`,
      type,
      value: dialect.writeResult(method, { [member]: written, nextCursor: "n" }, frame, cache),
    };
  });
  const tree = TOOLS[1]?.outputSchema as JsonObject;
  const values: readonly (readonly [string, JsonValue, JsonObject | undefined])[] = [
    ["an object", { a: "x" }, TOOLS[0]?.outputSchema as JsonObject],
    ["null under another root", null, tree],
    ["an object under another root", { next: null }, tree],
    ["a list without a schema", [1], undefined],
  ];
  const structured = values.map(([name, value, schema]): Specimen => {
    const structuredContent = dialect.writeStructured(value, schema).value;
    return {
      name: `structured: ${name}`,
      type: "CallToolResult",
      value: dialect.writeResult("tools/call", { content: [], structuredContent }, frame),
    };
  });
  const facts = { supportedVersions: ["2026-07-28"], capabilities: OFFERED, instructions: "Use it" };
  const stateless: Specimen[] = dialect.handshake !== undefined ? [] : [
    { name: "result: server/discover", type: "DiscoverResult", value: dialect.writeDiscover(facts, frame, cache) },
    { name: "input required", type: "InputRequiredResult", value: dialect.writeInputRequired(QUESTIONS, "s", frame) },
    { name: "end of a stream", type: "SubscriptionsListenResult", value: dialect.writeStreamEnd(1, frame) },
  ];
  return [...answered, ...listed, ...structured, ...stateless];
}

function noticeSpecimens(dialect: Dialect): Specimen[] {
  const change = (method: string, params: JsonObject): JsonObject =>
    (dialect.handshake === undefined
      ? dialect.writeChange(method, params, 1)
      : dialect.handshake.writeChange(method, params)) as unknown as JsonObject;
  const notice = (name: string, type: string, value: unknown): Specimen => ({ name, type, value: value as JsonObject });
  return [
    notice("progress", "ProgressNotification", dialect.writeProgress("p", { progress: 1, total: 2, message: "half" })),
    notice("log", "LoggingMessageNotification", dialect.writeLog("info", { a: 1 }, "l")),
    notice("tools changed", "ToolListChangedNotification", change("notifications/tools/list_changed", {})),
    notice("prompts changed", "PromptListChangedNotification", change("notifications/prompts/list_changed", {})),
    notice("resources changed", "ResourceListChangedNotification", change("notifications/resources/list_changed", {})),
    notice("resource updated", "ResourceUpdatedNotification", change("notifications/resources/updated", { uri: "file:///a" })),
    { name: "headers of a notification", type: undefined, value: dialect.notificationHeaders("notifications/cancelled") },
    { name: "headers of a session", type: undefined, value: dialect.sessionHeaders },
  ];
}

function outcome(written: Outcome<unknown>): JsonValue {
  return (written.ok ? written.value : { error: written.error }) as JsonValue;
}
