/** Moving obstacles of a replay: their numbers in each frame. */

import { putAt } from "../state/paths";
import type { ObstacleInfo, ReplayHead, Table } from "../wire/contracts";

/** The obstacles at a frame; null when none of them moves. */
export function obstaclesAt(head: ReplayHead, frame: number): ObstacleInfo[] | null {
  const tracks = head.scene.obstacle_tracks;
  if (!tracks || Object.keys(tracks).length === 0) return null;
  return head.scene.obstacles.map((obstacle) => {
    const moved = structuredClone(obstacle) as unknown as Table;
    for (const [key, values] of Object.entries(tracks[obstacle.name] ?? {})) {
      putAt(moved, key, values[Math.min(frame, values.length - 1)] ?? null);
    }
    return moved as unknown as ObstacleInfo;
  });
}
