"""The standard tasks can be told from chance, and their rules are the published ones."""

from __future__ import annotations

import numpy as np
import pytest

import murmurate as mm
from murmurate.environments import score, standard_task
from murmurate.environments.scores import own_rules, play, random_policy
from murmurate.environments.standard_tasks import TASKS


@pytest.mark.parametrize("name", [task.name for task in TASKS])
def test_a_task_is_its_published_flock_with_a_command(name: str) -> None:
    task, own = standard_task(name), next(task for task in TASKS if task.name == name)
    published = mm.load(own.model).set(dict(own.changes))
    assert {k: r for k, r in task.model.rules.items() if k != "command"} == dict(published.rules)
    assert task.model.flocks == published.flocks


def test_an_unknown_task() -> None:
    with pytest.raises(mm.ModelError, match="did you mean 'shepherd'"):
        standard_task("shepard")


@pytest.mark.slow
@pytest.mark.parametrize("name", [task.name for task in TASKS])
def test_rules_do_better_than_chance(name: str) -> None:
    """By more than the spread of five episodes, with seeds that the table does not use."""
    task = standard_task(name)
    rule, chance = play(task, own_rules(task), 5), play(task, random_policy(task, 1), 5)
    assert rule.mean() - chance.mean() > 2 * (rule.std() + chance.std())


@pytest.mark.slow
def test_scores_of_the_two_policies_that_define_them() -> None:
    task = standard_task("gate")
    rule = score(task, own_rules(task), 3)
    assert rule.mean == pytest.approx(1.0) and rule.low <= 1.0 <= rule.high
    chance = score(task, random_policy(task), 3)
    assert chance.mean == pytest.approx(0.0, abs=1e-9)
    assert np.array_equal(rule.rule_returns, rule.returns)
