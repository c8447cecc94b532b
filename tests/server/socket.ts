/** Raw HTTP/1.1 over a socket, for what no HTTP client would send; and a server on a real port. */
import type { JsonRpcMessage } from "../../protocol/types.ts";
import type { Server } from "../../server/server_types.ts";
import { headersFor } from "./calls.ts";

/** A server that listens on loopback. */
export interface Listening {
  /** Its port. */
  readonly port: number;
  /** Ends the server, then the listener. */
  close(): Promise<void>;
}

/** Serves on a free port of loopback. */
export function listen(server: Server, fetch: (request: Request) => Promise<Response> = server.fetch): Listening {
  const http = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => undefined }, (request) => fetch(request));
  return {
    port: http.addr.port,
    async close() {
      await server.close();
      await http.shutdown();
    },
  };
}

/** An HTTP answer as it came over the wire. */
export interface RawAnswer {
  /** The status. */
  readonly status: number;
  /** Headers by lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  /** The body; empty for a stream, whose parts `part` reads. */
  readonly body: string;
}

/** One connection of a raw client. */
export class Wire {
  readonly #connection: Deno.TcpConn;
  #buffer = new Uint8Array();
  #closed = false;

  private constructor(connection: Deno.TcpConn) {
    this.#connection = connection;
  }

  /** Connects to loopback. */
  static async open(port: number): Promise<Wire> {
    const connection = await Deno.connect({ port, hostname: "127.0.0.1" });
    connection.setNoDelay(true);
    return new Wire(connection);
  }

  /** Writes text or bytes as they are. */
  async write(data: string | Uint8Array): Promise<void> {
    const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
    for (let at = 0; at < bytes.length;) at += await this.#connection.write(bytes.subarray(at));
  }

  /** Posts a message and reads its answer. */
  async post(message: JsonRpcMessage, extra: { readonly [name: string]: string } = {}): Promise<RawAnswer> {
    await this.write(postText(message, extra));
    return await this.answer();
  }

  /** Reads one answer; of a stream the head alone. */
  async answer(): Promise<RawAnswer> {
    const head = await this.#readUntil("\r\n\r\n");
    const [line = "", ...fields] = head.split("\r\n");
    const headers = new Map(fields.map((field) => {
      const colon = field.indexOf(":");
      return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()] as const;
    }));
    const status = Number(line.split(" ")[1]);
    const length = headers.get("content-length");
    const body = length === undefined ? "" : new TextDecoder().decode(await this.#readBytes(Number(length)));
    return { status, headers, body };
  }

  /** Reads one chunk of a stream; undefined at its end. */
  async part(): Promise<string | undefined> {
    const size = parseInt(await this.#readUntil("\r\n"), 16);
    const text = new TextDecoder().decode(await this.#readBytes(size));
    await this.#readBytes(2);
    return size === 0 ? undefined : text;
  }

  /** Hangs up. */
  hangUp(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#connection.close();
  }

  async #readUntil(mark: string): Promise<string> {
    for (;;) {
      const text = new TextDecoder("latin1").decode(this.#buffer);
      const at = text.indexOf(mark);
      if (at >= 0) {
        this.#buffer = this.#buffer.slice(at + mark.length);
        return text.slice(0, at);
      }
      await this.#more();
    }
  }

  async #readBytes(count: number): Promise<Uint8Array> {
    while (this.#buffer.length < count) await this.#more();
    const bytes = this.#buffer.slice(0, count);
    this.#buffer = this.#buffer.slice(count);
    return bytes;
  }

  async #more(): Promise<void> {
    const chunk = new Uint8Array(65536);
    const count = await this.#connection.read(chunk);
    if (count === null) throw new Error("Expected more of an answer, found the end of the connection");
    const joined = new Uint8Array(this.#buffer.length + count);
    joined.set(this.#buffer);
    joined.set(chunk.subarray(0, count), this.#buffer.length);
    this.#buffer = joined;
  }
}

/** The head of a POST, without the empty line that ends it. */
export function headText(headers: Headers | readonly (readonly [string, string])[]): string {
  return `POST /mcp HTTP/1.1\r\n${[...headers].map(([name, value]) => `${name}: ${value}\r\n`).join("")}`;
}

/** A POST of a message, with Host and Content-Length. */
export function postText(message: JsonRpcMessage, extra: { readonly [name: string]: string } = {}): string {
  return bodyText(JSON.stringify(message), headersFor(message, { host: "localhost", ...extra }));
}

/** A POST of any body of characters, with its Content-Length. */
export function bodyText(body: string, headers: Headers): string {
  const own = new Headers(headers);
  if (!own.has("host")) own.set("host", "localhost");
  own.set("content-length", String(new TextEncoder().encode(body).length));
  return `${headText(own)}\r\n${body}`;
}
