"""Register the standard tasks with Gymnasium."""

from __future__ import annotations

from typing import Any

NAMES = ("flock", "lead", "shepherd", "evade", "gate", "cover")
"""Names of the standard tasks; their ids are 'murmurate/flock-v0' and so on."""


def register_tasks() -> None:
    """Register the tasks. Raises ImportError without Gymnasium."""
    import gymnasium

    for name in NAMES:
        gymnasium.register(
            f"murmurate/{name}-v0", f"{__name__}:make",
            vector_entry_point=f"{__name__}:make_vector", kwargs={"task": name},
        )  # fmt: skip


def make(task: str, **options: Any) -> Any:
    """Return one world of a standard task: see Env."""
    from murmurate.environments.standard_tasks import standard_task
    from murmurate.environments.vector_env import Env

    return Env(standard_task(task), **options)


def make_vector(task: str, num_envs: int = 1, **options: Any) -> Any:
    """Return many worlds of a standard task: see VectorEnv."""
    from murmurate.environments.standard_tasks import standard_task
    from murmurate.environments.vector_env import VectorEnv

    return VectorEnv(standard_task(task), num_envs, **options)
