/** Parts that come and go while a flock flies in a page: drawn, put back, and taken away. */

import type { Plain, Shape, Table } from "../wire/messages";
import { Drawing, tableNow } from "./drawn";
import type { Tables, FlightData } from "./manifest";
import type { Flock } from "./state";
import type { Model } from "./model";
import { Refused } from "./errors";

export class PartEdits {
  private readonly drawing: Drawing | null;

  constructor({ drawing, scene }: Pick<FlightData, "drawing" | "scene">, private readonly model: Model) {
    this.drawing = drawing ? new Drawing(drawing, scene) : null;
  }

  private get room(): Drawing {
    if (!this.drawing) throw new Refused("drawing: this page was made without room for it. Make it with --draw");
    return this.drawing;
  }

  /** The parts that a drawn shape becomes, for `edit`. */
  tables(shape: Shape, flock: Flock): Tables {
    return this.room.tables(shape, this.model.drawn, flock);
  }

  add(path: string, table: Table): void {
    this.model.add(path, this.room.part(path, table, this.model.drawn));
  }

  /** Adds parts (tables) and takes parts away (null): all of them, or none. What each was and is, by path. */
  edit(parts: Record<string, Table | null>): Record<string, [Plain, Plain]> {
    const { model } = this;
    const changed: Record<string, [Plain, Plain]> = {};
    try {
      for (const [path, table] of Object.entries(parts)) {
        const part = model.drawn.get(path);
        const before = part ? tableNow(part, path, model.values) : null;
        if (table === null) model.remove(path);
        else this.add(path, table);
        changed[path] = [before, table];
      }
    } catch (error) {
      for (const [path, [before]] of Object.entries(changed)) {
        if (before === null) model.remove(path);
        else this.add(path, before as Table);
      }
      throw error;
    }
    return changed;
  }
}
