import { DoubleSide, FrontSide, GLSL3, RawShaderMaterial } from "three";
import { INK } from "./shaders";
import type { Uniforms } from "./uniforms";

/** A material of our own shaders; they give colours multiplied by their strength. */
export function material(
  vertex: string,
  uniforms: Uniforms,
  options: { fragment?: string; depth?: boolean; write?: boolean; oneSided?: boolean } = {},
): RawShaderMaterial {
  return new RawShaderMaterial({
    glslVersion: GLSL3,
    vertexShader: vertex,
    fragmentShader: options.fragment ?? INK,
    uniforms,
    transparent: true,
    premultipliedAlpha: true,
    depthTest: options.depth ?? true,
    depthWrite: options.write ?? options.depth ?? true,
    side: options.oneSided ? FrontSide : DoubleSide,
  });
}
