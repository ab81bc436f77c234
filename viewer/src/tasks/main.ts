/** tasks.js: a task beside the flock of a live page. The page runs it as a script, and calls it. */

import { TaskCard } from "./card";
import { lend } from "./kit";

globalThis.murmurateTask = (kit, live, packed) => {
  lend(kit);
  new TaskCard(live, packed);
};
