/** What was drawn, with its present numbers, for links and for another engine. */

import { isMoves, lookUp, putAt, valueAt } from "../state/paths";
import type { SceneMessage, Table } from "../wire/contracts";

/** Whether a path leads into a part that was drawn, or has the flocks of a rule, which follow from drawn predators. */
export const isOfDrawn = (drawn: SceneMessage["drawn"], path: string): boolean =>
  isMoves(path) || Object.keys(drawn ?? {}).some((part) => path.startsWith(`${part}.`));

/** Path of a drawn part -> its table; of a rule that is off, with the weight that it was drawn with. */
export function drawnNow({ drawn = {}, values, off }: Pick<SceneMessage, "drawn" | "values" | "off">): Record<string, Table> {
  return Object.fromEntries(Object.entries(drawn).map(([part, table]) => {
    const now = structuredClone(table);
    const silent = off.includes(part.slice("rules.".length)) ? `${part}.weight` : "";
    for (const path of Object.keys(values)) {
      const key = path.slice(part.length + 1);
      if (path.startsWith(`${part}.`) && path !== silent && valueAt(table, key) !== undefined) putAt(now, key, lookUp(values, path) ?? null);
    }
    return [part, now];
  }));
}
