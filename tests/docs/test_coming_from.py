"""What pages for newcomers from other programs say that these do, in plain NumPy."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
from page_blocks import ROOT, blocks

import murmurate as mm


def test_mesas_flockers_steer_as_mesas_do(tmp_path: Path) -> None:
    """Mesa 3.3.1, boid_flockers: (cohere * sum of d - separate * sum of d of the close ones +
    match * sum of headings) / number of neighbours, where d leads to a neighbour."""
    page = ROOT / "docs" / "coming-from" / "mesa.md"
    (code,) = (block.text for block in blocks(page) if "flockers = " in block.text)
    file = tmp_path / "mesas_flockers.py"
    file.write_text(code.partition("\nsim = ")[0], encoding="utf-8")
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None and spec.loader is not None
    said = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(said)

    places = np.array([[50.0, 50.0], [51.0, 50.5], [50.0, 51.5], [54.0, 53.0], [45.0, 52.0]])
    angles = np.array([0.3, 1.2, 2.6, -0.8, -2.0])
    headings = np.column_stack([np.cos(angles), np.sin(angles)])
    model = said.flockers.set({"flocks.boids.count": 5, "order": "synchronous"})
    flown = mm.Simulation(
        model, engine="reference", dtype="float64", start={"boids": (places, headings)}
    ).step(1)

    ways = places[None] - places[:, None]
    distances = np.linalg.norm(ways, axis=2)
    others = ~np.eye(5, dtype=bool)
    near, close = others & (distances < 10), others & (distances < 2)
    assert 0 < close.sum() < near.sum()
    push = 0.03 * np.einsum("ij,ijk->ik", near, ways) + 0.05 * (near @ headings)
    push -= 0.015 * np.einsum("ij,ijk->ik", close, ways)
    expected = headings + push / near.sum(axis=1, keepdims=True)
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    np.testing.assert_allclose(flown.frame["boids"].velocities, expected, atol=1e-12)
