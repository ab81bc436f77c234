"""A live page in another page rests where nobody sees it, and gives its WebGL context back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from flying import MODEL

import murmurate as mm
from processes import until

pytestmark = pytest.mark.slow  # beside the README's command, for its time

AROUND = """\
<!doctype html><title>around</title><body style="margin:0;height:5000px">
<iframe src="page.html#draw=gl" width="600" height="400"></iframe></body>
"""
# Ten pictures of the page around it.
MOMENTS = """new Promise((done) => {
  let left = 10;
  const tick = () => (left-- > 0 ? requestAnimationFrame(tick) : done());
  tick();
})"""


def test_it_rests_out_of_sight_and_flies_on_in_sight(tab: Any, tmp_path: Path) -> None:
    mm.to_html(mm.parse(MODEL), path=tmp_path / "page.html", live=True)
    (tmp_path / "around.html").write_text(AROUND, encoding="utf-8")
    tab.context.set_offline(True)
    tab.goto((tmp_path / "around.html").as_uri())
    until(lambda: len(tab.frames) > 1)

    def hook(what: str) -> Any:
        return tab.frames[1].evaluate(
            f"(hook => hook && hook.{what})(document.querySelector('#murmurate')?.__murmurate)"
        )

    until(lambda: (hook("step") or 0) > 2)
    assert hook("kind") == "gl"
    tab.evaluate("scrollTo(0, 3000)")
    until(lambda: hook("kind") == "canvas")
    drawn = hook("drawn")
    tab.evaluate(MOMENTS)
    assert hook("drawn") == drawn
    tab.evaluate("scrollTo(0, 0)")
    until(lambda: hook("kind") == "gl" and hook("drawn") > drawn + 2)
