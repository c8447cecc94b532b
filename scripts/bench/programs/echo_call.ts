/** One checked call of `echo`, whoever makes it. */

/** What both clients give back of a call. */
interface EchoResult {
  readonly content: unknown;
}

const TEXT = "The quick brown fox jumps over the lazy dog";

/** Makes a function that calls `echo` and throws when the text does not come back. */
export function checkedEcho(call: (args: { text: string }) => Promise<EchoResult>): () => Promise<void> {
  return async () => {
    const { content } = await call({ text: TEXT });
    const text = (content as { text?: string }[])[0]?.text;
    if (text !== TEXT) throw new Error(`Echo: found ${text}`);
  };
}
