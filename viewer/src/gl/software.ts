/** Detects WebGL that is rendered in software, on the CPU: antialiasing and high resolutions cost too
 * much there. */

let known: boolean | null = null;

export function isSoftware(): boolean {
  if (known !== null) return known;
  const context = document.createElement("canvas").getContext("webgl2");
  const about = context?.getExtension("WEBGL_debug_renderer_info");
  const name = context && about ? String(context.getParameter(about.UNMASKED_RENDERER_WEBGL)) : "";
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  known = /llvmpipe|swiftshader|softpipe|basic render|software/i.test(name);
  return known;
}
