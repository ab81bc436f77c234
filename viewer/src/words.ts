/** Texts and numbers in the reader's language, from the catalogues that show/languages.py packs.
 *
 * `t` and `tn` have texts of the viewer, in quotes, since languages.py finds them by their quotes; `tm` has those of a
 * model, such as the name of a rule. What no catalogue has is shown as it is, in English. */

export interface Words {
  /** The language that the page was made in; empty: the reader's. */
  language: string;
  /** Language -> which form a number takes, for the numbers 0 to 199. */
  plurals: Record<string, string>;
  /** A key of three bytes for each message, in base64. */
  keys: string;
  /** Of each message its translations, a line for each language; forms of a plural are divided by tabs. */
  texts: string;
}

/** What `speak` takes. */
export type Spoken = [words: Words, wanted: readonly string[]];

type Values = Record<string, string | number>;

const found = new Map<number, string>();
let locale = "en";
let plural = "";
let decimal = ".";
let own: Spoken = [{ language: "", plurals: {}, keys: "", texts: "" }, []];

/** As in languages.py: 24 bits of a text, FNV-1a. */
export function keyOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let k = 0; k < text.length; k++) hash = Math.imul(hash ^ text.charCodeAt(k), 0x01000193);
  return (hash ^ (hash >>> 24)) & 0xffffff;
}

/** Show texts in the page's language, or in the first of the reader's that there is. */
export function speak(...of: Spoken): void {
  own = of;
  const [{ language, plurals, keys, texts }, wanted] = of;
  const languages = Object.keys(plurals);
  const known = (tag: string): boolean => languages.includes(baseOf(tag)) || baseOf(tag) === "en";
  const wished = (tag: string): boolean => (language ? baseOf(tag) === language : known(tag));
  // The reader's country decides how numbers are written: 0.5 in Mexico, 0,5 in Spain.
  locale = wanted.find(wished) ?? (language || "en");
  if (baseOf(locale) === "en") locale = "en";
  plural = plurals[languageNow()] ?? "";
  decimal = (1.5).toLocaleString(locale).charAt(1);
  found.clear();
  const which = languages.indexOf(languageNow());
  if (which < 0) return;
  const bytes = atob(keys);
  const lines = texts.split("\n");
  for (let k = 0; 3 * k < bytes.length; k++) {
    const [a, b, c] = [0, 1, 2].map((at) => bytes.charCodeAt(3 * k + at)) as [number, number, number];
    found.set((a << 16) | (b << 8) | c, lines[k * languages.length + which]!);
  }
}

const baseOf = (tag: string): string => tag.toLowerCase().split("-")[0]!;

/** What the page speaks, for its worker. */
export const spoken = (): Spoken => own;

/** The language that is shown, as in the attribute lang. */
export const languageNow = (): string => baseOf(locale);

/** French has a space before ? ! : ; and », at which no line ends. */
export const spaced = (text: string): string => (baseOf(locale) === "fr" ? text.replace(/ (?=[?!:;»])/g, "\u00a0") : text);

const fill = (text: string, values: Values): string =>
  spaced(text).replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    return value === undefined ? whole : typeof value === "number" ? count(value) : value;
  });

/** A text of the viewer, with values in place of {names}; numbers are written as the language has them. */
export function t(text: string, values: Values = {}): string {
  return fill(found.get(keyOf(text)) || text, values);
}

/** A text in quotes that `tv` shows later: of a constant, for example. */
export const mark = (text: string): string => text;

/** A text that was marked. */
export const tv = t;

/** A text that depends on a number, which {n} stands for. */
export function tn(one: string, many: string, n: number, values: Values = {}): string {
  const whole = Math.ceil(n);
  const forms = found.get(keyOf(one))?.split("\t");
  const form = forms?.[Number(plural[whole < 200 ? whole : 100 + (whole % 100)])];
  return fill(form || (n === 1 ? one : many), { n, ...values });
}

/** A text of the model; a word of it, such as the name of a rule. */
export function tm(text: string): string {
  if (found.size === 0) return text;
  const words = text.trim().replace(/\s+/g, " ");
  return spaced(found.get(keyOf(`model\u0004${words}`)) || found.get(keyOf(words)) || text);
}

/** A whole number, with its thousands apart. */
export const count = (n: number): string => n.toLocaleString(locale);

/** A number in digits, with the decimal sign of the language. */
export const decimals = (digits: string): string => digits.replace(".", decimal);

/** Numbers in a row. */
export const listed = (parts: string[]): string => parts.join(decimal === "," ? "; " : ", ");

/** What is typed as a number, with a point: "0,5" is 0.5 in every language. Thousands may be apart in whole numbers. */
export function typedDigits(text: string, whole: boolean): string {
  const apart = decimal === "," ? /[.\s'’](?=\d{3}(?!\d))/g : /[,\s'’](?=\d{3}(?!\d))/g;
  return (whole ? text.replace(apart, "") : text).replace(",", ".");
}
