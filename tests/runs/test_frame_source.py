"""FrameSource: a class of the user's own is filmed, drawn, replayed and measured."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import murmurate as mm

MODEL = mm.Model(
    name="turning", space={"size": [4, 4]}, flocks={"boids": {"count": 3}},
    view={"steps": 6, "every": 2, "warm_up": 2, "size": [64, 64], "trails": 2},
)  # fmt: skip


class Turning(mm.FrameSource):
    """Three boids equally spaced on a circle, 0.1 radians a step."""

    def __init__(self, model: mm.Model = MODEL) -> None:
        self.model, self.number = model, 0

    @property
    def frame(self) -> mm.Frame:  # type: ignore[override]
        angles = 0.1 * self.number + np.arange(3) * 2 * np.pi / 3
        circle = np.stack([np.cos(angles), np.sin(angles)], axis=1)
        flock = mm.measures.of_arrays(circle + 2, circle[:, ::-1] * (-1, 1), self.model.space)
        return mm.Frame(self.number, self.number * 0.1, self.model.space, {"boids": flock})

    def step(self, steps: int = 1) -> Turning:
        self.number += steps
        return self


def test_a_class_of_the_users_own_is_shown_and_measured(tmp_path: Path) -> None:
    source = Turning()
    report = mm.film(source, tmp_path / "a.gif")
    assert report.frames == 3 and report.last_frame.step == 6 and source.number == 0
    assert mm.film(source.step(5), tmp_path / "b.gif").last_frame.step == 11  # from its frame
    assert mm.still(source, tmp_path / "c.png", at=9).read_bytes()[:4] == b"\x89PNG"
    page = mm.replay_page(source, steps=8, view=mm.View(warm_up=4))
    assert page.frames == 4 and page.last_frame.step == 5 + 4 + 8
    table = mm.measure(source, ["milling", "polarization"], mm.RunSpec(steps=20, every=5))
    assert table["milling"].value == pytest.approx(1.0) and table.frames == 4
    assert table.frame_range == "steps 4 to 20, every 5" and source.number == 5 + 4 + 15
    for arguments in ({"seed": 1}, {"options": mm.RunOptions(threads=1)}):
        with pytest.raises(mm.ModelError, match="got them for a Turning; expected them for a"):
            mm.film(source, tmp_path / "d.gif", **arguments)
    with pytest.raises(mm.ModelError, match="got a Turning; expected a model or a recording"):
        mm.watch(source, block=False, open_browser=False)


def test_its_file_is_never_overwritten(tmp_path: Path) -> None:
    source = Turning()
    source.files = (tmp_path / "data.gif",)
    source.files[0].write_text("data")
    with pytest.raises(mm.OutputError, match=r"is the input .* never replaced"):
        mm.film(source, source.files[0], force=True)
    assert source.files[0].read_text() == "data"


def test_frames_of_the_users_own_are_exported(tmp_path: Path) -> None:
    source = Turning().step(5)
    steps = {"first_step": 6, "last_step": 12, "every": 3}
    exported = mm.export(source, tmp_path / "a.npz", **steps)
    assert (exported.frames, exported.boids, source.number) == (3, 3, 5)
    arrays = np.load(tmp_path / "a.npz")
    assert arrays["step"].tolist() == [6, 9, 12]
    expected = [Turning().step(step).frame["boids"].positions for step in (6, 9, 12)]
    assert np.array_equal(arrays["position"], expected)
    for wrong in ({"first_step": 4}, {"first_step": 8, "last_step": 7}):
        with pytest.raises(mm.ExportOptionsError, match="expected steps from 5 on"):
            mm.export(source, tmp_path / "b.csv", **wrong)
    with pytest.raises(mm.ModelError, match="every: got 0"):
        mm.export(source, tmp_path / "b.csv", every=0)
    source.files = (tmp_path / "data.csv",)
    with pytest.raises(mm.OutputError, match="never replaced"):
        mm.export(source, source.files[0], force=True)


@pytest.mark.slow
def test_a_simulation_is_filmed_from_its_frame(tmp_path: Path) -> None:
    simulation = mm.Simulation("ucl", engine="reference").step(7)
    view = mm.View(steps=4, every=2, size=(64, 64))
    assert mm.film(simulation, tmp_path / "a.gif", view=view).last_frame.step == 11
    assert simulation.step_number == 7
