/** Where each bound is tried at its edge: by carrier or part, the file below `tests/`, words of the title, and of the file. */
import type { Limits } from "../protocol/limits.ts";

/** A test: its file, words of its title and, where one title is that of many tests, words of the row. */
export type EdgeTest = readonly [file: string, title: string, row?: string];

/** The tests of each bound that can be set. */
export const EDGE_TESTS: { readonly [K in keyof Required<Limits>]: { readonly [where: string]: EdgeTest } } = {
  requestTimeout: {
    client: ["e2e/limits_client_test.ts", "client, limit requestTimeout"],
  },
  requestTotalTimeout: {
    client: ["e2e/limits_client_test.ts", "client, limit requestTotalTimeout"],
    walks: ["client/walk_pages_test.ts", "one total time"],
  },
  probeTimeout: {
    "in process": ["client/connect_test.ts", "gives up a probe"],
    HTTP: ["client/http_zoo_test.ts", "silence to the probe"],
  },
  handlerDeadline: {
    "HTTP and stdio": ["e2e/limits_server_test.ts", "limit handlerDeadline"],
    "in process": ["server/limits_test.ts", "handlerDeadline answers in place"],
  },
  handlers: {
    "HTTP and stdio": ["e2e/limits_server_test.ts", "limit handlers"],
    "in process": ["server/limits_test.ts", "up to their limit"],
  },
  handlerQueue: {
    "HTTP and stdio": ["e2e/limits_server_test.ts", "limit handlerQueue"],
    "in process": ["server/limits_test.ts", "handlerQueue 0"],
  },
  serverRequests: {
    "a channel": ["client/input/server_requests_test.ts", "limit serverRequests"],
    rounds: ["client/input/input_required_test.ts", "limits.serverRequests"],
  },
  requestBody: {
    server: ["e2e/limits_server_test.ts", "server, limit ${limit}", 'limit: "requestBody"'],
    client: ["e2e/limits_client_test.ts", "client, limit ${limit}", 'limit: "requestBody"'],
  },
  requestBodyTimeout: {
    HTTP: ["server/limits_test.ts", "requestBodyTimeout"],
  },
  verifyTimeout: {
    HTTP: ["server/auth/verify_timeout_test.ts", "limit verifyTimeout"],
  },
  responseBody: {
    server: ["e2e/limits_server_test.ts", "server, limit ${limit}", 'limit: "responseBody"'],
    client: ["e2e/limits_client_test.ts", "client, limit ${limit}", 'limit: "responseBody"'],
  },
  sseEvent: {
    server: ["e2e/limits_server_test.ts", "server, limit ${limit}", 'limit: "sseEvent"'],
    client: ["e2e/limits_client_test.ts", "client, limit ${limit}", 'limit: "sseEvent"'],
  },
  frame: {
    server: ["e2e/limits_server_test.ts", "server, limit ${limit}", 'limit: "frame"'],
    client: ["e2e/limits_client_test.ts", "client, limit ${limit}", 'limit: "frame"'],
    lines: ["transports/line_writer_test.ts", "exactly so many"],
  },
  jsonDepth: {
    server: ["e2e/limits_server_test.ts", "server, limit ${limit}", 'limit: "jsonDepth"'],
    client: ["e2e/limits_client_test.ts", "client, limit ${limit}", 'limit: "jsonDepth"'],
    lists: ["client/deep_answers_test.ts", "at the limit it stays"],
  },
  jsonElements: {
    server: ["e2e/limits_server_test.ts", "server, limit ${limit}", 'limit: "jsonElements"'],
    client: ["e2e/limits_client_test.ts", "client, limit ${limit}", 'limit: "jsonElements"'],
  },
  pages: {
    client: ["e2e/limits_client_test.ts", "client, limit pages"],
  },
  listLength: {
    client: ["e2e/limits_client_test.ts", "client, limit listLength"],
  },
  pageSize: {
    server: ["e2e/limits_server_test.ts", "server, limit pageSize"],
  },
  inputRounds: {
    client: ["e2e/limits_client_test.ts", "client, limit inputRounds"],
    server: ["server/handshake_input_test.ts", "limit inputRounds"],
  },
  requestState: {
    "HTTP and stdio": ["e2e/limits_streams_test.ts", "server, limit requestState"],
    "in process": ["server/input/rounds_test.ts", "limit requestState"],
  },
  subscriptionBuffer: {
    events: ["e2e/limits_streams_test.ts", "client, limit subscriptionBuffer"],
    "messages of a call": ["transports/peer_test.ts", "nobody reads at the limit"],
    "stray messages": ["transports/peer_test.ts", "oldest stray"],
  },
  subscriptions: {
    "HTTP and stdio": ["e2e/limits_server_test.ts", "server, limit subscriptions"],
    "in process": ["server/limits_test.ts", "limit subscriptions"],
  },
  subscriptionsPerPrincipal: {
    "HTTP and in process": ["e2e/limits_streams_test.ts", "limit subscriptionsPerPrincipal"],
  },
  subscriptionUris: {
    "HTTP and stdio": ["e2e/limits_streams_test.ts", "limit subscriptionUris"],
  },
  cacheEntries: {
    client: ["client/cache/cache_store_test.ts", "cacheEntries and cacheBytes"],
  },
  cacheBytes: {
    client: ["client/cache/cache_store_test.ts", "cacheEntries and cacheBytes"],
    "one answer": ["client/cache/cache_store_test.ts", "not one more"],
  },
  cacheTtl: {
    client: ["client/cache/response_cache_test.ts", "cacheTtl caps"],
  },
  verdictAge: {
    client: ["client/handshake_test.ts", "limits.verdictAge"],
  },
  sessions: {
    HTTP: ["e2e/limits_server_test.ts", "server, limit sessions"],
  },
  sessionsPerPrincipal: {
    HTTP: ["e2e/limits_streams_test.ts", "limit sessionsPerPrincipal"],
  },
  sessionIdle: {
    HTTP: ["transports/streamable_http_session_test.ts", "limit sessionIdle"],
  },
  sessionAge: {
    HTTP: ["transports/streamable_http_session_test.ts", "limit sessionAge"],
  },
  sessionEvents: {
    HTTP: ["transports/sessions/session_events_test.ts", "sessionEvents events over all streams"],
  },
  sessionEventBytes: {
    HTTP: ["transports/sessions/session_events_test.ts", "sessionEventBytes bytes"],
  },
  streamAge: {
    HTTP: ["transports/sessions/http_session_test.ts", "closed after streamAge"],
  },
  answerTimeout: {
    sessions: ["server/input/questions_test.ts", "limit answerTimeout"],
  },
  sessionEndTimeout: {
    HTTP: ["transports/http_session_client_test.ts", "limit sessionEndTimeout"],
  },
  streamRetries: {
    "GET stream": ["transports/get_stream_test.ts", "limit streamRetries"],
    calls: ["transports/resumption_test.ts", "limit streamRetries"],
    sessions: ["client/server_session_test.ts", "limit streamRetries"],
  },
  streamRetryDelay: {
    HTTP: ["transports/stream_cursor_test.ts", "limit streamRetryDelay"],
  },
  keepAlive: {
    HTTP: ["server/limits_test.ts", "keepAlive"],
  },
  stalledReader: {
    HTTP: ["transports/sse_response_test.ts", "limit stalledReader"],
    stdio: ["transports/serve_channel_test.ts", "limit stalledReader"],
  },
  stopGrace: {
    stdio: ["transports/stdio_client_test.ts", "limit stopGrace"],
  },
  stderrTail: {
    stdio: ["transports/stdio_client_test.ts", "limit stderrTail"],
  },
  progressPerSecond: {
    "HTTP and stdio": ["e2e/limits_server_test.ts", "server, limit progressPerSecond"],
  },
};
