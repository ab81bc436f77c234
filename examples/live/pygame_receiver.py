"""A flock in pygame: hold the mouse to drive boids away; p: a predator; space: pause; return: play.

    murmurate watch ucl --no-open
    python examples/live/pygame_receiver.py ADDRESS

Needs pygame-ce, numpy and websockets.
"""

import os
import sys

import numpy as np
import pygame
from client import Flock, FlockError

SIZE = np.array([1280, 720])
FRAMES = 60 if os.environ.get("SDL_VIDEODRIVER") == "dummy" else None  # without a screen
NIGHT, DAY = (16, 19, 29), (243, 220, 203)
AXES = {2: [0, 1], 3: [0, 2]}  # of the picture: 3-D is seen from the side
KEYS = {pygame.K_SPACE: "pause", pygame.K_RETURN: "play"}


def screen(scene: dict, points: np.ndarray) -> tuple[np.ndarray, float]:
    """Return the middle of the picture, and pixels per length unit: the space, or the flock."""
    space = scene["space"]
    ends = np.array([space["lower"], space["upper"]])[:, AXES[scene["dims"]]]
    if "open" in space["boundaries"]:
        ends = points.mean(axis=0) + 3.0 * np.outer([-1, 1], points.std(axis=0))
    return ends.mean(axis=0), float((SIZE / np.maximum(ends[1] - ends[0], 1e-6)).min())


def draw(window: pygame.Surface, frame, scene: dict, middle: np.ndarray, scale: float) -> None:
    """Draw each boid as an arrow along its velocity."""
    axes = AXES[scene["dims"]]
    flip = np.array([1, -1])  # y is down on a screen
    points = SIZE / 2 + (frame.positions[:, axes] - middle) * scale * flip
    heading = frame.velocities[:, axes] * flip
    heading = heading / np.maximum(np.linalg.norm(heading, axis=1, keepdims=True), 1e-9)
    across = heading[:, ::-1] * flip
    window.fill(NIGHT if frame.rgb.mean() > 110 else DAY)
    for flock in scene["flocks"]:
        rows, length = frame.flocks[flock["name"]], 7.0 * flock["scale"]
        at, along, aside = points[rows], length * heading[rows], 0.45 * length * across[rows]
        corners = np.stack([at + along, at - 0.6 * along + aside, at - 0.6 * along - aside], axis=1)
        for triangle, colour in zip(corners.tolist(), frame.rgb[rows].tolist(), strict=True):
            pygame.draw.polygon(window, colour, triangle)


def answer(flock: Flock, event: pygame.event.Event, middle: np.ndarray, scale: float) -> None:
    """Send what the mouse and the keys ask for."""
    space, dims = flock.scene["space"], flock.scene["dims"]
    position = np.mean([space["lower"], space["upper"]], axis=0)
    position[AXES[dims]] = middle + (pygame.mouse.get_pos() - SIZE / 2) * [1, -1] / scale
    position = position[:dims].tolist()
    pressed = pygame.mouse.get_pressed()[0]
    if event.type in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP, pygame.MOUSEMOTION):
        if pressed or event.type == pygame.MOUSEBUTTONUP:
            flock.request("shoo", position=position if pressed else None, radius=120.0 / scale)
    elif event.type == pygame.KEYDOWN and event.key == pygame.K_p:
        flock.place_predator(position)
    elif event.type == pygame.KEYDOWN and event.key in KEYS:
        flock.request(KEYS[event.key])


def main(address: str) -> None:
    pygame.display.init()
    window = pygame.display.set_mode(SIZE.tolist())
    flock = Flock(address, rgb=True)
    frame = flock.frame()
    middle, scale = screen(flock.scene, frame.positions[:, AXES[flock.scene["dims"]]])
    count = 0
    while count != FRAMES:
        draw(window, frame, flock.scene, middle, scale)
        pygame.display.flip()
        for event in pygame.event.get():
            if event.type == pygame.QUIT:
                return
            try:
                answer(flock, event, middle, scale)
            except FlockError as error:
                pygame.display.set_caption(str(error))
        frame, count = flock.frame(), count + 1
        newest, _ = screen(flock.scene, frame.positions[:, AXES[flock.scene["dims"]]])
        middle = middle + 0.1 * (newest - middle)  # moves with the flock
    print(f"{count} frames, the last of step {frame.step}")


if __name__ == "__main__":
    main(sys.argv[1])
