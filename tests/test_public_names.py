"""The public names of `murmurate`, and old ones that moved."""

from __future__ import annotations

import ast
import builtins
import pkgutil
import warnings
from pathlib import Path

import pytest

import murmurate as mm
from murmurate import measures

AT_THE_TOP = {"polarization", "milling", "nearest_neighbour_distance"}
# What 0.1.0 had at the top, and is a measure or belongs to one.
MOVED = """
Curve Estimate MEASURES absolute_milling algebraic_connectivity angular_momentum anisotropy
aspect_ratio asphericity autocorrelation autocorrelation_time bearings binder_cumulant
border_to_core captures clark_evans cluster_count cluster_size_distribution cluster_sizes clusters
collisions correlation_length density distance_to_centre elongation_along_motion extent frontness
group_speed heading_autocorrelation kth_neighbour_distance largest_cluster local_density
mean_and_error mean_squared_displacement measure_frames merges minimum_distance neighbour_overlap
nematic_order number_fluctuation_exponent number_fluctuations of_arrays of_tracks over_seeds
pair_correlation predator_distance radius_of_gyration regrouping_time relative_connectivity shape
signed_milling speed speed_correlation speed_correlation_length speed_spread splits state
susceptibility thickness track_clusters velocity_correlation voronoi_density
"""


def test_every_name_is_there() -> None:
    assert list(mm.__all__) == sorted(set(mm.__all__))
    for name in [*mm.__all__, "open", "__version__"]:
        assert getattr(mm, name) is not None
        assert name in dir(mm)


def test_the_stub_declares_names_as_public() -> None:
    """Each is written `from .module import name as name`, which type checkers re-export."""
    stub = ast.parse(Path(mm.__file__).with_suffix(".pyi").read_text("utf-8"))
    names = set()
    for node in stub.body[1:]:
        assert isinstance(node, ast.ImportFrom) and node.level == 1
        for alias in node.names:
            assert alias.name == alias.asname
            names.add(alias.name)
    assert names == {*mm.__all__, "open", "__version__"}


def test_no_name_is_that_of_a_package_or_file() -> None:
    """Importing one of these would put it in the place of the name."""
    taken = {module.name for module in pkgutil.iter_modules(mm.__path__)}
    assert taken & set(mm.__all__) == {"measures"}


def test_measures_have_a_namespace_of_their_own() -> None:
    assert mm.measures is measures
    assert set(mm.__all__) & set(measures.MEASURES) == AT_THE_TOP
    for name in AT_THE_TOP:
        assert getattr(mm, name) is getattr(measures, name)


@pytest.mark.parametrize("name", MOVED.split())
def test_old_names_work_and_say_where_they_are(name: str) -> None:
    assert name not in mm.__all__ and name not in dir(mm)
    with pytest.warns(DeprecationWarning, match=rf"murmurate\.measures\.{name}\b") as caught:
        assert getattr(mm, name) is getattr(measures, name)
    assert [warning.filename for warning in caught] == [__file__]


def test_the_table_of_measures_had_another_name() -> None:
    with pytest.warns(DeprecationWarning, match=r"murmurate\.MeasureTable"):
        assert mm.Measured is mm.MeasureTable


def test_a_name_that_is_not_there() -> None:
    with pytest.raises(AttributeError, match="no attribute 'anisotropie'"):
        _ = mm.anisotropie


def test_importing_all_names_leaves_builtins_alone() -> None:
    brought: dict[str, object] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        exec("from murmurate import *", brought)
    assert not (set(brought) - {"__builtins__"}) & set(dir(builtins))
    assert set(mm.__all__) <= set(brought)
    assert mm.open is not builtins.open and mm.open.__module__ == "murmurate.record.recording"
