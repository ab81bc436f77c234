"""What Blender finds in a scene, as JSON: run by a Python that can import bpy.

python blender_scene.py FOLDER_OF_blender_render.py film.usdc FRAME ...
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, sys.argv[1])
import blender_render
import bpy
from mathutils import Vector


def boids(graph) -> list:
    """Of each instance, in order: where it stands, where it heads, and how high a wing tip is."""
    found = []
    for one in graph.object_instances:
        if one.is_instance:
            mesh = one.object.data
            tip = max(mesh.vertices, key=lambda vertex: vertex.co.y).co.z
            ahead = one.matrix_world.to_3x3() @ Vector((1, 0, 0))
            found.append([*one.matrix_world.translation, *ahead, tip])
    return found


def main() -> None:
    scene = blender_render.open_scene(Path(sys.argv[2]))
    lights = [one for one in scene.objects if one.type == "LIGHT"]
    background = next(n for n in scene.world.node_tree.nodes if n.type == "BACKGROUND")
    pictures = [n.image for n in scene.world.node_tree.nodes if n.type == "TEX_ENVIRONMENT"]
    said = {
        "frames_per_second": scene.render.fps / scene.render.fps_base,
        "frames": [scene.frame_start, scene.frame_end],
        "lights": [[one.data.type, one.data.energy, *one.data.color] for one in lights],
        "shines": [[*(one.matrix_world.to_3x3() @ Vector((0, 0, -1)))] for one in lights],
        "sky": [*background.inputs["Color"].default_value][:3],
        "sky_pictures": [[*image.size] for image in pictures if image],
        "objects": sorted(one.name for one in scene.objects),
        "at": {},
    }
    for frame in map(int, sys.argv[3:]):
        scene.frame_set(frame)
        graph = bpy.context.evaluated_depsgraph_get()
        placed = {o.name: [*o.evaluated_get(graph).matrix_world.translation] for o in scene.objects}
        eye = scene.camera.evaluated_get(graph).matrix_world
        said["at"][frame] = {
            "boids": boids(graph),
            "objects": placed,
            "camera": [[*row] for row in eye],
        }
    print("SAID " + json.dumps(said))


main()
