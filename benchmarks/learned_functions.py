"""Interaction functions learned from tracks of flocks whose functions are known.

    python benchmarks/learned_functions.py [--only NAME ...] [--json FILE]

Eight published models, at three levels of errors of positions, in parts of the mean step between
frames, with one in a hundred positions missing and two animals swapped half way. Printed for each
function:

    error      root mean square difference from the model's over its root mean square value, means
               over the pairs of the tracks
    coverage   part of the distances at which the 95% band contains the model's; the goal is 90-98%
    ratio      error over that of a force map, the mean turn or acceleration by distance and angle
               (Katz et al. 2011, doi:10.1073/pnas.1107583108), of the same tracks without jumps,
               smoothed over 17 frames where motion is smooth, and at kicks where animals kick;
               the goal is 0.5
    known      part of the distances at which the tracks tell the function

The truth is a step of the model with one neighbour, `murmurate.interactions.probe_response`.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from result_file import Results, add_json_option
from scipy.signal import savgol_filter

import murmurate as mm
from murmurate.bench.timing import describe_machine
from murmurate.interactions import LearnedInteractions, probe_response
from murmurate.interactions.basis import Basis
from murmurate.interactions.followed import Group
from murmurate.interactions.kicks import with_glides
from murmurate.model.number_table import pack_table
from murmurate.rules.learned import TERMS, Learned

NOISES = (0.0, 0.05, 0.1)  # errors of positions, over the mean distance between frames
MISSING = 0.01
BINS, SECTORS = 12, 6  # of force maps, in distance and in angle
ANGLES = (np.arange(8) + 0.5) * 180 / 8
AROUND = np.concatenate([ANGLES, -ANGLES])
START = mm.InBox(velocity=mm.Directions(speed=1.0))
Curves = dict[str, np.ndarray]


@dataclass(frozen=True)
class Case:
    """A model and its tracks.

    model  with noise; `quiet` are the settings that remove it
    motion  as it should be found
    radius  of the responses that are learned
    worlds, frames, warm_up  flocks, frames of each and frames before them
    is_unclear  whether tracks do not tell the motion, so that it must be given
    steps  of the model in a frame, since its functions are those of continuous time where motion
        is smooth
    """

    model: mm.Model
    motion: str
    radius: float
    quiet: Mapping[str, Any]
    worlds: int
    frames: int
    warm_up: int = 50
    steps: int = 1
    is_unclear: bool = False


def cases() -> dict[str, Callable[[], Case]]:
    return {
        "couzin-2002": _couzin,
        "vicsek-1995, weighted": _vicsek,
        "dorsogna-2006": _dorsogna,
        "strombom-2014, repulsion": _strombom,
        "jolles-2017": _jolles,
        "wang-2025": _wang,
        "cucker-smale": _cucker_smale,
        "gregoire-chate": _gregoire_chate,
    }


def _boids(name: str, **settings: Any) -> mm.Model:
    return mm.load(name).set({f"flocks.boids.{key}": value for key, value in settings.items()})


def _couzin() -> Case:
    """Pairs that meet, since several neighbours turn an animal no faster than one."""
    model = _boids("couzin-2002", count=2)
    quiet = {"flocks.boids.motion.noise": 0.0}
    return Case(model, "smooth", 16.0, quiet, 150, 120, 0, is_unclear=True)


def _vicsek() -> Case:
    """The weight of a neighbour falls from 2 to 0 with its distance, by a table."""
    distances = np.linspace(0.0, 1.0, 81)
    table = np.zeros((81, TERMS))
    for column in (4, 8, 12):
        table[:, column] = 2.0 * (1.0 - distances)
    rule = Learned(radius=1.0, table=pack_table(table.ravel()), speed=0.03, drive=(1.0, 1.0))
    model = _boids("vicsek-1995", **{"count": 60, "motion.noise": 1.5, "motion.speed": 0.03})
    model = model.model_copy(update={"rules": {"weighted": rule}})
    model = model.set({"space.size": [4.0, 4.0]})
    return Case(model, "steps", 1.0, {"flocks.boids.motion.noise": 0.0}, 6, 400)


def _dorsogna() -> Case:
    model = _boids("dorsogna-2006", count=30)
    return Case(model.set({"dt": model.dt / 10}), "smooth", 9.0, {}, 4, 600, 100, steps=10)


def _strombom() -> Case:
    """Sheep alone that repel each other and keep their heading, with the model's weights."""
    rules = mm.load("strombom-2014").rules
    sheep = mm.load("strombom-2014").flocks["sheep"].model_copy(update={"count": 20})
    model = mm.Model(
        space=mm.Space(size=(28.0, 28.0), boundary="periodic"),
        flocks={"sheep": sheep.model_copy(update={"start": START})},
        rules={
            name: rules[name].model_copy(update={"level": 1, "wakes": False})
            for name in ("apart", "keep-heading", "noise")
        },
    )
    return Case(model, "steps", 4.0, {"rules.noise.weight": 0.0}, 8, 500)


