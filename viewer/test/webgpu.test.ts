import { describe, expect, it } from "vitest";

import { engineIn, hashWithEngine } from "../src/webgpu/engineaddress";
import { Kernels } from "../src/webgpu/kernels";
import { Pace } from "../src/webgpu/pace";
import { amountsOf, groupsOf, pathOf, sceneOf, sizeOf, uniformOf } from "../src/webgpu/program";
import type { PageProgram, SceneMessage } from "../src/wire/contracts";

const program = {
  cells: [[8, 64], [2, 2_000_064]], block: 1024, max_groups: 65535, max_boids: 200_000, fixed: ["rules.cohesion.radius"],
  settings: { lower: [-1, 2], slots: [7] },
  paths: [{ max_boids: 100, passes: [], end: [], flips: false }, { max_boids: null, passes: [], end: [], flips: true }],
  uniform: {
    size: 80,
    fields: {
      n_boids: { offset: 0, dtype: "uint32" }, max_cells: { offset: 4, dtype: "uint32" }, blocks: { offset: 8, dtype: "uint32" },
      scheduled: { offset: 12, dtype: "uint32" }, key: { offset: 16, dtype: "uint32" }, slots: { offset: 24, dtype: "uint32" },
      lower: { offset: 28, dtype: "float32" }, flocks: { offset: 36, dtype: "uint32" }, n_obstacles: { offset: 60, dtype: "uint32" },
    },
  },
} as unknown as PageProgram;

describe("a program", () => {
  it("has sizes that follow from the number of boids", () => {
    expect(amountsOf(program, 300)).toEqual({ one: 1, boids: 300, cells: 2464, blocks: 3, pairs: 90_000 });
    expect(amountsOf(program, 1_000_000)["cells"]).toBe(4_000_064);
    expect(sizeOf({ boids: 8, one: 3 }, amountsOf(program, 300))).toBe(2403);
    expect(groupsOf(program, 65, 64)).toEqual([2, 1]);
    expect(groupsOf(program, 0, 64)).toEqual([1, 1]);
    expect(groupsOf(program, 64 * 70_000, 64)).toEqual([35_000, 2]); // over the workgroups on an axis
  });

  it("makes steps of small flocks in another way", () => {
    expect([0, 100, 101, 1_000_000].map((boids) => pathOf(program, boids).flips)).toEqual([false, false, true, true]);
  });

  it("has a uniform with the seed's halves and the ids of flocks", () => {
    const bytes = uniformOf(program, [5, 3], (3n << 32n) | 9n, { scheduled: true, obstacleCount: 2 });
    const words = new Uint32Array(bytes);
    expect([...words.subarray(0, 7)]).toEqual([8, 128, 1, 1, 9, 3, 7]);
    expect([...new Float32Array(bytes).subarray(7, 9)]).toEqual([-1, 2]);
    expect([...words.subarray(9, 16)]).toEqual([0, 5, 0, 0, 5, 3, 2]);
  });

  it("allows more boids, and no radius of a rule that adds up all boids", () => {
    const schemas = {
      "flocks.boids": { properties: { count: { minimum: 1, maximum: 4000 } } },
      "flocks.told": { properties: { count: { fixed: "the model lists each boid" } } },
      "rules.cohesion": { properties: { weight: { minimum: 0 }, radius: { minimum: 0 } } },
    };
    const scene = sceneOf({ schemas } as unknown as SceneMessage, program, 4001);
    expect(scene.schemas["flocks.boids"]!.properties!["count"]).toEqual({ minimum: 1, maximum: 199_999 });
    expect(scene.schemas["rules.cohesion"]!.properties!["weight"]).toEqual({ minimum: 0 });
    expect(scene.schemas["rules.cohesion"]!.properties!["radius"]!.fixed).toContain("Choose WebAssembly");
    expect(scene.schemas["flocks.told"]!.properties!["count"]).toEqual({ fixed: "the model lists each boid" });
  });
});

it("is not compiled on a card that allows fewer buffers than a pass binds", async () => {
  const device = { limits: { maxStorageBuffersPerShaderStage: 2 } } as GPUDevice;
  const modules = { stages: { text: "", access: { boids: "read", cells: "read", numbers: "read" } } } as const;
  await expect(Kernels.compile(device, { ...program, modules })).rejects.toThrow("the card allows 2 buffers in a pass, and this model needs 3");
});

it("submits at most 50 ms of steps, and no third submission", async () => {
  let now = 0;
  const pace = new Pace(64, () => now);
  const submit = (steps: number): (() => Promise<void>) => {
    let finish: (value: unknown) => void = () => undefined;
    pace.submitted(steps, new Promise((done) => (finish = done)), () => undefined);
    return async () => {
      finish(null);
      await Promise.resolve();
      await Promise.resolve();
    };
  };
  expect(pace.room).toBe(1); // nothing is known of it
  let done = submit(1);
  expect(pace.room).toBe(0);
  now = 10;
  await done();
  expect(pace.room).toBe(5);
  done = submit(5);
  const other = submit(5);
  expect(pace.room).toBe(0);
  now = 20; // 2 ms a step
  await done();
  expect(pace.room).toBe(25);
  expect(pace.estimate(4)).toBe(8);
  now = 21;
  await other();
  expect(pace.room).toBe(64);
});

it("has an address for the engine", () => {
  expect(engineIn("#show=flock&engine=wasm")).toBe("wasm");
  expect(engineIn("#engine=abacus")).toBeNull();
  expect(hashWithEngine("#engine=gpu&flock=abc", "wasm")).toBe("#flock=abc&engine=wasm");
});
