/** The server's end of a channel: of lines, or of messages as values. */
import { onDemand } from "../protocol/on_demand.ts";
import { checkOptions } from "../protocol/unknown_option.ts";
import { openPipe } from "./byte_pipe.ts";
import { checkStreams, LineChannel } from "./byte_stream.ts";
import { checkServed, settingsOf } from "./served_settings.ts";
import type { ServePeerInfo } from "./serve_peer.ts";
import type { AuthInfo, Channel, MessageHandler, Principal, Served } from "./transport.ts";

/** Options of {@linkcode serveChannel}. */
export interface ServeChannelOptions {
  /** The verified caller; nobody by default. */
  readonly principal?: Principal | undefined;
  /** The same as `principal`, under the name that `server.respond` has for it. */
  readonly auth?: AuthInfo<unknown> | undefined;
  /** Ends serving; the channel is closed. */
  readonly signal?: AbortSignal | undefined;
  /** Told what a handler threw, and what could not be read or written. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/**
 * Serves one channel until it ends. Requests that still run then are cancelled.
 *
 * @param server Any server.
 * @param channel What `lines` gave, or a channel of your own.
 * @param options Who is calling, and what ends it early.
 * @returns Resolves when the channel has ended, in whatever way. Never rejects for what the peer does.
 * @throws {TypeError} For what is not a server, for what is not a channel, and for an option that nobody reads.
 */
export async function serveChannel(server: Served, channel: Channel, options: ServeChannelOptions = {}): Promise<void> {
  checkServed(server, "serveChannel.server");
  checkStreams(channel, "serveChannel.channel");
  checkOptions(options, "serveChannel", "principal auth signal onError");
  const settings = settingsOf(server);
  const { signal } = options;
  const onError = options.onError ?? settings.onError;
  const handler: MessageHandler = (message, about) => server.handle(message, about);
  const info: ServePeerInfo = { principal: options.principal ?? options.auth as Principal | undefined, transport: "stdio" };
  // Its streams are locked at once.
  const pipe = channel instanceof LineChannel ? openPipe(channel.bytes) : undefined;
  const { serveMessages, servePipe } = SERVING.loaded ?? await SERVING.load();
  if (channel instanceof LineChannel && pipe !== undefined) {
    await servePipe(handler, pipe, { info, limits: channel.limits ?? settings.limits, signal, onError });
  } else {
    await serveMessages(handler, channel, { info, limits: settings.limits, signal, onError });
  }
}

/** What serves channels; servers over HTTP alone never load it. */
const SERVING = onDemand(() => import("./served_channels.ts"));
