// Builds viewer.js, as vite.config.ts says, and flight.js: the worker of pages in which a flock flies, which is
// also a script of those pages where WebGPU simulates it; a classic one, since Chromium refuses workers that are modules in pages opened from disk.
//
//     node build.js [--outDir FOLDER]
import process from "node:process";

import { build } from "vite";

const place = process.argv.indexOf("--outDir");
const outDir = place > 0 ? process.argv[place + 1] : "../src/murmurate/show/viewer";

await build({ build: { outDir } });
await build({
  configFile: false,
  build: {
    target: "es2022",
    outDir,
    emptyOutDir: false,
    copyPublicDir: false,
    reportCompressedSize: false,
    rolldownOptions: { output: { minify: true } },
    lib: { entry: "src/flight/main.ts", formats: ["iife"], name: "flight", fileName: () => "flight.js" },
  },
});
