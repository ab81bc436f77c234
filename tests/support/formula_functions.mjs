// Compiles edited functions as a page does, and calls them: node formula_functions.mjs SCRIPT < JSON
//
// The JSON: head, as the page has it, texts of rules (own, kind), and calls: rule, method, and numbers in base64.
// Prints the results in base64. Or the JSON has a program: opened, edited and tables, as the page has them, and texts
// of rules in a list; then it prints the text of the module of WebGPU for each.
import { readFileSync } from "node:fs";
import { inflateSync } from "node:zlib";

const { head, texts, calls, program } = JSON.parse(readFileSync(0, "utf8"));
(0, eval)(readFileSync(process.argv[2], "utf8"));
if (program) {
  const { opened, edited, tables, texts } = program;
  const stages = texts.map((each) => murmurateFormulas.compile(each, opened, tables).stages(edited));
  await new Promise((written) => process.stdout.write(JSON.stringify(stages), written));
  process.exit();
}
const { code, manifest } = head.modules.find((module) => module.manifest.opened);
const { opened } = manifest;
const faults = Object.fromEntries(Object.entries(texts).map(([rule, text]) => [rule, murmurateFormulas.faultOf(rule, text, opened, head.formulas)]));
const { exports } = new WebAssembly.Instance(new WebAssembly.Module(inflateSync(Buffer.from(code, "base64"))));
const results = [];
if (Object.values(faults).every((fault) => !fault)) {
  murmurateFormulas.compile(texts, opened, head.formulas).link({ memory: exports.memory, functions: exports.functions, exports }, opened);
  for (const { rule, method, numbers } of calls) {
    const rows = Buffer.from(numbers, "base64");
    const memory = new Uint8Array(exports.memory.buffer, opened.address, 4096);
    const out = 4 * opened.positions.out[0];
    const width = 4 * Object.keys(opened.positions.out).length;
    const found = [];
    for (let from = 0; from < rows.length; from += 4096) {
      memory.set(rows.subarray(from, from + 4096));
      exports.functions.get(opened.rules[rule].functions[method])();
      found.push(Buffer.from(memory.slice(out, out + width)));
    }
    results.push(Buffer.concat(found).toString("base64"));
  }
}
process.stdout.write(JSON.stringify({ faults, results }));
