/** Obstacles and handles as the scene shows them: as murmurate.show.scene. */

import { isScheduled, numberAt, threeAt, type Values } from "./values";
import { lookUp } from "../state/paths";
import type { HandleInfo, ObstacleInfo, Plain, SceneMessage, ServerMessage } from "../wire/messages";

const VECTORS = ["centre", "size", "point", "normal"] as const;

export function obstaclesAt(scene: SceneMessage, values: Values, time: number): ObstacleInfo[] {
  return scene.obstacles.map(({ name }) => {
    const own = (key: string): Plain | undefined => values[`obstacles.${name}.${key}`];
    const found: ObstacleInfo = { name, kind: own("kind") as ObstacleInfo["kind"] };
    for (const key of VECTORS) if (own(key) !== undefined) found[key] = threeAt(own(key), time);
    if (own("radius") !== undefined) found.radius = numberAt(own("radius"), time);
    return found;
  });
}

export function handlesAt(scene: SceneMessage, values: Values, time: number): HandleInfo[] {
  return scene.handles.map((handle) => ({ ...handle, position: threeAt(lookUp(values, handle.path), time) }));
}

export const obstaclesMessage = (scene: SceneMessage, values: Values, time: number): ServerMessage => ({
  type: "obstacles",
  obstacles: obstaclesAt(scene, values, time),
  handles: handlesAt(scene, values, time),
});

/** Whether an obstacle is moved by a schedule. */
export const moves = (values: Values): boolean =>
  Object.entries(values).some(([path, value]) => path.startsWith("obstacles.") && isScheduled(value));
