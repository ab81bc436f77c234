"""Measures: numbers, curves and words about a flock, with error bars.

One flock at one moment -> a number, a curve or a word; or frames -> an estimate or a curve. Each is
a function; `MEASURES` is the table of them, and `measure_frames` takes many in one pass.
"""

from murmurate.measures.anisotropy import anisotropy, bearings, frontness
from murmurate.measures.arrays import of_arrays, of_tracks
from murmurate.measures.autocorrelation import autocorrelation, autocorrelation_time
from murmurate.measures.bands import band_contrast, band_peak, density_profile, order_profile
from murmurate.measures.centroid import centroid
from murmurate.measures.cluster_history import (
    ClusterFrame,
    merges,
    splits,
    track_clusters,
)
from murmurate.measures.clusters import (
    cluster_count,
    cluster_size_distribution,
    cluster_sizes,
    clusters,
    largest_cluster,
)
from murmurate.measures.collisions import collisions, minimum_distance
from murmurate.measures.connectivity import algebraic_connectivity, relative_connectivity
from murmurate.measures.correlation import (
    correlation_length,
    speed_correlation,
    speed_correlation_length,
    velocity_correlation,
)
from murmurate.measures.curve import Curve
from murmurate.measures.density import border_to_core, density, local_density, voronoi_density
from murmurate.measures.displacement import mean_squared_displacement
from murmurate.measures.errorbars import mean_and_error, over_seeds
from murmurate.measures.estimate import Estimate
from murmurate.measures.extent import distance_to_centre, extent, radius_of_gyration
from murmurate.measures.limits import MeasureError
from murmurate.measures.measure_frames import Result, measure_frames
from murmurate.measures.milling import (
    absolute_milling,
    angular_momentum,
    milling,
    signed_milling,
)
from murmurate.measures.moments import (
    binder_cumulant,
    binder_of,
    susceptibility,
    susceptibility_of,
)
from murmurate.measures.nearest import (
    clark_evans,
    kth_neighbour_distance,
    nearest_neighbour_distance,
)
from murmurate.measures.number_fluctuations import (
    number_fluctuation_exponent,
    number_fluctuations,
)
from murmurate.measures.pair_correlation import pair_correlation
from murmurate.measures.persistence import heading_autocorrelation, neighbour_overlap
from murmurate.measures.polarization import nematic_order, polarization
from murmurate.measures.predation import (
    captures,
    predator_distance,
    predator_distances,
    regrouping_time,
)
from murmurate.measures.registry import MEASURES, Measure
from murmurate.measures.shape import (
    Shape,
    aspect_ratio,
    asphericity,
    elongation_along_motion,
    shape,
    thickness,
)
from murmurate.measures.speed import group_speed, speed, speed_spread
from murmurate.measures.state import state, state_of
from murmurate.measures.valid_rows import valid_rows

__all__ = [
    "MEASURES",
    "ClusterFrame",
    "Curve",
    "Estimate",
    "Measure",
    "MeasureError",
    "Result",
    "Shape",
    "absolute_milling",
    "algebraic_connectivity",
    "angular_momentum",
    "anisotropy",
    "aspect_ratio",
    "asphericity",
    "autocorrelation",
    "autocorrelation_time",
    "band_contrast",
    "band_peak",
    "bearings",
    "binder_cumulant",
    "binder_of",
    "border_to_core",
    "captures",
    "centroid",
    "clark_evans",
    "cluster_count",
    "cluster_size_distribution",
    "cluster_sizes",
    "clusters",
    "collisions",
    "correlation_length",
    "density",
    "density_profile",
    "distance_to_centre",
    "elongation_along_motion",
    "extent",
    "frontness",
    "group_speed",
    "heading_autocorrelation",
    "kth_neighbour_distance",
    "largest_cluster",
    "local_density",
    "mean_and_error",
    "mean_squared_displacement",
    "measure_frames",
    "merges",
    "milling",
    "minimum_distance",
    "nearest_neighbour_distance",
    "neighbour_overlap",
    "nematic_order",
    "number_fluctuation_exponent",
    "number_fluctuations",
    "of_arrays",
    "of_tracks",
    "order_profile",
    "over_seeds",
    "pair_correlation",
    "polarization",
    "predator_distance",
    "predator_distances",
    "radius_of_gyration",
    "regrouping_time",
    "relative_connectivity",
    "shape",
    "signed_milling",
    "speed",
    "speed_correlation",
    "speed_correlation_length",
    "speed_spread",
    "splits",
    "state",
    "state_of",
    "susceptibility",
    "susceptibility_of",
    "thickness",
    "track_clusters",
    "valid_rows",
    "velocity_correlation",
    "voronoi_density",
]
