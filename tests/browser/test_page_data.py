"""Data of pages: CSV, CODAP by iframe-phone, learning platforms by scorm-again, embedding."""

from __future__ import annotations

import csv
import functools
import http.server
import io
import json
import threading
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from live_pages import LivePage

import murmurate as mm
from node_packages import node_package
from processes import until

pytestmark = pytest.mark.slow  # beside the tests of dataout.ts, for its time


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def site(tmp_path: Path) -> Iterator[str]:
    """The address of a server of the test's folder."""
    handler = functools.partial(Quiet, directory=str(tmp_path))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def saved(live_page: LivePage, test: str) -> list[dict[str, str]]:
    """The rows of the file that a button saves."""
    with live_page.tab.expect_download() as download:
        live_page.button(test).click()
    text = Path(download.value.path()).read_bytes().decode()
    assert text.endswith("\r\n")
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_charts_and_boids_are_saved_as_csv(page: Callable[..., LivePage]) -> None:
    live_page = page()
    live_page.button("pause").click()
    until(lambda: live_page.button("play").count() == 1)
    live_page.button("data").click()
    boids = saved(live_page, "save-boids")
    step = int(boids[0]["step"])
    assert [int(row["id"]) for row in boids] == list(range(60))
    assert list(boids[0]) == ["step", "time", "flock", "id", "x", "y", "vx", "vy"]
    speeds = [np.hypot(float(row["vx"]), float(row["vy"])) for row in boids]
    # those that meet the obstacle are slower
    assert max(speeds) < 0.40001 and abs(np.median(speeds) - 0.4) < 1e-5
    at = [live_page.hook(f"positions({k})") for k in range(3)]
    for row, (x, y, _) in zip(boids, at, strict=False):
        assert abs(float(row["x"]) - x) < 0.01 and abs(float(row["y"]) - y) < 0.01
    charts = saved(live_page, "save-charts")
    names = ["time", "polarization", "milling", "nearest_neighbour_distance", "speed"]
    assert list(charts[0]) == names
    assert all(0 <= float(row["polarization"]) <= 1 for row in charts)
    assert float(charts[-1]["time"]) <= step
    live_page.tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
    live_page.button("copy-boids").click()
    until(lambda: "copied" in live_page.button("notice").first.inner_text())
    copied = live_page.tab.evaluate("navigator.clipboard.readText()")
    assert copied.splitlines()[0] == "step,time,flock,id,x,y,vx,vy"


CODAP = """<!DOCTYPE html><link rel="icon" href="data:,"><title>a host</title><script>%s</script>
<iframe id="page" src="page.html" width="1000" height="700"></iframe>
<script>
window.calls = [];
const frame = document.getElementById("page");
const contexts = new Set();
window.endpoint = new iframePhone.IframePhoneRpcEndpoint((call, answer) => {
  calls.push(call);
  const named = /^dataContext\\[([^\\]]+)\\]$/.exec(call.resource);
  if (call.action === "get" && named) return answer({ success: contexts.has(named[1]) });
  if (call.action === "create" && call.resource === "dataContext") contexts.add(call.values.name);
  answer({ success: true });
}, "data-interactive", frame, location.origin);
</script>"""


def test_codap_gets_tables_as_cases(tab: Any, tmp_path: Path, site: str) -> None:
    """iframe-phone, by which CODAP talks with its plug-ins, is the other side."""
    phone = (node_package("iframe-phone") / "dist" / "iframe-phone.js").read_text(encoding="utf-8")
    mm.live_page("p5", tmp_path / "page.html")
    (tmp_path / "host.html").write_text(CODAP % phone, encoding="utf-8")
    tab.goto(f"{site}/host.html")
    frame = tab.frame_locator("#page")
    until(lambda: tab.evaluate("calls.length") > 0)
    first = tab.evaluate("calls[0]")
    assert (first["action"], first["resource"]) == ("update", "interactiveFrame")
    for _ in range(2):
        frame.locator("[data-test=data]").click()
        frame.locator("[data-test=send-boids]").click()
        frame.locator("[data-test=sheet-close]").click()
    until(lambda: tab.evaluate("calls.filter((c) => c.resource === 'component').length") == 2)
    calls = tab.evaluate("calls")[1:]
    requests = [(call["action"], call["resource"]) for call in calls]
    context = "dataContext[murmurate_boids]"
    add = [("create", f"{context}.item"), ("create", "component")]
    assert requests == [("get", context), ("create", "dataContext"), *add, ("get", context), *add]
    runs, boids = calls[1]["values"]["collections"]
    assert (runs["name"], boids["parent"]) == ("runs", "runs")
    attributes = [attribute["name"] for attribute in (*runs["attrs"], *boids["attrs"])]
    for k, call in enumerate((calls[2], calls[5])):
        assert len(call["values"]) == 30
        assert all(list(item) == attributes and item["run"] == k + 1 for item in call["values"])
    assert calls[3]["values"] == {
        "type": "caseTable", "name": "murmurate_boids", "dataContext": "murmurate_boids",
    }  # fmt: skip
    # CODAP asks plug-ins for their state, and waits for the answer
    call = "{ action: 'get', resource: 'interactiveState' }"
    answer = tab.evaluate(f"new Promise((done) => endpoint.call({call}, done))")
    assert answer == {"success": False}


