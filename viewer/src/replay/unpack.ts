/** Text of a page as bytes: base64, then inflated. */

export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64.trim());
  const bytes = new Uint8Array(text.length);
  for (let k = 0; k < text.length; k++) bytes[k] = text.charCodeAt(k);
  return bytes;
}

/** The digits of base 85, as in html_file.py. */
const LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%:()*+-;,=.?@^_`{|}~";

/** Text of a page in base 85 as bytes: five letters are four bytes. */
export function bytesOfLetters(text: string): Uint8Array<ArrayBuffer> {
  const digits = new Uint8Array(128).fill(84);
  [...LETTERS].forEach((letter, digit) => (digits[letter.charCodeAt(0)] = digit));
  const bytes = new Uint8Array(Math.floor(0.8 * text.length));
  for (let k = 0, at = 0; at < bytes.length; k += 5) {
    let value = 0;
    for (let j = k; j < k + 5; j++) value = 85 * value + (digits[text.charCodeAt(j)] ?? 84);
    for (let bits = 24; bits >= 0; bits -= 8) bytes[at++] = value >>> bits;
  }
  return bytes;
}

export async function inflated(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
