/** What serves channels: of lines, and of messages as values. */
export { serveMessages } from "./serve_messages.ts";
export { servePipe } from "./serve_pipe.ts";
