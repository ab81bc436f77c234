"""ROS 2 bags (.mcap), by the library rosbags: poses and colours of each drone.

Topic /NAME/pose has geometry_msgs/PoseStamped in the frame `map` (x east, y north, z up), and
/NAME/led std_msgs/ColorRGBA. Between messages drones move on straight lines. Time 0 is that of the
bag.
"""

from __future__ import annotations

import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from rosbags.rosbag2 import Reader, ReaderError, StoragePlugin, Writer
from rosbags.serde import SerdeError
from rosbags.typesys import Stores, get_typestore

from murmurate.errors import FlightError
from murmurate.flights.trajectory import MAX_COORDINATE, Drone, Flight, path_through, unwrapped

POSE, COLOUR = "geometry_msgs/msg/PoseStamped", "std_msgs/msg/ColorRGBA"
SECOND = 1_000_000_000


def write(path: Path, flight: Flight, title: str = "") -> None:
    """Write a flight of straight lines."""
    store = get_typestore(Stores.ROS2_HUMBLE)
    types = store.types
    header, stamp, point, turn = (
        types[f"{package}/msg/{name}"]
        for package, name in (
            ("std_msgs", "Header"), ("builtin_interfaces", "Time"),
            ("geometry_msgs", "Point"), ("geometry_msgs", "Quaternion"),
        )
    )  # fmt: skip
    pose, stamped, colour = (types[n] for n in ("geometry_msgs/msg/Pose", POSE, COLOUR))
    messages: list[tuple[int, int, object]] = []
    for k, drone in enumerate(flight.drones):
        ends = np.concatenate([drone.points[:, 0], drone.points[-1:, -1]])
        for time, (x, y, z, yaw) in zip(_stamps(drone.times), ends.tolist(), strict=True):
            half = np.radians(yaw) / 2
            at = pose(point(x, y, z), turn(0.0, 0.0, float(np.sin(half)), float(np.cos(half))))
            moment = stamp(*divmod(time, SECOND))
            messages.append((time, 2 * k, stamped(header(moment, "map"), at)))
        lit = zip(_stamps(drone.light_times), (drone.colours / 255).tolist(), strict=True)
        messages += [(time, 2 * k + 1, colour(r, g, b, 1.0)) for time, (r, g, b) in lit]
    messages.sort(key=lambda item: item[:2])
    with TemporaryDirectory(dir=path.parent, prefix=".murmurate-") as folder:
        bag = Path(folder) / "bag"
        with Writer(bag, version=9, storage_plugin=StoragePlugin.MCAP) as writer:
            topics = [
                writer.add_connection(f"/{_topic(drone.name)}/{part}", kind, typestore=store)
                for drone in flight.drones
                for part, kind in (("pose", POSE), ("led", COLOUR))
            ]
            for time, number, message in messages:
                kind = COLOUR if number % 2 else POSE
                writer.write(topics[number], time, store.serialize_cdr(message, kind))
        next(bag.glob("*.mcap")).replace(path)


def _stamps(times: np.ndarray) -> list[int]:
    return np.rint(np.asarray(times) * SECOND).astype(np.int64).tolist()


def _topic(name: str) -> str:
    """Return a name with the letters that topics may have."""
    return re.sub(r"[^A-Za-z0-9_]", "_", name)


def read(path: Path) -> Flight:
    """Read the poses and colours of a bag: a .mcap or .db3 file, or its folder."""
    store = get_typestore(Stores.ROS2_HUMBLE)
    rows: dict[str, list[tuple[float, ...]]] = {}
    lights: dict[str, list[tuple[float, ...]]] = {}
    try:
        with Reader(path) as reader:
            chosen = [c for c in reader.connections if c.msgtype in (POSE, COLOUR)]
            for connection, time, data in reader.messages(connections=chosen):
                message: Any = store.deserialize_cdr(data, connection.msgtype)
                name = connection.topic.strip("/").rpartition("/")[0] or connection.topic
                if connection.msgtype == POSE:
                    clock = message.header.stamp.sec + message.header.stamp.nanosec / SECOND
                    at, q = message.pose.position, message.pose.orientation
                    sine, cosine = q.w * q.z + q.x * q.y, 0.5 - q.y * q.y - q.z * q.z
                    yaw = np.degrees(np.arctan2(sine, cosine))
                    rows.setdefault(name, []).append((clock, at.x, at.y, at.z, yaw))
                else:
                    colour = (message.r, message.g, message.b)
                    lights.setdefault(name, []).append((time / SECOND, *colour))
    except (ReaderError, SerdeError, AssertionError, OSError) as error:
        raise FlightError(f"got no bag, or a damaged one ({error})") from None
    drones: list[Drone] = []
    first = min((values[0][0] for values in rows.values()), default=0.0)
    start = first if first > MAX_COORDINATE else 0.0  # of a bag with dates
    for name, values in rows.items():
        table = np.array(values)
        table[:, 4] = unwrapped(table[:, 4])
        lit = np.array(lights.get(name, ()), float).reshape(-1, 4)
        table[:, 0] -= start
        lit[:, 0] -= start
        drones.append(path_through(name, table[:, 0], table[:, 1:], lit[:, 0], lit[:, 1:] * 255))
    return Flight(tuple(drones))
