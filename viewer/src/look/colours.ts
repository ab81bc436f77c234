/** Colour tables, made in OKLab (B. Ottosson's perceptual space) so that equal steps look equal. */

export type RGB = [number, number, number];

const linear = (c: number): number => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
const gamma = (c: number): number => (c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055);

/** sRGB of 0 to 255 -> OKLab. */
export function toLab(rgb: RGB): RGB {
  const [r, g, b] = [linear(rgb[0] / 255), linear(rgb[1] / 255), linear(rgb[2] / 255)];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** OKLab -> sRGB of 0 to 255, clipped to what a screen can show. */
export function fromLab([L, a, b]: RGB): RGB {
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const rgb = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  return rgb.map((c) => 255 * gamma(Math.min(1, Math.max(0, c)))) as RGB;
}

/** `count` colours along straight OKLab lines through the stops (evenly, or `at` 0..1). */
export function ramp(stops: RGB[], count: number, at?: number[]): RGB[] {
  const labs = stops.map(toLab);
  const where = at ?? stops.map((_, k) => k / Math.max(1, stops.length - 1));
  return Array.from({ length: count }, (_, i) => {
    const t = count > 1 ? i / (count - 1) : 0;
    let k = 1;
    while (k < where.length - 1 && where[k]! < t) k++;
    const [from, to] = [labs[k - 1] ?? labs[0]!, labs[k] ?? labs[0]!];
    const span = where[k]! - where[k - 1]!;
    const part = span > 0 ? Math.min(1, Math.max(0, (t - where[k - 1]!) / span)) : 0;
    return fromLab(from.map((c, axis) => c + part * (to[axis]! - c)) as RGB);
  });
}

/** A closed circle of hues of one lightness, for angles. */
export function wheel(lightness: number, chroma: number, count: number): RGB[] {
  return Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI * i) / count;
    return fromLab([lightness, chroma * Math.cos(angle), chroma * Math.sin(angle)]);
  });
}

/** Positions of stops, 0 to 1, so that equal steps of a ramp look equal. */
export function evenPositions(stops: RGB[]): number[] {
  const labs = stops.map(toLab);
  const lengths = labs.slice(1).map((lab, k) => Math.hypot(...lab.map((c, axis) => c - labs[k]![axis]!)));
  const whole = lengths.reduce((sum, length) => sum + length, 0) || 1;
  let at = 0;
  return [0, ...lengths.map((length) => (at += length / whole))];
}

/** A circle of colours in OKLab around a centre, in the plane with this normal. The first is the lightest. */
export function circle(centre: RGB, normal: RGB, radius: number, count: number): RGB[] {
  const size = Math.hypot(...normal);
  const [x, y, z] = normal.map((c) => c / size) as RGB;
  const up: RGB = [1 - x * x, -x * y, -x * z];
  const long = Math.hypot(...up);
  const light = up.map((c) => c / long) as RGB;
  const side: RGB = [y * light[2] - z * light[1], z * light[0] - x * light[2], x * light[1] - y * light[0]];
  return Array.from({ length: count }, (_, k) => {
    const angle = (2 * Math.PI * k) / count;
    return fromLab(centre.map((c, axis) => c + radius * (Math.cos(angle) * light[axis]! + Math.sin(angle) * side[axis]!)) as RGB);
  });
}

export function css([r, g, b]: RGB, alpha = 1): string {
  const whole = [r, g, b].map((c) => Math.round(c)).join(" ");
  return alpha < 1 ? `rgb(${whole} / ${alpha})` : `rgb(${whole})`;
}

/** A colour of a model: '#rrggbb', '#rgb' or a CSS name, which the browser knows. */
export function parseColour(text: string): RGB | null {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(text);
  const full = short
    ? `#${short.slice(1).map((d) => d + d).join("")}`
    : text;
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(full);
  if (hex) return hex.slice(1).map((pair) => parseInt(pair, 16)) as RGB;
  if (!text || typeof document === "undefined") return null;
  const pen = document.createElement("canvas").getContext("2d");
  if (!pen) return null;
  pen.fillStyle = "#000001";
  pen.fillStyle = text;
  const read = String(pen.fillStyle);
  return read === "#000001" || !read.startsWith("#") ? null : parseColour(read);
}
