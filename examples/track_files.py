"""Write the tracks of a small flock in the file format of every tracker that murmurate reads."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
from scipy.io import savemat

RATE = 25.0  # frames per second
EAST, NORTH = 75_052.0, 111_184.5  # metres per degree, at latitude 47.7


def tracks(frames: int = 200, animals: int = 12, seed: int = 1) -> np.ndarray:
    """Return (frames, animals, 2) positions of animals that wander together; nan in gaps."""
    random = np.random.default_rng(seed)
    headings = np.cumsum(random.normal(0, 0.06, (frames, 1)), axis=0)
    headings = headings + random.normal(0, 0.25, (frames, animals))
    steps = 3 * np.stack([np.cos(headings), np.sin(headings)], axis=2)
    positions = 400 + random.normal(0, 40, (1, animals, 2)) + np.cumsum(steps, axis=0)
    positions = np.round(positions, 6)
    lost = random.random((frames, animals)) < 0.04
    lost[frames // 3 : frames // 3 + 9, 1] = True
    lost[[0, -1]] = False  # every table has all frames
    positions[lost] = np.nan
    return positions


def rows(path: Path, positions: np.ndarray, header: str, row: Callable[..., str]) -> None:
    """Write a line per detection; `row` formats frame, animal, x and y."""
    seen = np.argwhere(np.isfinite(positions).all(axis=2)).tolist()
    lines = [row(t, k, *positions[t, k].tolist()) for t, k in seen]
    path.write_text("\n".join([header, *lines]) + "\n", encoding="utf-8")


def long_csv(path: Path, positions: np.ndarray) -> None:
    rows(
        path, positions, "time_s,bird,x_mm,y_mm", lambda t, k, x, y: f"{t / RATE:.2f},b{k},{x},{y}"
    )


def wide_csv(path: Path, positions: np.ndarray) -> None:
    names = [f"{axis}{k + 1}" for k in range(positions.shape[1]) for axis in "xy"]
    lines = [",".join(["time", *names])]
    for t, frame in enumerate(positions):
        cells = ["" if np.isnan(value) else repr(value) for value in frame.ravel().tolist()]
        lines.append(",".join([f"{t / RATE:.2f}", *cells]))
    path.write_text("\n".join(lines) + "\n")


def trackpy(path: Path, positions: np.ndarray) -> None:
    rows(path, positions, ",y,x,mass,frame,particle", lambda t, k, x, y: f"9,{y},{x},214,{t},{k}")


def trackmate(path: Path, positions: np.ndarray) -> None:
    header = "LABEL,ID,TRACK_ID,QUALITY,POSITION_X,POSITION_Y,POSITION_T,FRAME\n"
    header += "Label,Spot ID,Track ID,Quality,X,Y,T,Frame\n,,,(quality),(micron),(micron),(sec),"
    rows(path, positions, header,
         lambda t, k, x, y: f"ID9,9,{k},5.1,{x},{y},{t / RATE:.2f},{t}")  # fmt: skip


def trackmate_xml(path: Path, positions: np.ndarray) -> None:
    text = f'<Tracks spaceUnits="micron" frameInterval="{1 / RATE}" timeUnits="sec">\n'
    for animal in positions.transpose(1, 0, 2):
        text += "<particle>\n"
        for t, (x, y) in enumerate(animal.tolist()):
            text += "" if np.isnan(x) else f'<detection t="{t}" x="{x}" y="{y}" z="0.0" />\n'
        text += "</particle>\n"
    path.write_text(text + "</Tracks>\n")


def trackmate_project(path: Path, positions: np.ndarray) -> None:
    """Write a project as TrackMate does: spots by frame, then the edges of each track.

    One spot per frame has no track, and one track is filtered out.
    """
    spots, edges, filtered = "", "", ""
    for t, frame in enumerate(positions):
        spots += f'<SpotsInFrame frame="{t}">\n'
        for k, (x, y) in enumerate(frame.tolist()):
            point = f'POSITION_X="{x}" POSITION_Y="{y}" POSITION_Z="0.0" POSITION_T="{t / RATE}"'
            spots += "" if np.isnan(x) else f'<Spot ID="{100 * t + k}" {point} FRAME="{t}" />\n'
        far = 'POSITION_X="900" POSITION_Y="900" POSITION_Z="0.0"'
        spots += f'<Spot ID="{100 * t + 99}" {far} FRAME="{t}" />\n</SpotsInFrame>\n'
    hidden = len(positions[0])
    for k in range(hidden + 1):
        seen = [t for t in range(len(positions)) if k == hidden or not np.isnan(positions[t, k, 0])]
        seen = seen[:2] if k == hidden else seen
        ids = [100 * t + (99 if k == hidden else k) for t in seen]
        edges += f'<Track name="Track_{k}" TRACK_ID="{k}">\n'
        for source, target in pairwise(ids):
            edges += f'<Edge SPOT_SOURCE_ID="{source}" SPOT_TARGET_ID="{target}" />\n'
        edges += "</Track>\n"
        filtered += f'<TrackID TRACK_ID="{k}" />\n' if k < hidden else ""
    path.write_text(
        '<?xml version="1.0" encoding="UTF-8"?>\n<TrackMate version="7.13.2">\n'
        f'<Model spatialunits="micron" timeunits="sec">\n<AllSpots>\n{spots}</AllSpots>\n'
        f"<AllTracks>\n{edges}</AllTracks>\n<FilteredTracks>\n{filtered}</FilteredTracks>\n"
        f'</Model>\n<Settings><ImageData timeinterval="{1 / RATE}" /></Settings>\n</TrackMate>\n'
    )


def fasttrack(path: Path, positions: np.ndarray) -> None:
    header = "xHead\tyHead\ttHead\txBody\tyBody\ttBody\timageNumber\tid"
    rows(path, positions, header,
         lambda t, k, x, y: f"{x + 1}\t{y}\t0.1\t{x}\t{y}\t0.1\t{t}\t{k}")  # fmt: skip


def toxtrac(path: Path, positions: np.ndarray) -> None:
    header = "Time (sec)\tArena\tTrack\tPos. X (mm)\tPos. Y (mm)\tLabel"
    rows(path, positions, header,
         lambda t, k, x, y: f"{t / RATE:.3f}\t1\t{k + 1}\t{x}\t{y}\t1")  # fmt: skip


def animalta(path: Path, positions: np.ndarray) -> None:
    rows(path, positions, "Frame;Time;Arena;Ind;X;Y",
         lambda t, k, x, y: f"{t};{t / RATE:.2f};0;{k};{x};{y}")  # fmt: skip


def deeplabcut(path: Path, positions: np.ndarray) -> None:
    """Write two body parts per animal, with low likelihood where it is lost.

    The mean of the two is the position of the animal.
    """
    keys = [(f"f{k}", part) for k in range(positions.shape[1]) for part in ("head", "tail")]
    lines = [",".join([level, *(key[n] for key in keys for _ in range(3))])
             for n, level in enumerate(("individuals", "bodyparts"))]  # fmt: skip
    scorer = ",".join(["scorer", *["DLC_resnet50"] * 3 * len(keys)])
    lines = [scorer, *lines, ",".join(["coords", *["x,y,likelihood"] * len(keys)])]
    for t, frame in enumerate(positions.tolist()):
        cells = [f"{x - 1},{y},0.99,{x + 1},{y},0.98" if x == x else "3,3,0.1,,," for x, y in frame]
        lines.append(",".join([str(t), *cells]))
    path.write_text("\n".join(lines) + "\n")


def idtracker(path: Path, positions: np.ndarray) -> None:
    saved = {"trajectories": positions, "frames_per_second": RATE, "body_length": 30.5}
    np.save(path, saved, allow_pickle=True)  # type: ignore[arg-type]


def idtracker_folder(path: Path, positions: np.ndarray) -> None:
    folder = path / "trajectories" / "trajectories_csv"
    folder.mkdir(parents=True)
    wide_csv(folder / "trajectories.csv", positions)
    (folder / "attributes.json").write_text(json.dumps({"frames_per_second": RATE}))


def trex_folder(path: Path, positions: np.ndarray) -> None:
    """Write an .npz file per animal, with inf where it is lost."""
    path.mkdir()
    frames = np.arange(len(positions))
    for k, animal in enumerate(positions.transpose(1, 0, 2)):
        lost = np.where(np.isnan(animal), np.inf, animal)
        np.savez(path / f"video_id{k}.npz", **{
            "frame": frames, "time": frames / RATE, "missing": np.isinf(lost[:, 0]),
            "X": lost[:, 0] + 1, "Y": lost[:, 1], "X#wcentroid": lost[:, 0],
            "Y#wcentroid": lost[:, 1],
        })  # fmt: skip


def movebank(path: Path, positions: np.ndarray) -> None:
    """Write metres as degrees, in the south of Germany."""
    header = "event-id,visible,timestamp,location-long,location-lat,individual-local-identifier"
    rows(path, positions, header, lambda t, k, x, y:
         f"{t},true,2026-05-01 10:{t // 60:02}:{t % 60:02}.000,{9 + x / EAST:.9f},"
         f"{47.7 + y / NORTH:.9f},stork {k}")  # fmt: skip


def gpx(path: Path, positions: np.ndarray) -> None:
    text = '<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1">\n'
    for k, animal in enumerate(positions.transpose(1, 0, 2)):
        text += f"<trk><name>stork {k}</name><trkseg>\n"
        for t, (x, y) in enumerate(animal.tolist()):
            time = f"<time>2026-05-01T10:{t // 60:02}:{t % 60:02}Z</time>"
            point = f'lat="{47.7 + y / NORTH:.9f}" lon="{9 + x / EAST:.9f}"'
            text += "" if np.isnan(x) else f"<trkpt {point}>{time}</trkpt>\n"
        text += "</trkseg></trk>\n"
    path.write_text(text + "</gpx>\n")


def nexus(path: Path, positions: np.ndarray) -> None:
    """Write trajectories as Vicon Nexus does, at a height of 1 m."""
    animals = range(positions.shape[1])
    text = f"Trajectories\n{RATE:g}\n,,{',,,'.join(f'bird{k}:LFHD' for k in animals)},,\n"
    text += f"Frame,Sub Frame{',X,Y,Z' * len(animals)}\n,{',mm,mm,mm' * len(animals)}\n"
    for t, frame in enumerate(positions.tolist()):
        cells = [",," if np.isnan(x) else f"{x},{y},1000" for x, y in frame]
        text += ",".join([str(t + 1), "0", *cells]) + "\n"
    path.write_text(text)


def matlab(path: Path, positions: np.ndarray) -> None:
    """Write a struct with an array (animals, 2, frames)."""
    savemat(path, {"data": {"tracks": positions.transpose(1, 2, 0), "fps": RATE}})


WRITERS: dict[str, Callable[[Path, np.ndarray], None]] = {
    "birds.csv": long_csv,
    "wide.csv": wide_csv,
    "trackpy.csv": trackpy,
    "spots.csv": trackmate,
    "spots.xml": trackmate_xml,
    "project.xml": trackmate_project,
    "tracking.txt": fasttrack,
    "toxtrac.txt": toxtrac,
    "animalta.csv": animalta,
    "deeplabcut.csv": deeplabcut,
    "trajectories.npy": idtracker,
    "session": idtracker_folder,
    "trex": trex_folder,
    "movebank.csv": movebank,
    "storks.gpx": gpx,
    "nexus.csv": nexus,
    "fish.mat": matlab,
}


def main() -> None:
    positions = tracks()
    for name, write in WRITERS.items():
        write(Path(name), positions)
        print(name)


if __name__ == "__main__":
    main()
