/** The compiled kernels of a program on a device, and three kernels of a page: one writes boids in the order of ids for
 * renderers, one moves a boid or turns boids away from a point, one gives them commands. */

import type { PageProgram } from "../wire/contracts";

export interface Kernel {
  pipeline: GPUComputePipeline;
  layout: GPUBindGroupLayout;
}

const COMPUTE = 4; // GPUShaderStage.COMPUTE

/** Words of the uniform `page`, and where its parts begin. */
export const PAGE = { words: 84, position: 4, centre: 8, side: 12, periodic: 16, strength: 20, rows: 52 };

export const PAGE_TEXT = /* wgsl */ `// What a page does with boids besides steps.
struct Page {
  n_boids: u32,
  id: u32,               // of the boid that is moved; of the first that has commands
  n_rows: u32,           // 0: no number of each boid is shown; boids that have commands
  pushes: u32,           // or the row of memory that commands begin with
  position: vec4f,       // where the boid is moved
  centre: vec4f,         // of pushing: position and radius
  side: vec4f,
  periodic: vec4u,
  strength: array<vec4f, 8>,  // by flock: largest change of a velocity, negative to draw near
  rows: array<vec4i, 8>,      // by flock: row of memory that is shown, or -1
}

@group(0) @binding(0) var<uniform> page: Page;
@group(0) @binding(1) var<storage, read_write> boids: array<vec4u>;
@group(0) @binding(2) var<storage, read> memory: array<f32>;
@group(0) @binding(3) var<storage, read_write> shown: array<vec4u>;
@group(0) @binding(4) var<storage, read_write> numbers: array<u32>;

fn thread(group: vec3u, groups: vec3u, local: u32) -> u32 {
  return (group.y * groups.x + group.x) * 64u + local;
}

@compute @workgroup_size(64)
fn show(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
        @builtin(local_invocation_index) local: u32) {
  let i = thread(group, groups, local);
  if (i >= page.n_boids) { return; }
  let id = boids[i].w;
  shown[2u * id] = boids[i];
  shown[2u * id + 1u] = boids[page.n_boids + i];
  if (page.n_rows == 0u) { return; }
  let flock = boids[page.n_boids + i].w & 0xffu;
  let row = page.rows[flock / 4u][flock % 4u];
  numbers[id] = 0x7fc00000u;  // not a number: the boid has none
  if (row >= 0) { numbers[id] = bitcast<u32>(memory[u32(row) * page.n_boids + i]); }
}

@compute @workgroup_size(64)
fn edit(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
        @builtin(local_invocation_index) local: u32) {
  let i = thread(group, groups, local);
  if (i >= page.n_boids) { return; }
  let kind = boids[page.n_boids + i].w;
  if (boids[i].w == page.id) {
    boids[i] = vec4u(bitcast<vec3u>(page.position.xyz), page.id);
  }
  if (page.pushes == 0u || (kind >> 8u) > 0u) { return; }
  let flock = kind & 0xffu;
  let most = page.strength[flock / 4u][flock % 4u];
  var away = bitcast<vec3f>(boids[i].xyz) - page.centre.xyz;
  let wrapped = away - page.side.xyz * floor(away / page.side.xyz + 0.5);
  away = select(away, wrapped, page.periodic.xyz != vec3u(0u));
  let distance = length(away);
  if (distance >= page.centre.w || distance == 0.0) { return; }
  let velocity = bitcast<vec3f>(boids[page.n_boids + i].xyz);
  let turned = velocity + most * (1.0 - distance / page.centre.w) / distance * away;
  boids[page.n_boids + i] = vec4u(bitcast<vec3u>(turned), kind);
}

// Here the buffer at binding 2 has the commands, and that at binding 4 the memory.
@compute @workgroup_size(64)
fn command(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
           @builtin(local_invocation_index) local: u32) {
  let i = thread(group, groups, local);
  if (i >= page.n_boids) { return; }
  let k = boids[i].w - page.id;
  if (k >= page.n_rows || memory[3u * page.n_rows + k] < 0.0) { return; }
  for (var row = 0u; row < 4u; row++) {
    numbers[(page.pushes + row) * page.n_boids + i] = bitcast<u32>(memory[row * page.n_rows + k]);
  }
}
`;

export type PageKernel = "show" | "edit" | "command";
const MAX_EDITED = 8; // texts of edited rules whose kernels are stored

export class Kernels {
  private readonly edited = new Map<string, Promise<Kernels>>();

  private constructor(
    readonly device: GPUDevice,
    readonly program: PageProgram,
    readonly passes: Record<string, Kernel>,
    readonly page: Record<PageKernel, Kernel>,
  ) {}

