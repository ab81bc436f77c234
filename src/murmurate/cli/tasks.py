"""murmurate tasks: tasks for learners, and the returns of random actions and of rules."""

from __future__ import annotations

import json as json_text
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from murmurate.cli.engine_flags import OwnOptions, chosen
from murmurate.cli.options import EngineName
from murmurate.cli.terminal import print_line
from murmurate.errors import CommandError

if TYPE_CHECKING:
    import numpy as np

    from murmurate.engines.options import RunOptions

COLUMNS = ("task", "published flock", "agents", "random: 0", "rule: 1", "about")


@dataclass(frozen=True)
class Row:
    """A task in the table: returns of an episode, means over agents, and half their 95% bands."""

    task: str
    flock: str
    agents: int
    random: float
    random_band: float
    rule: float
    rule_band: float
    about: str


def tasks(
    *names: str,
    seeds: int = 10,
    engine: EngineName = "cpu",
    own: OwnOptions | None = None,
    json: bool = False,
) -> None:
    """List tasks for learners, with the returns of random actions and of published rules.

    Each task is played with random actions and with its published rule. A score is 0 for the mean
    return of random actions and 1 for that of the rule; the bands are 95% confidence intervals of
    the means. Learners use the tasks by Gymnasium and PettingZoo, which the extra rl installs.

    For instance:

        murmurate tasks
        murmurate tasks shepherd --seeds 30

    Parameters
    ----------
    names
        Tasks; all unless given.
    seeds
        Episodes of each policy, at least 2.
    json
        Print them as JSON.
    """
    from murmurate.engines.options import RunOptions
    from murmurate.environments.standard_tasks import TASKS, standard_task

    options = RunOptions(chosen(engine, own))
    if seeds < 2:
        raise CommandError(f"--seeds: got {seeds}; expected at least 2")
    for name in names:
        standard_task(name)
    listed = [task for task in TASKS if not names or task.name in names]
    rows = [_play(task.name, task.model, task.about, seeds, options) for task in listed]
    if json:
        print_line(json_text.dumps([asdict(row) for row in rows], indent=2))
        return
    from murmurate.tables import to_lines

    cells = [
        (
            row.task, row.flock, str(row.agents), f"{row.random:.1f} ± {row.random_band:.1f}",
            f"{row.rule:.1f} ± {row.rule_band:.1f}", row.about,
        )
        for row in rows
    ]  # fmt: skip
    for line in to_lines(COLUMNS, cells):
        print_line(line)


def _play(name: str, flock: str, about: str, seeds: int, options: RunOptions) -> Row:
    from murmurate.environments.scores import half_width, own_rules, play, random_policy
    from murmurate.environments.standard_tasks import standard_task

    task = standard_task(name)

    def played(returns: np.ndarray) -> tuple[float, float]:
        return float(returns.mean()), half_width(returns)

    agents = task.model.flocks[task.agents].count
    chance = played(play(task, random_policy(task), seeds, options))
    rule = played(play(task, own_rules(task), seeds, options))
    return Row(name, flock, agents, *chance, *rule, about)
