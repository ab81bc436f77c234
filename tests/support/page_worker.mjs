// Flies what a page holds, as its worker does: node page_worker.mjs SCRIPT... < JSON
//
// The JSON: head, as the page has it, and messages, which are sent one after the other; "state" as
// the last one. Prints the replies as JSON, numbers of the state as base64 of their bytes.
import { readFileSync } from "node:fs";
import { inflateSync } from "node:zlib";

const { head, messages } = JSON.parse(readFileSync(0, "utf8"));
const code = (packed) => new Uint8Array(inflateSync(Buffer.from(packed, "base64")));
const data = {
  ...head, values: {}, off: [], paused: true,
  modules: head.modules.map((module) => ({ ...module, code: code(module.code) })),
  start: { ...head.start, code: code(head.start.code) },
  ...(head.population && { population: { ...head.population, code: code(head.population.code) } }),
};
const waiting = new Map();
let step = 0;
let ended = null;
let seen = null;
globalThis.self = {
  postMessage(message) {
    if (message instanceof ArrayBuffer) {
      step = new DataView(message).getFloat64(16, true);
      self.onmessage({ data: { type: "credit", frames: 1 } });
    } else if (message.type === "reply") waiting.get(message.to)(message);
    else if (message.type === "boid") seen?.(message);
    else if (message.type === "bye" || message.level === "error") ended = message;
  },
};
for (const script of process.argv.slice(2)) (0, eval)(readFileSync(script, "utf8"));
let next = 1;
const ask = (message) => new Promise((done) => {
  waiting.set(next, done);
  self.onmessage({ data: { ...message, id: next++ } });
});
const until = async (what) => {
  while (!what() && !ended) await new Promise((done) => setTimeout(done, 2));
};
self.onmessage({ data });
const replies = [];
for (const message of messages) {
  const before = message.type === "step" ? (await ask({ type: "state" })).state.step : 0;
  if (message.type === "step") step = -1; // of an earlier frame
  const reply = await ask(message);
  if (message.type === "step") await until(() => step === before + message.steps);
  if (message.type === "choose") reply.boid = await new Promise((done) => (seen = done));
  if (reply.state) reply.state.places = Buffer.from(reply.state.places.buffer).toString("base64");
  replies.push(reply);
}
const said = JSON.stringify({ replies, ended }, (_, x) => (ArrayBuffer.isView(x) ? [...x] : x));
process.stdout.write(said, () => process.exit(0));
