/** The code of a result, as classroom/codes.py reads it. */

import type { StepDone } from "./progress";

const LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const FIRST_DAY = Date.UTC(2026, 0, 1);
const [VERSION, CHECK, OPEN, MAX_NAME, DAY] = [1, 5, 15, 24, 86_400_000];

/** SHA-256 (FIPS 180-4). Browsers have it, but not in pages loaded over plain http. */
export function sha256(bytes: Uint8Array): Uint8Array {
  const [constants, state]: [number[], number[]] = [[], []];
  const fraction = (x: number): number => ((x % 1) * 2 ** 32) | 0;
  for (let n = 2; constants.length < 64; n++) {
    let prime = true;
    for (let k = 2; k * k <= n; k++) if (n % k === 0) prime = false;
    if (!prime) continue;
    if (state.length < 8) state.push(fraction(n ** (1 / 2)));
    constants.push(fraction(n ** (1 / 3)));
  }
  const padded = new Uint8Array((((bytes.length + 8) >> 6) + 1) << 6);
  padded.set(bytes);
  padded[bytes.length] = 128;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 4, bytes.length * 8);
  const turn = (x: number, by: number): number => (x >>> by) | (x << (32 - by));
  const w = new Int32Array(64);
  for (let at = 0; at < padded.length; at += 64) {
    for (let k = 0; k < 64; k++) {
      if (k < 16) w[k] = view.getInt32(at + 4 * k);
      else {
        const [x, y] = [w[k - 15]!, w[k - 2]!];
        w[k] = w[k - 16]! + w[k - 7]! + (turn(x, 7) ^ turn(x, 18) ^ (x >>> 3)) + (turn(y, 17) ^ turn(y, 19) ^ (y >>> 10));
      }
    }
    let [a, b, c, d, e, f, g, h] = state as [number, number, number, number, number, number, number, number];
    for (let k = 0; k < 64; k++) {
      const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + constants[k]! + w[k]!) | 0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [a, b, c, d, e, f, g, h] = [(one + two) | 0, a, b, c, (d + one) | 0, e, f, g];
    }
    [a, b, c, d, e, f, g, h].forEach((x, k) => (state[k] = (state[k]! + x) | 0));
  }
  const out = new DataView(new ArrayBuffer(32));
  state.forEach((x, k) => out.setInt32(4 * k, x));
  return new Uint8Array(out.buffer);
}

const joined = (...parts: Uint8Array[]): Uint8Array => Uint8Array.from(parts.flatMap((part) => [...part]));

/** HMAC with SHA-256 (RFC 2104); the key has at most 64 bytes. */
export function hmac(key: Uint8Array, message: Uint8Array): Uint8Array {
  const pad = (byte: number): Uint8Array => Uint8Array.from({ length: 64 }, (_, k) => (key[k] ?? 0) ^ byte);
  return sha256(joined(pad(0x5c), sha256(joined(pad(0x36), message))));
}

/** Bytes in Crockford's base 32, in groups of four. */
function lettersOf(bytes: Uint8Array): string {
  let [text, bits, held] = ["", 0, 0];
  for (const byte of [...bytes, 0]) {
    [held, bits] = [((held << 8) | byte) & 0xffff, bits + 8];
    for (; bits >= 5; bits -= 5) text += LETTERS[(held >> (bits - 5)) & 31];
  }
  return text.slice(0, Math.ceil((bytes.length * 8) / 5)).replace(/....(?=.)/g, "$&-");
}

/** Name in a code: whole letters of up to 24 bytes. */
function nameBytes(name: string): Uint8Array {
  let own = new Uint8Array();
  for (const letter of name.normalize("NFC").trim()) {
    const longer = joined(own, new TextEncoder().encode(letter));
    if (longer.length > MAX_NAME) break;
    own = Uint8Array.from(longer);
  }
  return own;
}

/** Code of a result; `digest` is that of the task, in hexadecimal digits. */
export function codeOf(steps: Pick<StepDone, "share">[], name: string, digest: string, now: Date): string {
  const key = Uint8Array.from(digest.match(/../g)!, (pair) => parseInt(pair, 16));
  const day = Math.floor((Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) - FIRST_DAY) / DAY);
  const shares = steps.map(({ share }) => share ?? OPEN);
  const pairs = Array.from({ length: Math.ceil(shares.length / 2) }, (_, k) => (shares[2 * k]! << 4) | (shares[2 * k + 1] ?? OPEN));
  const head = Uint8Array.of(VERSION, ...key.slice(0, 4), (day >> 8) & 255, day & 255, ...pairs);
  const body = joined(head, nameBytes(name));
  return lettersOf(joined(body, hmac(key, body).slice(0, CHECK)));
}
