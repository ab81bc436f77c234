/** Shader programs and their uniforms, in plain WebGL 2. */

import type { Value, Values } from "../scene/uniforms";

/** A pair of shaders; what they need is set by name. */
export class Program {
  private readonly handle: WebGLProgram;
  private readonly places = new Map<string, { at: WebGLUniformLocation; type: number }>();

  constructor(private readonly gl: WebGL2RenderingContext, vertex: string, fragment: string) {
    this.handle = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]] as const) {
      const shader = gl.createShader(kind)!;
      gl.shaderSource(shader, `#version 300 es\n${text}`);
      gl.compileShader(shader);
      gl.attachShader(this.handle, shader);
    }
    // The same places in all programs, so that one layout of vertices serves them all.
    ATTRIBUTES.forEach((name, place) => gl.bindAttribLocation(this.handle, place, name));
    gl.linkProgram(this.handle);
    if (!gl.getProgramParameter(this.handle, gl.LINK_STATUS) && !gl.isContextLost()) {
      const why = gl.getAttachedShaders(this.handle)!.map((shader) => gl.getShaderInfoLog(shader));
      throw new Error(`a shader is wrong: ${[gl.getProgramInfoLog(this.handle), ...why].join(" ")}`);
    }
    const count = gl.getProgramParameter(this.handle, gl.ACTIVE_UNIFORMS) as number | null;
    for (let k = 0; k < (count ?? 0); k++) {
      const { name, type } = gl.getActiveUniform(this.handle, k)!;
      this.places.set(name.replace(/\[0\]$/, ""), { at: gl.getUniformLocation(this.handle, name)!, type });
    }
  }

  /** Draw with it from now on, with these values; names that it does not know are for others. */
  use(...all: Values[]): void {
    this.gl.useProgram(this.handle);
    for (const values of all) for (const name in values) this.set(name, values[name]!);
  }

  private set(name: string, value: Value): void {
    const place = this.places.get(name);
    if (!place) return;
    const { gl } = this;
    const { at, type } = place;
    if (typeof value === "number") {
      if (type === gl.FLOAT) gl.uniform1f(at, value);
      else gl.uniform1i(at, value); // whole numbers, and which texture
    } else if (type === gl.FLOAT_VEC2) gl.uniform2fv(at, value);
    else if (type === gl.FLOAT_VEC3) gl.uniform3fv(at, value);
    else gl.uniform4fv(at, value);
  }
}

const ATTRIBUTES = ["position", "normal", "strength"];
const SIZES = [3, 3, 1];

/** Points in the memory of the graphics card. Each has a position, and a normal or a strength. */
export class Points {
  private readonly buffer: WebGLBuffer;
  private readonly layout: WebGLVertexArrayObject;
  readonly count: number;

  constructor(
    private readonly gl: WebGL2RenderingContext,
    data: Float32Array,
    second: "normal" | "strength",
  ) {
    const other = ATTRIBUTES.indexOf(second);
    const stride = 3 + SIZES[other]!;
    this.count = data.length / stride;
    this.buffer = gl.createBuffer();
    this.layout = gl.createVertexArray();
    gl.bindVertexArray(this.layout);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
    for (const [place, offset] of [[0, 0], [other, 3]] as const) {
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, SIZES[place]!, gl.FLOAT, false, 4 * stride, 4 * offset);
    }
    gl.bindVertexArray(null);
  }

  draw(mode: number): void {
    this.gl.bindVertexArray(this.layout);
    this.gl.drawArrays(mode, 0, this.count);
    this.gl.bindVertexArray(null);
  }

  dispose(): void {
    this.gl.deleteBuffer(this.buffer);
    this.gl.deleteVertexArray(this.layout);
  }
}
