/** Bytes of WebAssembly: https://www.w3.org/TR/wasm-core-2/, binary format. */

export const F32 = 0x7d, I64 = 0x7e, I32 = 0x7f;
export type Kind = typeof F32 | typeof I64 | typeof I32;

export const OP = {
  unreachable: 0x00, if: 0x04, else: 0x05, end: 0x0b, return: 0x0f, call: 0x10, get: 0x20, set: 0x21, tee: 0x22, load: 0x2a, store: 0x38, i32: 0x41, i64: 0x42, f32: 0x43, select: 0x1b,
  i32eqz: 0x45, i32eq: 0x46, i32ne: 0x47, i64eqz: 0x50, i64eq: 0x51, i64ne: 0x52, i64lt: 0x53, i64gt: 0x55, i64le: 0x57, i64ge: 0x59,
  f32eq: 0x5b, f32ne: 0x5c, f32lt: 0x5d, f32gt: 0x5e, f32le: 0x5f, f32ge: 0x60, i32and: 0x71, i32xor: 0x73,
  i64add: 0x7c, i64sub: 0x7d, i64mul: 0x7e, i64div: 0x7f, i64rem: 0x81, i64xor: 0x85, f32abs: 0x8b, f32neg: 0x8c, f32ceil: 0x8d, f32floor: 0x8e, f32trunc: 0x8f, f32nearest: 0x90, f32sqrt: 0x91,
  f32add: 0x92, f32sub: 0x93, f32mul: 0x94, f32div: 0x95, f32copysign: 0x98, i64extend: 0xad, f32fromI32: 0xb3, f32fromI64: 0xb4,
};
/** i64.trunc_sat_f32_s: out of range it gives the nearest whole number, and 0 for NaN. */
export const TRUNCATE = [0xfc, 0x04];

export function unsigned(value: number): number[] {
  const bytes: number[] = [];
  do {
    bytes.push((value & 0x7f) | (value > 0x7f ? 0x80 : 0));
    value >>>= 7;
  } while (value > 0);
  return bytes;
}

export function signed(value: bigint): number[] {
  const bytes: number[] = [];
  for (;;) {
    const byte = Number(value & 0x7fn);
    value >>= 7n;
    if ((value === 0n && !(byte & 0x40)) || (value === -1n && byte & 0x40)) return [...bytes, byte];
    bytes.push(byte | 0x80);
  }
}

/** The type of a block that gives nothing. */
export const NO_RESULT = 0x40;
export const get = (local: number): number[] => [OP.get, ...unsigned(local)];
export const set = (local: number): number[] => [OP.set, ...unsigned(local)];
export const tee = (local: number): number[] => [OP.tee, ...unsigned(local)];

/** A real number of the text, rounded to float32. */
export const real = (value: number): number[] => [OP.f32, ...new Uint8Array(Float32Array.of(value).buffer)];
export const whole = (value: number): number[] => [OP.i64, ...signed(BigInt(Math.trunc(value)))];
export const bool = (value: boolean): number[] => [OP.i32, Number(value)];
export const list = (items: number[][]): number[] => [...unsigned(items.length), ...items.flat()];
export const named = (name: string): number[] => {
  const bytes = [...new TextEncoder().encode(name)];
  return [...unsigned(bytes.length), ...bytes];
};
const section = (id: number, content: number[]): number[] => [id, ...unsigned(content.length), ...content];

/** A function: its type, the kinds of its variables behind its arguments, and its code. */
export interface Code {
  type: number;
  locals: Kind[];
  body: number[];
}

/** A module that imports a memory, a table and functions, and puts functions into the table. */
export class ModuleBuilder {
  private readonly types: string[] = [];
  private readonly imports: { name: string; type: number }[] = [];
  private readonly functions: (Code | null)[] = [];
  private readonly slots: { slot: number; index: number }[] = [];

  /** The index of a type. */
  type(takes: Kind[], gives: Kind[]): number {
    const text = JSON.stringify([0x60, ...unsigned(takes.length), ...takes, ...unsigned(gives.length), ...gives]);
    if (!this.types.includes(text)) this.types.push(text);
    return this.types.indexOf(text);
  }

  /** The index of an imported function of mathematics. Imports come before all functions. */
  mathematics(name: string, takes: number): number {
    const known = this.imports.findIndex((each) => each.name === name);
    if (known >= 0) return known;
    this.imports.push({ name, type: this.type(Array<Kind>(takes).fill(F32), [F32]) });
    return this.imports.length - 1;
  }

  get imported(): string[] {
    return this.imports.map(({ name }) => name);
  }

  /** The number of a function that will be written: its index follows the imports. */
  reserve(): number {
    return this.functions.push(null) - 1;
  }

  define(number: number, code: Code): void {
    this.functions[number] = code;
  }

  put(slot: number, number: number): void {
    this.slots.push({ slot, index: number });
  }

  bytes(): Uint8Array<ArrayBuffer> {
    const first = this.imports.length;
    const functions = this.functions as Code[];
    const imports = [
      [...named("flight"), ...named("memory"), 2, 0, 1],
      [...named("flight"), ...named("functions"), 1, 0x70, 0, 0],
      ...this.imports.map(({ name, type }) => [...named("flight"), ...named(`math.${name}`), 0, ...unsigned(type)]),
    ];
    const code = functions.map(({ locals, body }) => {
      const bytes = [...list(locals.map((kind) => [1, kind])), ...body.flatMap((byte) => (byte < 0 ? called(-byte - 1 + first) : [byte])), OP.end];
      return [...unsigned(bytes.length), ...bytes];
    });
    const elements = this.slots.map(({ slot, index }) => [0, OP.i32, ...signed(BigInt(slot)), OP.end, 1, ...unsigned(first + index)]);
    return Uint8Array.from([
      0, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
      ...section(1, list(this.types.map((text) => JSON.parse(text) as number[]))),
      ...section(2, list(imports)),
      ...section(3, list(functions.map(({ type }) => unsigned(type)))),
      ...section(9, list(elements)),
      ...section(10, list(code)),
    ]);
  }
}

const called = (index: number): number[] => [OP.call, ...unsigned(index)];

/** A call of a function of the module, whose index follows when all imports are known. */
export const callOf = (number: number): number[] => [-number - 1];