NAME = "Mustermann, Erika"
PLATFORM = """<!DOCTYPE html><link rel="icon" href="data:,"><title>a platform</title>
<script>%s</script><script>
const stored = JSON.parse(localStorage.getItem("stored") ?? "null");
window.lms = new %s({ autocommit: false, logLevel: 4 });
window[%s] = window.lms;
if (stored) window.lms.loadFromJSON(stored);
else window.lms.loadFromJSON(%s);
</script>
<iframe id="page" src="course/index.html" width="1100" height="700"></iframe>"""


@pytest.mark.parametrize("version", ["1.2", "2004"])
def test_a_learning_platform_gets_score_and_completion(
    tab: Any, tmp_path: Path, site: str, version: Any
) -> None:
    """scorm-again is the platform: it refuses what SCORM does not allow."""
    mm.task_page("p5", tmp_path / "course.zip", task="three-rules", scorm=version)
    with zipfile.ZipFile(tmp_path / "course.zip") as archive:
        archive.extractall(tmp_path / "course")
    folder = node_package("scorm-again") / "dist"
    name, api, pupil = {
        "1.2": ("scorm12", ("Scorm12API", "API"), {"core": {"student_name": NAME}}),
        "2004": ("scorm2004", ("Scorm2004API", "API_1484_11"), {"learner_name": NAME}),
    }[version]  # fmt: skip
    runtime = (folder / f"{name}.min.js").read_text(encoding="utf-8")
    host = PLATFORM % (runtime, api[0], json.dumps(api[1]), json.dumps(pupil))
    (tmp_path / "host.html").write_text(host, encoding="utf-8")
    tab.goto(f"{site}/host.html")
    frame = tab.frame_locator("#page")

    def value(key: str) -> str:
        call = "LMSGetValue" if version == "1.2" else "GetValue"
        return str(tab.evaluate(f"lms.{call}('cmi.{key}')"))

    def states() -> list[str]:
        keys = (
            ["core.lesson_status"] if version == "1.2" else ["completion_status", "success_status"]
        )
        return [value(key) for key in keys]

    def find(test: str) -> Any:
        return frame.locator(f"[data-test={test}]")

    core = "core." if version == "1.2" else ""
    find("option-0").check()
    find("reason").fill("They copy each other.")
    find("check").click()
    until(lambda: value(f"{core}score.raw") == "20")
    assert states() == (["incomplete"] if version == "1.2" else ["incomplete", "unknown"])
    assert (value(f"{core}score.min"), value(f"{core}score.max")) == ("0", "100")
    assert "They copy each other." in value("suspend_data")
    suspended = value("suspend_data")
    tab.evaluate("document.getElementById('page').src = 'about:blank'")
    until(lambda: tab.evaluate("lms.isTerminated()"))
    stored = json.dumps({**pupil, "suspend_data": suspended})
    tab.evaluate("(text) => localStorage.setItem('stored', text)", stored)

    tab.goto("about:blank")
    tab.goto(f"{site}/host.html")
    until(lambda: find("question").inner_text().startswith("Weaken one rule"))
    for _ in range(3):
        find("skip").click()
        find("next").click()
    assert find("pupil").input_value() == "Erika Mustermann"
    assert value(f"{core}score.raw") == "20"
    assert states() == (["failed"] if version == "1.2" else ["completed", "failed"])
    if version == "2004":
        assert value("score.scaled") == "0.2"
    error = tab.evaluate(f"lms.{'LMSGetLastError' if version == '1.2' else 'GetLastError'}()")
    assert str(error) == "0"


def test_the_embedding_html_shows_the_changed_flock(
    page: Callable[..., LivePage], tab: Any, tmp_path: Path
) -> None:
    live_page = page()
    tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
    live_page.type("rules.alignment.weight", "0.25")
    live_page.button("copy-embed").click()
    until(lambda: "HTML is copied" in live_page.button("notice").first.inner_text())
    html = tab.evaluate("navigator.clipboard.readText()")
    assert html.startswith("<iframe ") and 'title="Few boids"' in html
    (tmp_path / "host.html").write_text(f"<!DOCTYPE html><title>t</title>{html}", encoding="utf-8")
    tab.goto((tmp_path / "host.html").as_uri())
    field = tab.frame_locator("iframe").locator("[data-value-path='rules.alignment.weight']")
    until(lambda: field.input_value() == "0.25")
