/** `serveChannel`: serves one channel of messages. */
import { openPipe } from "./byte_pipe.ts";
import { LineChannel } from "./line_channel.ts";
import { settingsOf } from "./served_settings.ts";
import type { ServePeerInfo } from "./serve_peer.ts";
import type { Channel, MessageHandler, Principal, Served } from "./transport.ts";

/** Options of {@linkcode serveChannel}. */
export interface ServeChannelOptions {
  /** The verified caller; nobody by default. */
  readonly principal?: Principal | undefined;
  /** The same as `principal`, under the name that `server.respond` has for it. */
  readonly auth?: Principal | undefined;
  /** Ends serving; the channel is closed. */
  readonly signal?: AbortSignal | undefined;
  /** Told what a handler threw, and what could not be read or written. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/**
 * Serves one channel until it ends. Requests that still run then are cancelled. What serves is loaded at the first call: most
 * servers have no such channel.
 *
 * @param server Any server.
 * @param channel What `lines` gave, or a channel of your own.
 * @param options Who is calling, and what ends it early.
 * @returns Resolves when the channel has ended, in whatever way. Never rejects for what the peer does.
 */
export async function serveChannel(server: Served, channel: Channel, options: ServeChannelOptions = {}): Promise<void> {
  const settings = settingsOf(server);
  const { signal } = options;
  const onError = options.onError ?? settings.onError;
  const handler: MessageHandler = (message, about) => server.handle(message, about);
  const info: ServePeerInfo = { principal: options.principal ?? options.auth, transport: "stdio" };
  if (channel instanceof LineChannel) {
    const pipe = openPipe(channel.bytes);
    const { servePipe } = await import("./byte_stream.ts");
    await servePipe(handler, pipe, { info, limits: channel.limits ?? settings.limits, signal, onError });
  } else {
    const { serveMessages } = await import("./message_stream.ts");
    await serveMessages(handler, channel, { info, limits: settings.limits, signal, onError });
  }
}
