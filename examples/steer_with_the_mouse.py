"""Steer three dogs with the mouse at 60 frames per second; sheep flee from them. Needs pygame."""

import os

import numpy as np

import murmurate as mm

SIZE, SCALE = (96.0, 54.0), 10
FRAMES = 120 if os.environ.get("SDL_VIDEODRIVER") == "dummy" else None  # without a screen

model = mm.Model(
    dt=1 / 60,
    space=mm.Space(size=SIZE, boundary="reflecting"),
    flocks={
        "sheep": mm.Flock(count=200, motion=mm.Add(max_speed=8.0)),
        "dogs": mm.Flock(count=3, motion=mm.Add(max_speed=20.0, max_force=60.0)),
    },
    rules={
        "separation": mm.Separation(moves="sheep", radius=2.0, weight=20.0),
        "cohesion": mm.Cohesion(moves="sheep", radius=12.0, weight=1.0),
        "flee": mm.Flee(moves="sheep", senses="dogs", radius=15.0, weight=40.0),
        "command": mm.Command(moves="dogs", form="velocity"),
    },
)


def main() -> None:
    try:
        import pygame
    except ImportError:
        print("This example needs pygame: pip install pygame-ce")
        return
    pygame.display.init()
    window = pygame.display.set_mode([int(SCALE * side) for side in SIZE])
    clock, sim, frames = pygame.time.Clock(), mm.Simulation(model, seed=1), 0
    while frames != FRAMES and not pygame.event.get(pygame.QUIT):
        mouse = np.array(pygame.mouse.get_pos()) / SCALE
        dogs = sim.frame["dogs"].positions
        offsets = np.array([(-4.0, 0.0), (0.0, 0.0), (4.0, 0.0)])
        sim.step(1, controls={"dogs": 3.0 * (mouse + offsets - dogs)})

        window.fill((46, 60, 44))
        for name, colour in (("sheep", (240, 240, 230)), ("dogs", (230, 120, 40))):
            for position in (SCALE * sim.frame[name].positions).tolist():
                pygame.draw.circle(window, colour, position, 4)
        pygame.display.flip()
        clock.tick(60 if FRAMES is None else 0)
        frames += 1
    pygame.quit()
    print(f"{frames} frames, the flock's polarization is {mm.polarization(sim.frame['sheep']):.2f}")


if __name__ == "__main__":
    main()
