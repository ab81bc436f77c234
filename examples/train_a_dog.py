"""Train a dog to herd sheep, score it beside the published rule, and let it live in a page.

The trainer is PPO of Stable-Baselines3: pip install "murmurate[rl]" stable-baselines3
"""

import os

import numpy as np

import murmurate as mm
from murmurate.environments import (
    Task,
    VectorEnv,
    own_rules,
    play,
    save_policy,
    score,
    standard_task,
)  # fmt: skip

STEPS = int(os.environ.get("STEPS", "1000000"))  # decisions of dogs in all worlds together
WORLDS = 128
SCALE = 50.0  # of lengths, so that what the network sees is about 1

task = standard_task("shepherd")


def potential(worlds: mm.Worlds, flock: str) -> np.ndarray:
    """Return (E,): how near the sheep are to the corner, and the dog to a point behind them.

    A gain of it rewards the dog in training. The score knows the sheep alone.
    """
    sheep, dog = worlds["sheep"].positions.mean(axis=1), worlds[flock].positions[:, 0]
    distance = np.linalg.norm(sheep, axis=1)  # the corner is at 0
    behind = np.minimum(sheep * (1.0 + 12.0 / distance)[:, None], 148.0)
    return -0.05 * (distance + 0.5 * np.linalg.norm(dog - behind, axis=1))


def lessons() -> Task:
    """Return the task with dogs that start anywhere, and shorter episodes."""
    starts = {
        "flocks.dog.start.lower": (0.0, 0.0),
        "flocks.dog.start.upper": (150.0, 150.0),
        "flocks.sheep.start.lower": (30.0, 30.0),
    }
    return Task(
        task.model.set(starts), task.agents, task.observations, task.action, potential,
        endings=task.endings, decisions=300,
    )  # fmt: skip


def trained(steps: int):
    """Return a trained PPO."""
    import gymnasium
    import torch
    from stable_baselines3 import PPO
    from stable_baselines3.common.vec_env import VecEnv

    class Dogs(VecEnv):
        """All worlds as an environment of Stable-Baselines3. A reward is a gain of potential."""

        def __init__(self) -> None:
            self.envs = VectorEnv(lessons(), WORLDS, autoreset_mode="SameStep")
            columns, limits = len(task.columns), gymnasium.spaces.Box(-1.0, 1.0, (2,))
            seen = gymnasium.spaces.Box(-np.inf, np.inf, (columns,))
            super().__init__(WORLDS, seen, limits)

        def reset(self) -> np.ndarray:
            self.before = np.full(WORLDS, np.nan)
            return self.envs.reset(seed=self._seeds[0])[0][:, 0] / SCALE

        def step_async(self, actions: np.ndarray) -> None:
            self.actions = actions

        def step_wait(self):
            actions = task.action.limit * np.clip(self.actions, -1.0, 1.0)[:, None]
            seen, values, terminated, truncated, more = self.envs.step(actions)
            gains, done = np.nan_to_num(values - self.before), terminated | truncated
            self.before = np.where(done, np.nan, values)
            infos = [{} for _ in range(WORLDS)]
            for world in np.flatnonzero(done):
                infos[world]["terminal_observation"] = more["final_obs"][world][0] / SCALE
                infos[world]["TimeLimit.truncated"] = bool(truncated[world])
            return seen[:, 0] / SCALE, gains.astype(np.float32), done, infos

        def close(self) -> None: ...

        def get_attr(self, name, indices=None):
            return [None] * WORLDS

        def set_attr(self, name, value, indices=None) -> None: ...

        def env_method(self, name, *arguments, indices=None, **options):
            return [None] * WORLDS

        def env_is_wrapped(self, wrapper, indices=None):
            return [False] * WORLDS

    torch.set_num_threads(1)  # threads would wait for each other: the networks are small
    ppo = PPO(
        "MlpPolicy", Dogs(), lambda left: 1e-3 * max(left, 0.0), seed=1, device="cpu",
        n_steps=64, batch_size=1024, n_epochs=4,
        policy_kwargs={"net_arch": [64, 64], "log_std_init": -0.5},
    )  # fmt: skip
    return ppo.learn(steps)


def model_of(file: str | os.PathLike[str]) -> mm.Model:
    """Return sheep, and a dog that follows a policy file."""
    about = """
The sheep flee from the dog, and follow each other. The dog is a small neural network, which has
learned from a million situations.
"""
    dog = mm.Policy.from_file(file, moves="dog")
    return mm.load("strombom-2014").set(
        {
            "title": "A dog that has learned to herd sheep", "about": about,
            "flocks.sheep.count": 30, "rules.herd": dog,
        }
    )  # fmt: skip


def main() -> None:
    try:
        import stable_baselines3  # noqa: F401
        import torch
    except ImportError:
        print("This example needs a trainer: pip install stable-baselines3")
        return
    ppo = trained(STEPS)

    def policy(observations: np.ndarray) -> np.ndarray:
        """Map observations (E, 1, columns) to actions (E, 1, 2)."""
        actions = ppo.predict(observations[:, 0] / SCALE, deterministic=True)[0]
        return task.action.limit * np.clip(actions, -1.0, 1.0)[:, None]

    nets = (*ppo.policy.mlp_extractor.policy_net, ppo.policy.action_net)
    layers = [[net.weight, net.bias] for net in nets if isinstance(net, torch.nn.Linear)]
    layers[0][0] = layers[0][0] / SCALE  # the rule sees lengths as they are
    layers[-1] = [task.action.limit * numbers for numbers in layers[-1]]
    save_policy("dog.npz", task, layers, activation="tanh", output="clip", force=True)

    model = model_of("dog.npz")
    as_rule = Task(
        model, task.agents, task.observations, task.action, task.reward,
        endings=task.endings, decisions=task.decisions,
    )  # fmt: skip
    result = score(task, policy)
    returns = {
        "random actions": result.random_returns,
        "the published rule": result.rule_returns,
        "the trained policy": result.returns,
        "the same as a rule": play(as_rule, own_rules(as_rule), seeds=10),
    }
    for name, values in returns.items():
        print(f"{name:20} {values.mean():7.1f}")
    print(f"score of the policy: {result.mean:.2f} ({result.low:.2f} to {result.high:.2f})")
    mm.live_page(model, "dog.html", force=True)


if __name__ == "__main__":
    main()