def _jolles() -> Case:
    """Pairs that meet: see above."""
    model = _boids("jolles-2017", count=2)
    quiet = {"flocks.boids.motion.noise": 0.0, "rules.goal.weight": 0.05}
    return Case(model, "steps", 15.0, quiet, 150, 160, 0, is_unclear=True)


def _wang() -> Case:
    """Pairs, since an animal responds to one neighbour, at frames close enough to tell kicks."""
    quiet = {"rules.noise.weight": 0.0}
    model = _boids("wang-2025", count=2)
    return Case(model.set({"dt": model.dt / 2}), "kicks", 4.0, quiet, 60, 1000, 100)


def _cucker_smale() -> Case:
    """One flock. A weight is divided by the number of boids, which is 2 where it is probed."""
    zoo = mm.load("cucker-smale")
    rule = zoo.rules["alignment"].model_copy(update={"moves": "left", "senses": "left"})
    model = zoo.model_copy(
        update={"flocks": {"left": zoo.flocks["left"]}, "rules": {"alignment": rule}}
    ).set({
        "dt": zoo.dt / 10, "flocks.left.count": 24, "flocks.left.start.velocity.spread": 1.5,
        "rules.alignment.exponent": 1.0, "rules.alignment.weight": 6.0,
    })  # fmt: skip
    return Case(model, "smooth", 8.0, {"rules.alignment.weight": 0.5}, 16, 150, 0, 10)


def _gregoire_chate() -> Case:
    model = _boids("gregoire-chate", count=72).set({"space.size": [7.0, 7.0]})
    return Case(model, "steps", 1.5, {"rules.vectorial-noise.weight": 0.0}, 6, 400)


def simulate(case: Case) -> np.ndarray:
    """Return positions in each flock, (E, T, N, D)."""
    worlds = mm.Worlds(case.model, case.worlds, seed=7, dtype="float64")
    worlds.step(case.steps * case.warm_up)
    frames = []
    for _ in range(case.frames):
        step = worlds.step(case.steps)
        frames.append(np.concatenate([step[name].positions for name in case.model.flocks], axis=1))
    return np.moveaxis(np.array(frames), 0, 1)


def tracked(case: Case, positions: np.ndarray, noise: float) -> list[mm.Tracks]:
    """Return tracks with errors, gaps and swaps."""
    rng = np.random.default_rng(3)
    space = case.model.space
    moves = space.minimum_image(np.diff(positions, axis=1))
    size = noise * float(np.linalg.norm(moves, axis=3).mean())
    seen = positions + size * rng.standard_normal(positions.shape)
    middle = positions.shape[1] // 2
    seen[:, middle:, [0, 1]] = seen[:, middle:, [1, 0]].copy()
    seen[rng.random(seen.shape[:3]) < MISSING] = np.nan
    rate = 1.0 / (case.steps * case.model.dt)
    return [mm.Tracks(group, rate, space=space) for group in seen]


