import { defineConfig } from "vite";

import { licences } from "./licences.js";
import { shorterShaders } from "./shaders.js";

// One ES module with the style sheet inside it, no other file: the Python package serves it, packs
// it into pages and hands it to notebooks as it is. No hashes and no dates, so that the same
// sources always give the same bytes.
export default defineConfig({
  plugins: [shorterShaders, licences],
  build: {
    target: "es2022",
    outDir: "../src/murmurate/show/viewer",
    emptyOutDir: false,
    copyPublicDir: false,
    modulePreload: false,
    reportCompressedSize: false,
    // Libraries are left with their white space otherwise, for other bundlers; this is the last one.
    rolldownOptions: { output: { minify: true } },
    lib: { entry: "src/index.ts", formats: ["es"], fileName: () => "viewer.js" },
  },
});
