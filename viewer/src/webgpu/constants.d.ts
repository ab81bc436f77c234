/** WebGPU's flags, which TypeScript's own types of it lack. */

declare const GPUBufferUsage: Record<
  "MAP_READ" | "MAP_WRITE" | "COPY_SRC" | "COPY_DST" | "INDEX" | "VERTEX" | "UNIFORM" | "STORAGE" | "INDIRECT" | "QUERY_RESOLVE", number
>;
declare const GPUTextureUsage: Record<"COPY_SRC" | "COPY_DST" | "TEXTURE_BINDING" | "STORAGE_BINDING" | "RENDER_ATTACHMENT", number>;
declare const GPUShaderStage: Record<"VERTEX" | "FRAGMENT" | "COMPUTE", number>;
declare const GPUMapMode: Record<"READ" | "WRITE", number>;
