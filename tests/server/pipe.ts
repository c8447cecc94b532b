/** A server behind an in-memory byte pipe, as stdio has it: one message a line. */
import type { JsonRpcMessage } from "../../protocol/types.ts";
import type { LimitOptions } from "../../protocol/limits.ts";
import type { Server } from "../../server/server_types.ts";
import { lines } from "../../transports/byte_stream.ts";
import { serveChannel } from "../../transports/serve_channel.ts";

/** The client's end of a served pipe. */
export interface Piped {
  /** Writes text or bytes as they are. */
  write(data: string | Uint8Array): Promise<void>;
  /** Writes a message as a line. */
  send(message: JsonRpcMessage): Promise<void>;
  /** The next line of the server; fails at the end of the pipe. */
  next(): Promise<JsonRpcMessage>;
  /** Ends the pipe and waits for the server's end of it; gives the lines that nobody read. */
  end(): Promise<JsonRpcMessage[]>;
}

/** Serves over a pipe in memory. */
export function pipeTo(server: Server, limits: LimitOptions = "default"): Piped {
  const toServer = new TransformStream<Uint8Array, Uint8Array>(undefined, { highWaterMark: 1 });
  const fromServer = new TransformStream<Uint8Array, Uint8Array>(undefined, { highWaterMark: 16 });
  const done = serveChannel(server, lines({ readable: toServer.readable, writable: fromServer.writable }, { limits }));
  const writer = toServer.writable.getWriter();
  const reader = fromServer.readable.getReader();
  const decoder = new TextDecoder();
  let text = "";
  const nextLine = async (): Promise<string | undefined> => {
    while (!text.includes("\n")) {
      const { done, value } = await reader.read();
      if (done) return undefined;
      text += decoder.decode(value, { stream: true });
    }
    const at = text.indexOf("\n");
    const line = text.slice(0, at);
    text = text.slice(at + 1);
    return line;
  };
  const write = (data: string | Uint8Array): Promise<void> =>
    writer.write(typeof data === "string" ? new TextEncoder().encode(data) : data);
  return {
    write,
    send: (message) => write(`${JSON.stringify(message)}\n`),
    async next() {
      const line = await nextLine();
      if (line === undefined) throw new Error("Expected a line, found the end of the pipe");
      return JSON.parse(line);
    },
    async end() {
      const rest: JsonRpcMessage[] = [];
      const reading = (async () => {
        for (let line = await nextLine(); line !== undefined; line = await nextLine()) rest.push(JSON.parse(line));
      })();
      await writer.close();
      await done;
      await reading.catch(() => undefined);
      return rest;
    },
  };
}
