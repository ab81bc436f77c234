"""Tables of other simulators, Mesa and Agents.jl, and of ROS 2, whose stamps have two columns."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from written_tables import open_text

import murmurate as mm

T, K = range(6), range(3)
EXPECTED = np.array([[[t + k / 2, 2 * k] for k in K] for t in T], float)


def rows(form: str) -> str:
    return "".join(form.format(t=t, k=k, x=t + k / 2, y=2.0 * k) for t in T for k in K)


@pytest.mark.parametrize(
    ("source", "header", "form"),
    [
        ("Mesa's table", "Step,AgentID,pos", '{t},{k},"({x}, {y})"\n'),
        ("Mesa's table", "Step,AgentID,pos,a", '{t},{k},"(np.float64({x}), np.int64({y}))",3\n'),
        ("Mesa's table", "Step,AgentID,pos", "{t},{k},[{x}  {y}]\n"),
        ("Mesa's table", "Step,AgentID,x,y", "{t},{k},{x},{y}\n"),
        ("Agents.jl's table", "time,id,pos_1,pos_2", "{t},{k},{x},{y}\n"),
        ("Agents.jl's table", "step,id,pos_1,pos_2,pos_3", "{t},{k},{x},{y},0\n"),
        ("a table of detections", "time,id,pos,vel", '{t},{k},"({x}, {y})","(1.0, 0.0)"\n'),
    ],
)  # fmt: skip
def test_agents(source: str, header: str, form: str, tmp_path: Path) -> None:
    tracks = open_text(tmp_path, f"{header}\n{rows(form)}")
    assert tracks.source == source and tracks.names == ["0", "1", "2"]
    np.testing.assert_allclose(tracks.positions, EXPECTED)


def test_as_pandas_writes_the_table_of_mesa(tmp_path: Path) -> None:
    """`model.datacollector.get_agent_vars_dataframe().to_csv(...)`; an agent without a position."""
    index = pd.MultiIndex.from_product([T, K], names=["Step", "AgentID"])
    positions: list[object] = [tuple(EXPECTED[t, k].tolist()) for t in T for k in K]
    positions[4] = None
    pd.DataFrame({"pos": positions}, index).to_csv(tmp_path / "a.csv")
    tracks = mm.open_tracks(tmp_path / "a.csv")
    expected = EXPECTED.copy()
    expected[1, 1] = np.nan
    np.testing.assert_allclose(tracks.positions, expected)
    (tmp_path / "a.csv").write_text((tmp_path / "a.csv").read_text() + '6,0,"(1, 2, 3)"\n')
    with pytest.raises(mm.TracksError, match=r"pos: got '\(1, 2, 3\)' in line 20; expected 2"):
        mm.open_tracks(tmp_path / "a.csv")
    tracks = mm.open_tracks(tmp_path / "a.csv", table=mm.TableFormat(skip_bad=True))
    assert np.isnan(tracks.positions[6, 0]).all()


@pytest.mark.parametrize("names", [
    ("sec", "nanosec"), ("nsecs", "secs"), ("header.stamp.sec", "header.stamp.nanosec"),
    ("timestamp_sec", "timestamp_nanosec"), ("/a/header/stamp/sec", "/a/header/stamp/nanosec"),
])  # fmt: skip
@pytest.mark.parametrize("axes", ["x,y", "pose.pose.position.x,pose.pose.position.y"])
def test_stamps_in_two_columns(names: tuple[str, str], axes: str, tmp_path: Path) -> None:
    """Steps of a third of a second, which seconds since 1970 in one number resolve to 240 ns."""
    first = 1_700_000_000 * 10**9 + 999_999_999
    text = f"{','.join(names)},{axes}\n"
    for k in range(12):
        parts = divmod(first + k * 333_333_333, 10**9)
        parts = parts[::-1] if names[0][0] == "n" else parts
        text += f"{parts[0]},{parts[1]},{k},{2 * k}\n"
    tracks = open_text(tmp_path, text)
    assert tracks.rate == pytest.approx(1e9 / 333_333_333, rel=1e-12)
    np.testing.assert_array_equal(tracks.positions[:, 0, 0], range(12))
    assert tracks.attrs["columns"][min(names, key=len)].startswith("time")


def test_two_clocks_are_no_stamp(tmp_path: Path) -> None:
    """Nanoseconds that pass a second, and seconds with decimals: the first column is the time."""
    for form in ("{k},{k}500000000,{k},1\n", "{k}.5,5,{k},1\n"):
        text = "time_s,time_ns,x,y\n" + "".join(form.format(k=k) for k in range(1, 5))
        assert open_text(tmp_path, text).rate == pytest.approx(1)


def test_velocities_of_odometry_are_no_positions(tmp_path: Path) -> None:
    names = "sec,nanosec,pose.pose.position.x,pose.pose.position.y,twist.twist.linear.x,"
    names += "twist.twist.linear.y,twist.twist.angular.x,twist.twist.angular.y\n"
    tracks = open_text(tmp_path, names + "".join(f"{k},0,{k},0,1,2,3,4\n" for k in range(5)))
    assert tracks.positions.shape == (5, 1, 2) and tracks.positions[3, 0].tolist() == [3, 0]
