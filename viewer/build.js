// Builds viewer.js and replay.js, as vite.config.ts says; flight.js: the worker of live pages, and their script where WebGPU
// simulates the flock; and formulas.js, which precedes it in pages whose rules can be edited; and tasks.js, which shows a task. These are classic
// scripts: Chromium refuses modules as workers in pages opened from disk.
//
//     node build.js [--outDir FOLDER]
import process from "node:process";

import { build } from "vite";

import { licences } from "./licences.js";
import { shorterShaders } from "./shaders.js";

const place = process.argv.indexOf("--outDir");
const outDir = place > 0 ? process.argv[place + 1] : "../src/murmurate/show/viewer";

for (const name of ["viewer", "replay"]) {
  const entry = name === "viewer" ? "src/index.ts" : "src/replay.ts";
  await build({ build: { outDir, lib: { entry, formats: ["es"], fileName: () => `${name}.js` } } });
}
for (const [name, entry] of [["flight", "src/flight/main.ts"], ["formulas", "src/formulas/main.ts"], ["tasks", "src/tasks/main.ts"]]) {
  await build({
    configFile: false,
    plugins: [shorterShaders, licences],
    build: {
      target: "es2022",
      outDir,
      emptyOutDir: false,
      copyPublicDir: false,
      reportCompressedSize: false,
      rolldownOptions: { output: { minify: true } },
      lib: { entry, formats: ["iife"], name, fileName: () => `${name}.js` },
    },
  });
}
