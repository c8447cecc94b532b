/** A short name for a text: equal texts share it, different ones hardly ever. It does not protect against forgery. */

/**
 * Names a text by 128 bits. It is computed at once, which Web Crypto cannot do, so that questions of one turn of the
 * event loop stay together.
 *
 * @param text Any text.
 * @returns 32 hexadecimal digits.
 */
export function digestOf(text: string): string {
  let a = 0x243f6a88;
  let b = 0x85a308d3;
  let c = 0x13198a2e;
  let d = 0x03707344;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    a = Math.imul(turned(a, 5) ^ unit, 0x9e3779b1);
    b = Math.imul(turned(b, 11) ^ unit ^ (a >>> 7), 0x85ebca77);
    c = Math.imul(turned(c, 17) ^ unit ^ (b >>> 9), 0xc2b2ae3d);
    d = Math.imul(turned(d, 23) ^ unit ^ (c >>> 13), 0x27d4eb2f);
    a ^= d >>> 15;
  }
  for (let round = 0; round < 4; round++) {
    a = Math.imul(a ^ (b >>> 16) ^ text.length, 0x9e3779b1);
    b = Math.imul(b ^ (c >>> 15), 0x85ebca77);
    c = Math.imul(c ^ (d >>> 14), 0xc2b2ae3d);
    d = Math.imul(d ^ (a >>> 13), 0x27d4eb2f);
  }
  return [a, b, c, d].map((lane) => (lane >>> 0).toString(16).padStart(8, "0")).join("");
}

function turned(value: number, by: number): number {
  return (value << by) | (value >>> (32 - by));
}
