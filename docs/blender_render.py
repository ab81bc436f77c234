"""Renders a scene of `murmurate export ... --scene` with Blender, without a screen.

    blender --background --python blender_render.py -- film.usdc picture.png --frame 100
    blender --background --python blender_render.py -- film.usdc shots/picture.png --frames 0-239
    blender --background --python blender_render.py -- film.usdc --blend film.blend

The first renders one frame, the second numbered ones, shots/picture_0000.png and so on; the third
renders nothing, and saves what was imported, to be opened and worked on. Where `pip install bpy`
was run, `python blender_render.py film.usdc ...` does the same without Blender's own program.

It imports the scene, looks through its camera, takes its frame rate over, and shows colours as they
are (Blender's view transform Standard; AgX, its own choice, makes them pale).
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from pathlib import Path

import bpy

if bpy.app.version < (4, 4):
    sys.exit(
        f"this is Blender {bpy.app.version_string}: it takes 4.4 or newer, which has USD's library"
    )
bpy.utils.expose_bundled_modules()
from pxr import Usd, UsdLux  # noqa: E402

SCENES = (".usdc", ".usda", ".usdz")


def arguments() -> argparse.Namespace:
    """Those after `--`, where Blender's own stand before it."""
    words = sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else sys.argv[1:]
    parser = argparse.ArgumentParser(prog="blender_render.py", description=__doc__.split("\n")[0])
    parser.add_argument("scene", type=Path, help="the .usdc, .usda or .usdz")
    parser.add_argument("picture", type=Path, nargs="?", help="the .png to render to")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--frame", type=int, help="the one to render; the middle one unless given")
    which.add_argument("--frames", type=_range, metavar="A-B", help="render all from A to B")
    parser.add_argument("--width", type=int, default=1280, help="pixels (1280)")
    parser.add_argument("--samples", type=int, default=64, help="rays a pixel (64)")
    parser.add_argument("--workbench", action="store_true", help="draw as the viewport, at once")
    parser.add_argument("--motion-blur", action="store_true", help="shutter open for half a frame")
    parser.add_argument("--blend", type=Path, help="save the imported scene as this .blend")
    options = parser.parse_args(words)
    if options.scene.suffix not in SCENES or not options.scene.is_file():
        parser.error(f"{options.scene}: give a file that is there: {', '.join(SCENES)}")
    if options.picture is None and options.blend is None:
        parser.error("give a picture to render to, or --blend and a file to save to")
    if options.picture is not None and options.picture.suffix != ".png":
        parser.error(f"{options.picture}: pictures are written as .png")
    if options.width < 16 or options.samples < 1:
        parser.error("--width must be 16 or more, --samples 1 or more")
    return options


def _range(text: str) -> range:
    match = re.fullmatch(r"(\d+)-(\d+)", text)
    if not match or int(match[1]) > int(match[2]):
        raise argparse.ArgumentTypeError(f"{text}: give two frames, such as 0-239")
    return range(int(match[1]), int(match[2]) + 1)


def open_scene(path: Path) -> bpy.types.Scene:
    """Blender's scene with nothing in it but what is in the file."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.world = bpy.data.worlds.new("sky")
    stage = Usd.Stage.Open(str(path))
    rate = stage.GetTimeCodesPerSecond()
    scene.render.fps = max(1, round(rate))  # Blender keeps its own, 24, and plays at that
    scene.render.fps_base = scene.render.fps / rate
    bpy.ops.wm.usd_import(filepath=str(path.resolve()), set_frame_range=True)
    for sun in (
        light for light in scene.objects if light.type == "LIGHT" and light.data.type == "SUN"
    ):
        # Blender takes them to be four times as strong
        sun.data.energy = (
            UsdLux.DistantLight(stage.GetPrimAtPath("/Flight/Sun")).GetIntensityAttr().Get()
        )
    cameras = [item for item in scene.objects if item.type == "CAMERA"]
    if not cameras:
        sys.exit(f"{path}: it has no camera: export it with --scene")
    scene.camera = cameras[0]
    return scene


def prepare(scene: bpy.types.Scene, options: argparse.Namespace) -> None:
    """Size, light and shutter."""
    lens, render = scene.camera.data, scene.render
    render.engine = "BLENDER_WORKBENCH" if options.workbench else "CYCLES"
    render.resolution_x = options.width
    render.resolution_y = round(options.width * lens.sensor_height / lens.sensor_width)
    render.resolution_percentage = 100
    render.image_settings.file_format = "PNG"
    scene.view_settings.view_transform = "Standard"
    scene.cycles.samples = options.samples
    scene.cycles.use_denoising = False  # it takes single birds for noise
    render.use_motion_blur = options.motion_blur
    render.motion_blur_shutter = 0.5


class Watch:
    """Prints how long what is done within it took: on the clock, and of all cores together."""

    def __init__(self, task: str) -> None:
        self.task = task

    def __enter__(self) -> None:
        self.begin = time.perf_counter(), time.process_time()

    def __exit__(self, kind: type | None, *_: object) -> None:
        elapsed, worked = time.perf_counter() - self.begin[0], time.process_time() - self.begin[1]
        if kind is None:
            print(f"{self.task} in {elapsed:.2f} s, {worked:.2f} s of processor time", flush=True)


def main() -> None:
    options = arguments()
    with Watch(f"{options.scene}: imported"):
        scene = open_scene(options.scene)
        prepare(scene, options)
    if options.blend is not None:
        bpy.ops.wm.save_as_mainfile(filepath=str(options.blend.resolve()))
        print(f"{options.blend}: saved")
    if options.picture is None:
        return
    middle = (scene.frame_start + scene.frame_end) // 2
    frames = options.frames or [middle if options.frame is None else options.frame]
    for frame in frames:
        name = options.picture
        if options.frames:
            name = name.with_stem(f"{name.stem}_{frame:04}")
        scene.render.filepath = str(name.resolve())
        with Watch(f"{name}: rendered"):
            scene.frame_set(frame)
            bpy.ops.render.render(write_still=True)


if __name__ == "__main__":
    main()
