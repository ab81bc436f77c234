"""The default measures: one list that recordings, tables, pages and sweeps read."""

from __future__ import annotations

import math

import pytest

import murmurate as mm
from murmurate.cli.terminal import make_measures_table
from murmurate.measures import MEASURES, defaults
from murmurate.measures.defaults import SMALL_FLOCK
from murmurate.record.header import make_header, recorded_measures
from murmurate.show.replay import ReplayBuilder
from murmurate.show.scene import scene
from murmurate.sweeps.sweep_plan import SweepPlan

FLOCK = mm.Model(space={"size": [10, 10]}, flocks={"boids": {"count": 5}, "lone": {"count": 1}})


def test_defaults_are_in_the_table_of_measures():
    for measure in defaults.DEFAULTS:
        assert MEASURES[measure.name].function is measure.function
        assert MEASURES[measure.name].kind == "number"
        assert MEASURES[measure.name].unit == measure.unit.replace(" ", "")


def test_values_of_every_flock():
    frame = mm.Simulation(FLOCK, engine="reference").frame
    values = defaults.default_values(frame)
    assert list(values) == ["boids", "lone"]
    assert values["boids"]["speed"] == mm.measures.speed(frame["boids"])
    assert math.isnan(values["lone"]["nearest_neighbour_distance"])


def test_recordings_tables_pages_and_sweeps_have_the_same():
    simulation = mm.Simulation(FLOCK, engine="reference")
    frame = simulation.frame
    table = make_measures_table(defaults.default_values(frame))
    labels = [str(column.header) for column in table.columns]
    assert labels == ["flock", *(measure.label for measure in defaults.SHOWN)]
    head = make_header(FLOCK, frame, seed=0, every=1, dtype="float32")
    assert tuple(head["measures"]) == defaults.NAMES == SweepPlan.measures
    builder = ReplayBuilder()
    builder.add(frame)
    replay = builder.build(FLOCK).head
    assert tuple(replay["measures"]["boids"]) == defaults.NAMES
    charts = replay["scene"]["charts"]
    assert charts == scene(FLOCK, FLOCK, 0, 0.0)["charts"]
    assert [chart["name"] for chart in charts] == [measure.name for measure in defaults.SHOWN]
    assert all(chart["label"] and chart["unit"] and chart["about"] for chart in charts)


@pytest.mark.parametrize("boids", [SMALL_FLOCK, SMALL_FLOCK + 1])
def test_large_recordings_leave_out_what_is_costly(boids):
    recorded = [measure.name for measure in recorded_measures(boids)]
    assert ("nearest_neighbour_distance" in recorded) == (boids <= SMALL_FLOCK)
    assert {"polarization", "milling", "speed"} <= set(recorded)
