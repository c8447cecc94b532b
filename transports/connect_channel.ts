/** The client's end of a channel: of lines, or of messages as values. */
import { resolveLimits } from "../protocol/limits.ts";
import type { ResolvedLimits } from "../protocol/limits.ts";
import { checkOptions } from "../protocol/unknown_option.ts";
import { openPipe } from "./byte_pipe.ts";
import { checkStreams, LineChannel } from "./byte_stream.ts";
import { connectPipe } from "./connect_pipe.ts";
import { connectMessages } from "./message_stream.ts";
import type { Channel, Transport } from "./transport.ts";

/** Options of {@linkcode connectChannel}. */
export interface ConnectChannelOptions {
  /** Bounds; those of `lines` by default. */
  readonly limits?: ResolvedLimits | undefined;
  /** Told about lines that hold no message, and about messages that belong to no call. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/**
 * Makes a client's carrier of a channel.
 *
 * @param channel What `lines` gave, or a channel of your own.
 * @param options Bounds, and who hears of stray faults.
 * @throws {TypeError} For what is not a channel, and for an option that nobody reads.
 */
export function connectChannel(channel: Channel, options: ConnectChannelOptions = {}): Transport {
  checkStreams(channel, "connectChannel.channel");
  checkOptions(options, "connectChannel", "limits onError");
  if (channel instanceof LineChannel) {
    return connectPipe(openPipe(channel.bytes), options.limits ?? channel.limits ?? resolveLimits(undefined), options);
  }
  return connectMessages(channel, options.limits ?? resolveLimits(undefined), options.onError);
}
