/** Writes to stdout, byte for byte, what each line of stdin says: a JSON array of texts, numbers (bytes) and pauses (null). */
const decoder = new TextDecoder();
const encoder = new TextEncoder();
let rest = "";
for await (const chunk of Deno.stdin.readable) {
  const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) {
    const { method, params } = JSON.parse(line) as { method: string; params?: { write?: readonly (string | number | null)[] } };
    if (method === "fill") {
      // 64 MiB without a line end, and then a line end.
      const block = new Uint8Array(1 << 20).fill(97);
      for (let n = 0; n < 64; n++) for (let at = 0; at < block.length;) at += Deno.stdout.writeSync(block.subarray(at));
      Deno.stderr.writeSync(encoder.encode("filled\n"));
      Deno.stdout.writeSync(encoder.encode("\n"));
    }
    for (const part of params?.write ?? []) {
      if (part === null) await new Promise((resolve) => setTimeout(resolve, 1));
      else Deno.stdout.writeSync(typeof part === "number" ? Uint8Array.of(part) : encoder.encode(part));
    }
  }
}
