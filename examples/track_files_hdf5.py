"""Write the same flock in the HDF5 formats of trackers; needs h5py and xarray."""

from __future__ import annotations

import pickle
from pathlib import Path

import h5py
import numpy as np
import track_files
import xarray


def sleap(path: Path, points: np.ndarray, order: str = "track,xy,node,frame") -> None:
    """Write points (frame, track, node, xy) in SLEAP's order of axes, or sleap-io's 'standard'."""
    axes = ["frame", "track", "node", "xy"]
    with h5py.File(path, "w") as file:
        file["tracks"] = points.transpose([axes.index(axis) for axis in order.split(",")])
        file["track_occupancy"] = np.isfinite(points).any(axis=(2, 3)).astype("u1")
        file["track_names"] = np.array([f"s{k}".encode() for k in range(points.shape[1])])
        file["node_names"] = np.array([f"n{k}".encode() for k in range(points.shape[2])])


def nwb(path: Path, points: np.ndarray, rate: float) -> None:
    """Write points (frame, animal, part, xy): the first animal with a rate, others with times."""
    with h5py.File(path, "w") as file:
        for k in range(points.shape[1]):
            pose = file.create_group(f"processing/behavior/track=fish{k}")
            pose.attrs["neurodata_type"] = "PoseEstimation"
            for n in range(points.shape[2]):
                seen = np.isfinite(points[:, k, n, 0]) | (k == 0)
                series = pose.create_group(f"n{n}")
                series.attrs["neurodata_type"] = "PoseEstimationSeries"
                series["data"] = points[seen, k, n]
                series["confidence"] = np.full(seen.sum(), 0.9)
                if k:
                    series["timestamps"] = 5 + np.flatnonzero(seen) / rate
                else:
                    series["starting_time"] = 5.0
                    series["starting_time"].attrs["rate"] = rate


def idtracker(path: Path, positions: np.ndarray, rate: float) -> None:
    with h5py.File(path, "w") as file:
        file["trajectories"] = positions
        file.attrs["frames_per_second"] = rate


def deeplabcut(path: Path, positions: np.ndarray, frames: np.ndarray) -> None:
    """Write one body part per animal in pandas' format 'table'."""
    labels = [
        ("DLC", f"f{k}", "nose", what)
        for k in range(positions.shape[1])
        for what in ("x", "y", "likelihood")
    ]
    sure = np.where(np.isfinite(positions[..., :1]), 0.97, 0.01)
    values = np.concatenate([np.nan_to_num(positions), sure], axis=2).reshape(len(positions), -1)
    table = np.zeros(len(positions), [("index", "<i8"), ("values_block_0", "<f8", (len(labels),))])
    table["index"], table["values_block_0"] = frames, values
    with h5py.File(path, "w") as file:
        dataset = file.create_dataset("df_with_missing/table", data=table)
        dataset.attrs["values_block_0_kind"] = np.bytes_(pickle.dumps(labels, 0))


def movement(path: Path, positions: np.ndarray, rate: float) -> None:
    animals = [f"f{k}" for k in range(positions.shape[1])]
    xarray.Dataset(
        {"position": (("time", "space", "keypoint", "individual"),
                      positions.transpose(0, 2, 1)[:, :, None])},
        coords={"time": np.arange(len(positions)) / rate, "space": ["x", "y"],
                "keypoint": ["centroid"], "individual": animals},
        attrs={"fps": rate, "time_unit": "seconds"},
    ).to_netcdf(path, engine="h5netcdf")  # fmt: skip


def main() -> None:
    positions, rate = track_files.tracks(), track_files.RATE
    offset = np.array([3.0, 0.0])  # of two body parts, on both sides of the animal
    sleap(Path("sleap.h5"), np.stack([positions + offset, positions - offset], axis=2))
    deeplabcut(Path("deeplabcut.h5"), positions, np.arange(len(positions)))
    idtracker(Path("idtracker.h5"), positions, rate)
    nwb(Path("poses.nwb"), positions[:, :, None], rate)
    movement(Path("movement.nc"), positions, rate)
    print("sleap.h5 deeplabcut.h5 idtracker.h5 poses.nwb movement.nc")


if __name__ == "__main__":
    main()
