/** Sizes and settings of a program: what a model needs of a device. */

import type { Rows } from "../flight/rows";
import { isCount } from "../state/paths";
import type { PageProgram, PlainPath, SceneMessage } from "../wire/contracts";
import { mark } from "../words";

/** Amount -> how many for each. */
type Size = Record<string, number>;

/** The amounts of which sizes are sums. */
export function amountsOf({ cells, block }: PageProgram, boids: number): Size {
  const count = Math.min(...cells.map(([a, b]) => a * boids + b));
  return { one: 1, boids, pairs: boids ** 2, cells: count, blocks: Math.ceil(count / block) };
}

export const sizeOf = (size: Size, amounts: Size): number =>
  Object.entries(size).reduce((sum, [name, count]) => sum + count * amounts[name]!, 0);

/** How a step of a number of boids is made. */
export const pathOf = ({ paths }: PageProgram, boids: number): PlainPath =>
  paths.find(({ max_boids: most }) => most === null || boids <= most)!;

/** Workgroups on two axes for at least a number of threads. */
export function groupsOf({ max_groups: most }: PageProgram, threads: number, size: number): [number, number] {
  const groups = Math.max(1, Math.ceil(threads / size));
  const rows = Math.ceil(groups / most);
  return [Math.ceil(groups / rows), rows];
}

/** The uniform `settings`. */
export function uniformOf(program: PageProgram, counts: number[], seed: bigint, { scheduled, obstacleCount }: Pick<Rows, "scheduled" | "obstacleCount">): ArrayBuffer {
  const { size, fields } = program.uniform;
  const bytes = new ArrayBuffer(size);
  const put = (name: string, values: number[], at = 0): void => {
    const { offset, dtype } = fields[name]!;
    const view = dtype === "float32" ? new Float32Array(bytes, offset) : new Uint32Array(bytes, offset);
    view.set(values, at);
  };
  const amounts = amountsOf(program, counts.reduce((a, b) => a + b, 0));
  for (const [name, values] of Object.entries(program.settings)) put(name, values);
  put("n_boids", [amounts["boids"]!]);
  put("max_cells", [amounts["cells"]!]);
  put("blocks", [amounts["blocks"]!]);
  put("scheduled", [scheduled ? 1 : 0]);
  put("n_obstacles", [obstacleCount]);
  put("key", [Number(BigInt.asUintN(32, seed)), Number(BigInt.asUintN(32, seed >> 32n))]);
  let first = 0;
  counts.forEach((count, k) => {
    put("flocks", [first, count], 4 * k);
    first += count;
  });
  return bytes;
}

const SUMS = mark("With WebGPU this rule adds up all boids. Choose WebAssembly to change it.");

/** The scene with the bounds of a program: more boids, for which WebAssembly has room for `fewer`. */
export function sceneOf(scene: SceneMessage, { max_boids: most, fixed }: PageProgram, fewer: number): SceneMessage {
  const schemas = Object.fromEntries(
    Object.entries(scene.schemas).map(([part, schema]) => {
      const properties = Object.entries(schema.properties ?? {}).map(([name, about]) => {
        const path = part ? `${part}.${name}` : name;
        if (fixed.includes(path)) return [name, { ...about, fixed: SUMS }];
        const changes = isCount(path) && about.fixed === undefined;
        return [name, changes ? { ...about, maximum: Number(about["maximum"]) + most - fewer } : about];
      });
      return [part, { ...schema, properties: Object.fromEntries(properties) as typeof schema.properties }];
    }),
  );
  return { ...scene, schemas: schemas as SceneMessage["schemas"] };
}
