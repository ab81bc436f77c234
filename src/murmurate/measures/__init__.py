"""Measures: numbers, curves and words that describe a flock, with error bars.

A measure maps one flock at one time to a number, a curve or a word; or frames to an estimate, a
curve or a number per animal. Each is a function. `MEASURES` is the table of all measures, and
`measure_frames` computes several in one pass.
"""

from murmurate.errors import MeasureError
from murmurate.measures.approaches import approaches
from murmurate.measures.arrays import of_arrays, of_tracks
from murmurate.measures.bands import band_contrast, band_peak, density_profile, order_profile
from murmurate.measures.clusters import (
    ClusterFrame,
    cluster_count,
    cluster_size_distribution,
    cluster_sizes,
    clusters,
    largest_cluster,
    merges,
    splits,
    track_clusters,
)
from murmurate.measures.connectivity import algebraic_connectivity, relative_connectivity
from murmurate.measures.correlation import (
    correlation_length,
    group_susceptibility,
    speed_correlation,
    speed_correlation_length,
    velocity_correlation,
)
from murmurate.measures.curve import Curve
from murmurate.measures.density import (
    border_to_core,
    density,
    local_density,
    number_fluctuation_exponent,
    number_fluctuations,
    voronoi_density,
)
from murmurate.measures.errorbars import (
    autocorrelation,
    autocorrelation_time,
    mean_and_error,
    over_seeds,
)
from murmurate.measures.estimate import Estimate
from murmurate.measures.flock_data import valid_rows
from murmurate.measures.force_map import ForceMap, force_map, speeding_force, turning_force
from murmurate.measures.geometry import centroid
from murmurate.measures.home_range import home_range, kernel_home_range
from murmurate.measures.individuals import (
    individual_trait_correlation,
    leadership_trait_correlation,
    repeatability,
)
from murmurate.measures.leadership import Delays, directional_delays, leadership
from murmurate.measures.measure_frames import Result, measure_frames
from murmurate.measures.neighbour_directions import (
    anisotropy,
    bearings,
    bond_orientational_order,
    frontness,
)
from murmurate.measures.neighbour_distances import (
    clark_evans,
    collisions,
    kth_neighbour_distance,
    minimum_distance,
    nearest_neighbour_distance,
)
from murmurate.measures.opacity import opacity, outer_opacity
from murmurate.measures.order import (
    absolute_milling,
    angular_momentum,
    binder_cumulant,
    binder_of,
    group_speed,
    milling,
    nematic_order,
    polarization,
    signed_milling,
    speed,
    speed_spread,
    state,
    state_of,
    susceptibility,
    susceptibility_of,
)
from murmurate.measures.path_shape import (
    path_length,
    sinuosity,
    straightness,
    turning_angles,
    turning_cosine,
)
from murmurate.measures.per_animal import PerAnimal
from murmurate.measures.phases import phase_order, phase_wave
from murmurate.measures.population import (
    arrival_rate,
    boid_count,
    departure_rate,
    mean_age,
    mortality,
    survival,
)
from murmurate.measures.predation import (
    captures,
    predator_distance,
    predator_distances,
    regrouping_time,
)
from murmurate.measures.registry import MEASURES, Measure
from murmurate.measures.relaxation import (
    dynamic_exponent,
    relaxation_of,
    relaxation_time,
    spatiotemporal_correlation,
)
from murmurate.measures.shape import (
    Shape,
    aspect_ratio,
    asphericity,
    distance_to_centre,
    elongation_along_motion,
    extent,
    radius_of_gyration,
    shape,
    thickness,
)
from murmurate.measures.structure import pair_correlation, structure_factor
from murmurate.measures.time_lags import (
    heading_autocorrelation,
    mean_squared_displacement,
    neighbour_overlap,
)
from murmurate.measures.trait_groups import measure_by_trait
from murmurate.measures.traits import (
    centre_trait_correlation,
    front_trait_correlation,
    neighbour_trait_correlation,
    speed_trait_correlation,
    trait_assortment,
    trait_clustering,
    trait_mean,
    trait_spread,
)
from murmurate.measures.waves import escape_speed, escaped, turn_exponent, turn_speed, turned
from murmurate.measures.zones import share_in_zone, time_in_zone, wall_distance

__all__ = [
    "MEASURES",
    "ClusterFrame",
    "Curve",
    "Delays",
    "Estimate",
    "ForceMap",
    "Measure",
    "MeasureError",
    "PerAnimal",
    "Result",
    "Shape",
    "absolute_milling",
    "algebraic_connectivity",
    "angular_momentum",
    "anisotropy",
    "approaches",
    "arrival_rate",
    "aspect_ratio",
    "asphericity",
    "autocorrelation",
    "autocorrelation_time",
    "band_contrast",
    "band_peak",
    "bearings",
    "binder_cumulant",
    "binder_of",
    "boid_count",
    "bond_orientational_order",
    "border_to_core",
    "captures",
    "centre_trait_correlation",
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
    "departure_rate",
    "directional_delays",
    "distance_to_centre",
    "dynamic_exponent",
    "elongation_along_motion",
    "escape_speed",
    "escaped",
    "extent",
    "force_map",
    "front_trait_correlation",
    "frontness",
    "group_speed",
    "group_susceptibility",
    "heading_autocorrelation",
    "home_range",
    "individual_trait_correlation",
    "kernel_home_range",
    "kth_neighbour_distance",
    "largest_cluster",
    "leadership",
    "leadership_trait_correlation",
    "local_density",
    "mean_age",
    "mean_and_error",
    "mean_squared_displacement",
    "measure_by_trait",
    "measure_frames",
    "merges",
    "milling",
    "minimum_distance",
    "mortality",
    "nearest_neighbour_distance",
    "neighbour_overlap",
    "neighbour_trait_correlation",
    "nematic_order",
    "number_fluctuation_exponent",
    "number_fluctuations",
    "of_arrays",
    "of_tracks",
    "opacity",
    "order_profile",
    "outer_opacity",
    "over_seeds",
    "pair_correlation",
    "path_length",
    "phase_order",
    "phase_wave",
    "polarization",
    "predator_distance",
    "predator_distances",
    "radius_of_gyration",
    "regrouping_time",
    "relative_connectivity",
    "relaxation_of",
    "relaxation_time",
    "repeatability",
    "shape",
    "share_in_zone",
    "signed_milling",
    "sinuosity",
    "spatiotemporal_correlation",
    "speed",
    "speed_correlation",
    "speed_correlation_length",
    "speed_spread",
    "speed_trait_correlation",
    "speeding_force",
    "splits",
    "state",
    "state_of",
    "straightness",
    "structure_factor",
    "survival",
    "susceptibility",
    "susceptibility_of",
    "thickness",
    "time_in_zone",
    "track_clusters",
    "trait_assortment",
    "trait_clustering",
    "trait_mean",
    "trait_spread",
    "turn_exponent",
    "turn_speed",
    "turned",
    "turning_angles",
    "turning_cosine",
    "turning_force",
    "valid_rows",
    "velocity_correlation",
    "voronoi_density",
    "wall_distance",
]
