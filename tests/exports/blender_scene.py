"""Print the contents of a scene in Blender as JSON. Runs in a Python that can import bpy.

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
    """Return position, heading and height of a wing tip of each instance, in order."""
    instances = []
    for thing in graph.object_instances:
        if thing.is_instance:
            mesh = thing.object.data
            tip = max(mesh.vertices, key=lambda vertex: vertex.co.y).co.z
            forward = thing.matrix_world.to_3x3() @ Vector((1, 0, 0))
            instances.append([*thing.matrix_world.translation, *forward, tip])
    return instances


def main() -> None:
    scene = blender_render.open_scene(Path(sys.argv[2]))
    lights = [thing for thing in scene.objects if thing.type == "LIGHT"]
    background = next(n for n in scene.world.node_tree.nodes if n.type == "BACKGROUND")
    pictures = [n.image for n in scene.world.node_tree.nodes if n.type == "TEX_ENVIRONMENT"]
    description = {
        "frames_per_second": scene.render.fps / scene.render.fps_base,
        "frames": [scene.frame_start, scene.frame_end],
        "lights": [[thing.data.type, thing.data.energy, *thing.data.color] for thing in lights],
        "shines": [[*(thing.matrix_world.to_3x3() @ Vector((0, 0, -1)))] for thing in lights],
        "sky": [*background.inputs["Color"].default_value][:3],
        "sky_pictures": [[*image.size] for image in pictures if image],
        "objects": sorted(thing.name for thing in scene.objects),
        "at": {},
    }
    for frame in map(int, sys.argv[3:]):
        scene.frame_set(frame)
        graph = bpy.context.evaluated_depsgraph_get()
        placed = {o.name: [*o.evaluated_get(graph).matrix_world.translation] for o in scene.objects}
        eye = scene.camera.evaluated_get(graph).matrix_world
        description["at"][frame] = {
            "boids": boids(graph),
            "objects": placed,
            "camera": [[*row] for row in eye],
        }
    print("SAID " + json.dumps(description))


main()
