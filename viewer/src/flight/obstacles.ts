/** Obstacles and handles as the scene shows them: as show/scene.py. */

import type { DrawnPart } from "./drawn";
import type { Model } from "./model";
import { obstacleRow } from "./rows";
import { isScheduled, numberAt, threeAt, type Values } from "./values";
import { lookUp } from "../state/paths";
import type { HandleInfo, ObstacleInfo, Plain, SceneMessage, Table } from "../wire/contracts";
import type { ServerMessage } from "../wire/messages";

export function obstaclesAt(scene: SceneMessage, values: Values, time: number): ObstacleInfo[] {
  return scene.obstacles.map((obstacle) => {
    const { name, kind } = obstacle;
    const own = (key: string): Plain | undefined => values[`${kind === "wire" ? "" : "obstacles."}${name}.${key}`];
    if (kind === "wire") return { name, kind, start: threeAt(own("start"), time), end: threeAt(own("end"), time), sag: numberAt(own("sag"), time) };
    const [, x, y, z, ...numbers] = obstacleRow(scene.shapes[kind]!, own, time) as [number, number, number, number, ...number[]];
    return { ...obstacle, position: [x, y, z], numbers };
  });
}

export function handlesAt(scene: SceneMessage, values: Values, time: number): HandleInfo[] {
  return scene.handles.map((handle) => ({ ...handle, position: threeAt(lookUp(values, handle.path), time) }));
}

/** The scene of a page with the parts that were drawn in it. */
function withDrawn(scene: SceneMessage, drawn: ReadonlyMap<string, DrawnPart>, values: Values): SceneMessage {
  if (drawn.size === 0) return { ...scene, drawn: {} };
  const parts = [...drawn];
  const tables = (word: string): Table => Object.fromEntries(
    parts.filter(([path]) => path.startsWith(`${word}.`)).map(([path, part]) => [path.slice(word.length + 1), part.table]),
  );
  const model = { ...scene.model };
  for (const word of ["flocks", "rules", "obstacles"]) model[word] = { ...(model[word] as Table | undefined), ...tables(word) };
  return {
    ...scene, model,
    flocks: [...scene.flocks, ...parts.flatMap(([, { founded }]) => founded?.flock ?? [])],
    schemas: Object.assign({}, scene.schemas, ...parts.map(([, { schemas }]) => schemas)) as SceneMessage["schemas"],
    formulas: { ...scene.formulas, ...Object.fromEntries(parts.filter(([, { formula }]) => formula).map(([path, { formula }]) => [path, formula])) },
    obstacles: [...scene.obstacles, ...Object.entries(tables("obstacles")).map(([name, table]) => ({ name, kind: String((table as Table)["kind"]) }))],
    handles: [...scene.handles, ...parts.flatMap(([path]) => handlesOf(path, values))],
    drawn: Object.fromEntries(parts.map(([path, { table }]) => [path, table])),
  };
}

/** A page's scene with the values that its model has now, and with what was drawn. */
export function sceneOf(base: SceneMessage, { values, counts, off, drawn }: Model, number: number, time: number): SceneMessage {
  const scene = withDrawn(base, drawn, values);
  return {
    ...scene, values, off: [...off.keys()], scene: number,
    flocks: scene.flocks.map((flock, k) => ({ ...flock, count: counts[k]! })),
    obstacles: obstaclesAt(scene, values, time),
    handles: handlesAt(scene, values, time),
  };
}

/** The points of a drawn part that can be dragged. */
function handlesOf(path: string, values: Values): HandleInfo[] {
  const [table, name] = path.split(".") as [string, string];
  const kind = table === "obstacles" ? "obstacle" : "place";
  const points = values[`${path}.points`];
  if (Array.isArray(points)) {
    return points.map((_, k) => ({
      path: `${path}.points.${k}`, label: `${name} point ${k + 1}`, position: [], kind,
      closes: k + 1 === points.length && values[`${path}.closed`] === true,
    }));
  }
  const key = ["centre", "point", "place"].find((word) => Array.isArray(values[`${path}.${word}`]));
  return key ? [{ path: `${path}.${key}`, label: `${name} ${key}`, position: [], kind }] : [];
}

export const obstaclesMessage = (scene: SceneMessage, values: Values, time: number): ServerMessage => ({
  type: "obstacles",
  obstacles: obstaclesAt(scene, values, time),
  handles: handlesAt(scene, values, time),
});

/** Whether an obstacle is moved by a schedule. */
export const moves = (values: Values): boolean =>
  Object.entries(values).some(([path, value]) => path.startsWith("obstacles.") && isScheduled(value));
