"""Measure VMAS's scenario `flocking`: run by environments.py in an interpreter that has VMAS.

python vmas_child.py AGENTS WORLDS STEPS: for each line of its input it prints agent-steps a
second, and a second of processor time.
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
    begin, used = time.perf_counter(), time.process_time()
    for _ in range(steps):
        envs.step(actions)
    seconds, used = time.perf_counter() - begin, time.process_time() - used
    print(agents * worlds * steps / seconds, agents * worlds * steps / used, flush=True)
