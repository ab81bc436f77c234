"""Order of phases and of phase waves, against values known by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import murmurate as mm
from murmurate.errors import MeasureError
from murmurate.frame import FlockFrame
from murmurate.measures import of_arrays, phase_order, phase_wave

COUNT = 60
AZIMUTHS = 2 * np.pi * np.arange(COUNT) / COUNT


def with_phases(phases: np.ndarray, centre: float = 3.0, dims: int = 2) -> FlockFrame:
    """Boids on a circle with these phases."""
    positions = np.zeros((len(phases), dims))
    azimuths = AZIMUTHS[: len(phases)]
    positions[:, 0], positions[:, 1] = centre + np.cos(azimuths), centre + np.sin(azimuths)
    flock = of_arrays(positions, np.zeros_like(positions))
    return replace(flock, memory=np.array(phases)[:, None], state_names=("rules.a.phase",))


def test_equal_phases_are_in_order_and_no_wave() -> None:
    flock = with_phases(np.full(COUNT, 2.0))
    assert phase_order(flock) == pytest.approx(1.0)
    assert phase_wave(flock) == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize(("sign", "sense"), [(1.0, "rising"), (-1.0, "falling")])
def test_phases_that_go_with_azimuths_are_a_wave(sign: float, sense: str) -> None:
    flock = with_phases(sign * AZIMUTHS + 0.7)
    assert phase_wave(flock) == pytest.approx(1.0)
    assert phase_order(flock) == pytest.approx(0.0, abs=1e-12)
    for other in ("rising", "falling"):
        expected = 1.0 if other == sense else 0.0
        assert phase_wave(flock, sense=other) == pytest.approx(expected, abs=1e-12)  # type: ignore[arg-type]


def test_two_opposite_phases_cancel() -> None:
    assert phase_order(with_phases(np.tile([0.0, np.pi], 30))) == pytest.approx(0.0, abs=1e-12)
    assert phase_order(with_phases(np.tile([0.0, np.pi / 2], 30))) == pytest.approx(np.sqrt(0.5))


def test_empty_flocks_and_single_boids() -> None:
    assert np.isnan(phase_order(with_phases(np.zeros(0))))
    assert np.isnan(phase_wave(with_phases(np.zeros(0))))
    assert phase_order(with_phases(np.array([4.0]))) == pytest.approx(1.0)


def test_another_number_may_be_the_phase() -> None:
    flock = replace(with_phases(AZIMUTHS), state_names=("rules.a.angle",))
    assert phase_wave(flock, trait="angle") == pytest.approx(1.0)
    with pytest.raises(MeasureError, match=r"^trait: got 'phase'; expected one name of flock .*"
                       r"rules.a.angle"):  # fmt: skip
        phase_wave(flock)


def test_refusals() -> None:
    assert phase_wave(with_phases(AZIMUTHS, dims=3)) == pytest.approx(1.0)
    assert phase_order(with_phases(AZIMUTHS, dims=3)) == pytest.approx(0.0, abs=1e-12)
    with pytest.raises(MeasureError, match="sense: got 'up'; expected one of 'either', 'falling'"):
        phase_wave(with_phases(AZIMUTHS), sense="up")  # type: ignore[arg-type]
    plain = mm.Simulation("vicsek-1995", seed=1).frame["boids"]
    with pytest.raises(MeasureError, match=r"expected one name of flock 'boids': none"):
        phase_order(plain)
