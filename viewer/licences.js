// A plugin of Vite: a script begins with the licences of the packages that are part of it.
import { readFileSync } from "node:fs";

const PACKAGE = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//;

export const licences = {
  name: "licences",
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== "chunk") continue;
      const folders = chunk.moduleIds.map((id) => PACKAGE.exec(id.replaceAll("\\", "/"))?.[1]).filter((folder) => folder);
      const notices = [...new Set(folders)].sort().map((folder) => {
        const { name, version } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
        return `/*! ${name} ${version}\n\n${readFileSync(`${folder}/LICENSE`, "utf8").trim()}\n*/\n`;
      });
      chunk.code = notices.join("") + chunk.code;
    }
  },
};