  /** The kernels of the program in which rules are edited, with a text of its module `stages`; "": these. */
  withStages(stages: string): Promise<Kernels> {
    const { edited } = this.program;
    if (!stages || !edited) return Promise.resolve(this);
    const before = this.edited.get(stages);
    if (before) return before;
    const modules = { ...this.program.modules, ...edited.program.modules };
    modules["stages"] = { ...modules["stages"]!, text: stages };
    const next = Kernels.compile(this.device, { ...this.program, ...edited.program, modules }, this);
    this.edited.set(stages, next);
    if (this.edited.size > MAX_EDITED) this.edited.delete([...this.edited.keys()][0]!);
    return next;
  }

  /** Compile all kernels except those of modules that `others` have. Throws an error with the compiler's message, or for a
   * device that allows fewer buffers than a pass binds. */
  static async compile(device: GPUDevice, program: PageProgram, others?: Kernels): Promise<Kernels> {
    checkBuffers(device, program);
    device.pushErrorScope("validation"); // errors of texts are read from their modules
    const modules = new Map<string, GPUShaderModule>();
    const layouts = new Map<string, GPUBindGroupLayout>();
    for (const [name, { text, access }] of Object.entries(program.modules)) {
      modules.set(name, device.createShaderModule({ code: text, label: name }));
      const buffers = Object.entries(access).map(([buffer, how]): [number, GPUBufferBindingType] =>
        [program.bindings[buffer]!, how === "read" ? "read-only-storage" : "storage"]);
      layouts.set(name, layoutOf(device, [[0, "uniform"], ...buffers]));
    }
    void device.popErrorScope();
    const dispatches = program.paths.flatMap(({ passes, end }) => [...passes, ...end]);
    const entries = new Map(dispatches.map(({ entry, module }) => [entry, module]));
    const kernels = await Promise.all([...entries].map(async ([entry, module]) => {
      const { text } = program.modules[module]!;
      const other = others?.program.modules[module]?.text === text ? others.passes[entry] : undefined;
      return [entry, other ?? await compiled(device, modules.get(module)!, layouts.get(module)!, entry, text)] as const;
    }));
    const passes = Object.fromEntries(kernels);
    if (others) return new Kernels(device, program, passes, others.page);
    const text = device.createShaderModule({ code: PAGE_TEXT, label: "page" });
    const layout = layoutOf(device, [
      [0, "uniform"], [1, "storage"], [2, "read-only-storage"], [3, "storage"], [4, "storage"],
    ]);
    const own = (entry: PageKernel): Promise<Kernel> => compiled(device, text, layout, entry, PAGE_TEXT);
    const [show, edit, command] = [await own("show"), await own("edit"), await own("command")];
    return new Kernels(device, program, passes, { show, edit, command });
  }
}

function checkBuffers({ limits }: GPUDevice, { modules }: PageProgram): void {
  const needed = Math.max(...Object.values(modules).map(({ access }) => Object.keys(access).length));
  const allowed = limits.maxStorageBuffersPerShaderStage;
  if (needed > allowed) throw new Error(`the card allows ${allowed} buffers in a pass, and this model needs ${needed}`);
}

/** The comment of a line that was printed from a rule: its line in the rule's text. */
const OF_RULE = / \/\/ (rule .*, line \d+)$/;

function layoutOf(device: GPUDevice, bindings: [number, GPUBufferBindingType][]): GPUBindGroupLayout {
  return device.createBindGroupLayout({
    entries: bindings.map(([binding, type]) => ({ binding, visibility: COMPUTE, buffer: { type } })),
  });
}

async function compiled(device: GPUDevice, module: GPUShaderModule, layout: GPUBindGroupLayout, entryPoint: string, text: string): Promise<Kernel> {
  const pipelineLayout = device.createPipelineLayout({ bindGroupLayouts: [layout] });
  try {
    const pipeline = await device.createComputePipelineAsync({ layout: pipelineLayout, compute: { module, entryPoint }, label: entryPoint });
    return { pipeline, layout };
  } catch (error) {
    const { messages } = await module.getCompilationInfo();
    const lines = text.split("\n");
    const said = messages.filter(({ type }) => type === "error").map(({ lineNum, message }) => `${OF_RULE.exec(lines[lineNum - 1] ?? "")?.[1] ?? `line ${lineNum}`}: ${message}`);
    throw new Error(`kernel ${entryPoint} does not compile: ${said[0] ?? String(error)}`, { cause: error });
  }
}