def truth(case: Case, distances: np.ndarray, learned: LearnedInteractions) -> Curves:
    """Return the model's curves, as `LearnedInteractions.curves` defines them."""
    model, speed = case.model.set(case.quiet), learned.basis.speed
    if case.motion == "smooth":
        model = model.set({"dt": model.dt / 5})
    dt = model.dt
    scale = speed / dt if case.motion == "smooth" else 1.0

    def mean(bearing: np.ndarray, heading: np.ndarray, part: int) -> np.ndarray:
        """Of the directions in which neighbours were seen."""
        r, b, h = np.meshgrid(distances, bearing, heading, indexing="ij")
        both = probe_response(model, r.ravel(), b.ravel(), h.ravel(), speed=speed)
        response = scale * both[0].reshape(r.shape)
        if part:
            response = both[1].reshape(r.shape) / dt * np.sign(np.cos(np.radians(b)))
        by_bearing = np.array([learned.seen(distances, a) for a in bearing]).T
        by_heading = np.array([learned.seen(distances, None, a) for a in heading]).T
        weights = by_bearing[:, :, None] & (by_heading[:, None, :] | bool(part))
        return np.asarray(
            (weights * response).sum(axis=(1, 2)) / np.maximum(weights.sum(axis=(1, 2)), 1)
        )

    out = {"towards": mean(ANGLES, AROUND, 0), "alignment": mean(AROUND, ANGLES, 0)}
    if case.motion == "smooth":
        out["approach"] = mean(AROUND, np.zeros(1), 1)
    return out


def smoothed(positions: np.ndarray) -> np.ndarray:
    """Return positions (T, N, D) smoothed over 17 frames; gaps of single frames are filled."""
    filled = positions.copy()
    middle = (positions[2:] + positions[:-2]) / 2
    filled[1:-1] = np.where(np.isfinite(positions[1:-1]), positions[1:-1], middle)
    return np.asarray(savgol_filter(filled, 17, 3, axis=0, mode="constant", cval=np.nan))


