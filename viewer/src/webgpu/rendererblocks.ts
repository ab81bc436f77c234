/** Uniform blocks: structs of WGSL whose fields are set by name. */

import type { Value, Values } from "../scene/uniforms";

type Kind = "f32" | "u32" | "vec2f" | "vec3f" | "vec4f" | `array<vec3f, ${number}>`;

interface Field {
  /** Its place in the block, in words. */
  at: number;
  whole: boolean;
  /** Arrays of vec3f: three numbers in every four words. */
  spread: boolean;
}

const SIZES: Record<string, number> = { f32: 1, u32: 1, vec2f: 2, vec3f: 3, vec4f: 4 };
const up = (at: number, to: number): number => Math.ceil(at / to) * to;

export class Block {
  /** The struct's text. */
  readonly text: string;
  readonly bytes: number;
  private readonly fields = new Map<string, Field>();

  constructor(name: string, kinds: Record<string, Kind>) {
    let end = 0;
    for (const [field, kind] of Object.entries(kinds)) {
      const many = /array<vec3f, (\d+)>/.exec(kind)?.[1];
      const size = many ? 4 * Number(many) : SIZES[kind]!;
      const at = up(end, size > 2 ? 4 : size);
      this.fields.set(field, { at, whole: kind === "u32", spread: many !== undefined });
      end = at + size;
    }
    this.bytes = 4 * up(end, 4);
    this.text = `struct ${name} { ${Object.entries(kinds).map(([field, kind]) => `${field}: ${kind}`).join(", ")} }\n`;
  }

  /** Writes values into a buffer, from a byte on; names that it does not have are for others. */
  write(into: ArrayBuffer, byte: number, ...all: Values[]): void {
    const [numbers, words] = [new Float32Array(into, byte, this.bytes / 4), new Uint32Array(into, byte, this.bytes / 4)];
    for (const values of all) {
      for (const name in values) {
        const field = this.fields.get(name);
        if (field) put(field, values[name]!, numbers, words);
      }
    }
  }
}

function put({ at, whole, spread }: Field, value: Value, numbers: Float32Array, words: Uint32Array): void {
  if (typeof value === "number") (whole ? words : numbers)[at] = value;
  else if (!spread) numbers.set(value, at);
  else for (let k = 0; k < value.length; k++) numbers[at + k + Math.floor(k / 3)] = value[k]!;
}
