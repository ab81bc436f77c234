/** Shorten the texts of shaders, marked as glsl or wgsl: no comments, and no white space that means nothing.
 *
 * @type {import("vite").Plugin} */
export const shorterShaders = {
  name: "shorter-shaders",
  enforce: "pre",
  transform: (code, id) =>
    !id.endsWith(".ts") ? null : {
      code: code
        .replace(/(?<=\/\* (?:glsl|wgsl) \*\/ `)[^`]*/g, (text) =>
          text.replace(/\/\/.*$/gm, "").replace(/\s*\n\s*/g, "\n").replace(/ *([=,;{}():*+/]) */g, "$1").replace(/(?<=[;{}])\n/g, ""))
        // only GLSL has directives, which end with their line
        .replace(/(?<=\/\* wgsl \*\/ `)[^`]*/g, (text) => text.replaceAll("\n", " ")),
      map: null,
    },
};