def force_map(case: Case, tracks: list[mm.Tracks], distances: np.ndarray) -> Curves:
    """Return mean turns or accelerations by distance, means over sectors of directions."""
    basis = Basis(case.radius, None, False, BINS, "distance", 1.0, (0.0, 1.0))
    sums = {name: np.zeros((2, BINS, SECTORS)) for name in ("towards", "alignment", "approach")}
    for track in tracks:
        group = Group.of(track, np.arange(track.positions.shape[1]))
        positions = group.positions
        if case.motion == "smooth":
            positions = smoothed(positions)
        moves = np.diff(positions, axis=0)
        if case.motion == "kicks":
            glides = with_glides(group)
            moves = glides.headings
        before, after = moves[:-1] * track.rate, moves[1:] * track.rate
        pairs, _ = basis.pairs(positions[1:-1], before, track.space)
        change = ((after - before) * track.rate).reshape(-1, before.shape[2])[pairs.rows]
        next_ = after.reshape(-1, after.shape[2])[pairs.rows]
        e = pairs.headings
        across = change - _dot(change, e)[:, None] * e
        if case.motion != "smooth":
            left = next_ - _dot(next_, e)[:, None] * e
            size = np.maximum(np.linalg.norm(left, axis=1), 1e-12)
            across = left / size[:, None] * np.arctan2(size, _dot(next_, e))[:, None]
        if case.motion == "kicks":
            across[~glides.kicks[1:-1].reshape(-1)[pairs.rows]] = np.nan
        bins = np.minimum((pairs.distances / case.radius * BINS).astype(int), BINS - 1)
        for name, vectors in (
            ("towards", pairs.directions), ("alignment", pairs.velocities), ("approach", e),
        ):  # fmt: skip
            cosines = _dot(pairs.directions if name == "approach" else vectors, e)
            cosines /= np.linalg.norm(vectors, axis=1)
            sides = vectors - _dot(vectors, e)[:, None] * e
            sides /= np.maximum(np.linalg.norm(sides, axis=1), 1e-12)[:, None]
            values = _dot(across, sides)
            if name == "approach":
                values = _dot(change, e) * np.sign(cosines)
            sectors = (np.arccos(np.clip(cosines, -1, 1)) / np.pi * SECTORS).astype(int)
            sectors = np.minimum(sectors, SECTORS - 1)
            known = np.isfinite(values)
            at = (bins[known], sectors[known])
            np.add.at(sums[name][0], at, values[known])
            np.add.at(sums[name][1], at, 1.0)
    bins = np.minimum((distances / case.radius * BINS).astype(int), BINS - 1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a distance without pairs
        means = {name: np.nanmean(total / number, axis=1) for name, (total, number) in sums.items()}
    return {name: mean[bins] for name, mean in means.items()}


def _dot(vectors: np.ndarray, others: np.ndarray) -> np.ndarray:
    return np.asarray(np.einsum("pd,pd->p", vectors, others))


@dataclass(frozen=True)
class Verdict:
    """How well functions were recovered: see the top of this file."""

    error: float
    coverage: float
    ratio: float
    known: float


def judge(case: Case, learned: LearnedInteractions, tracks: list[mm.Tracks]) -> Verdict:
    """Compare all curves with the model's, together."""
    curves = learned.curves()
    distances = curves["towards"].x
    true, maps = truth(case, distances, learned), force_map(case, tracks, distances)
    design = learned.basis.splines(learned.basis.terms[0], distances).toarray()
    pairs = design @ learned.visits[:, 0].sum(axis=(0, 1))
    squares, inside, known = np.zeros(3), [], []
    for name, expected in true.items():
        curve = curves[name]
        told = curve.is_known
        known.append(told.mean())
        inside.append(((curve.lower <= expected) & (expected <= curve.upper))[told])
        for k, value in enumerate((curve.value, np.nan_to_num(maps[name]), np.zeros(len(told)))):
            squares[k] += (pairs * np.square(value - expected))[told].sum()
    error, other, size = np.sqrt(squares)
    return Verdict(
        error / size, float(np.concatenate(inside).mean()), error / other, float(np.mean(known))
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", choices=list(cases()), default=list(cases()))
    parser.add_argument("--noise", nargs="+", type=float, default=NOISES)
    add_json_option(parser)
    arguments = parser.parse_args()
    results = Results("learned_functions", arguments.json)
    warnings.simplefilter("ignore", UserWarning)
    print(describe_machine())
    for name in arguments.only:
        case = cases()[name]()
        positions = simulate(case)
        for noise in arguments.noise:
            tracks = tracked(case, positions, noise)
            begin = time.perf_counter()
            motion = case.motion if case.is_unclear else "auto"
            learned = mm.learn_interactions(tracks, radius=case.radius, motion=motion)
            seconds = time.perf_counter() - begin
            if learned.basis.motion != case.motion:
                raise SystemExit(f"{name}: motion is taken for another than {case.motion!r}")
            verdict = judge(case, learned, tracks)
            print(
                f"{name}, errors of {noise:.0%}: error {verdict.error:.1%}, coverage "
                f"{verdict.coverage:.1%}, {verdict.ratio:.2f} of the force map's, "
                f"{verdict.known:.0%} known, {seconds:.0f} s", flush=True,
            )  # fmt: skip
            what = f"{name}, errors of {noise:.0%}"
            results.add(f"{what}: error", verdict.error, "of the function", "lower")
            results.add(f"{what}: coverage", verdict.coverage, "of distances", "higher")
            results.add(f"{what}: ratio", verdict.ratio, "of the force map's error", "lower")
            results.add(f"{what}: known", verdict.known, "of distances", "higher")
        results.write()


if __name__ == "__main__":
    main()
