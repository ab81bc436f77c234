/** Detects WebGL that is rendered in software, on the CPU: antialiasing and high resolutions cost too
 * much there. */

let cached: boolean | null = null;

export function isSoftware(): boolean {
  if (cached !== null) return cached;
  const context = document.createElement("canvas").getContext("webgl2");
  const about = context?.getExtension("WEBGL_debug_renderer_info");
  const name = context && about ? String(context.getParameter(about.UNMASKED_RENDERER_WEBGL)) : "";
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  cached = /llvmpipe|swiftshader|softpipe|basic render|software/i.test(name);
  return cached;
}
