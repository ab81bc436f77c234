"""Measure VMAS's scenario `flocking`: run by environments.py in an interpreter that has VMAS.

python vmas_child.py AGENTS WORLDS STEPS: for each line of its input it prints agent-steps a second.
"""

import sys
import time

import torch
import vmas

agents, worlds, steps = map(int, sys.argv[1:])
envs = vmas.make_env(
    "flocking", num_envs=worlds, device="cpu", continuous_actions=True, seed=0, n_agents=agents
)
envs.reset()
actions = [torch.zeros(worlds, 2) for _ in range(agents)]
for _ in sys.stdin:
    begin = time.perf_counter()
    for _ in range(steps):
        envs.step(actions)
    print(agents * worlds * steps / (time.perf_counter() - begin), flush=True)
