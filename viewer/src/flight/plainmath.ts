/** Sine and cosine in plain arithmetic: the same bits in every browser, and as in engines/wasm/plain_math.py. */

const HALF_PI_1 = 1.57079632673412561417;
const HALF_PI_2 = 6.07710050630396597660e-11;
const HALF_PI_3 = 2.02226624871116645580e-21;

function series(s: number, first: number, terms: number[]): number {
  let p = first;
  for (const term of terms) p = p * s + term;
  return p;
}

const SIN = [
  1 / 355687428096000, -1 / 1307674368000, 1 / 6227020800, -1 / 39916800, 1 / 362880, -1 / 5040, 1 / 120, -1 / 6,
];
const COS = [
  -1 / 6402373705728000, 1 / 20922789888000, -1 / 87178291200, 1 / 479001600, -1 / 3628800, 1 / 40320, -1 / 720, 1 / 24,
];

function seriesSin(r: number): number {
  const s = r * r;
  return r + r * s * series(s, -1 / 121645100408832000, SIN);
}

function seriesCos(r: number): number {
  const s = r * r;
  return 1 - 0.5 * s + s * s * series(s, 1 / 2432902008176640000, COS);
}

/** sin(x + quarters * pi / 2). */
function turned(x: number, quarters: number): number {
  const n = Math.floor(x * (2 / Math.PI) + 0.5);
  const r = x - n * HALF_PI_1 - n * HALF_PI_2 - n * HALF_PI_3;
  const q = (((n + quarters) % 4) + 4) % 4;
  const y = q & 1 ? seriesCos(r) : seriesSin(r);
  return q & 2 ? -y : y;
}

export const sin = (x: number): number => turned(x, 0);
export const cos = (x: number): number => turned(x, 1);
