"""One self-contained HTML file that replays a run: no network, no other files, any browser.

The file is the viewer and the frames, both compressed, and metadata as JSON. A
content security policy lets nothing run in it but the viewer itself, and nothing be fetched.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import os
import re
import zlib
from collections.abc import Iterable
from functools import lru_cache
from importlib import resources
from pathlib import Path

from murmurate.frame import Frame
from murmurate.model.model import Model
from murmurate.show.errors import ShowError, WriteFailed
from murmurate.show.output import atomic_write, check_output
from murmurate.show.replay_builder import Replay, ReplayBuilder, check_size

_HTML = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="{made}">
<link rel="icon" href="data:,">
<title>{title}</title>
<style>{style}</style>
<script type="application/json" id="murmurate-head">{head}</script>
<script type="text/plain" id="murmurate-flight">{payload}</script>
<script type="text/plain" id="murmurate-viewer">{viewer}</script>
</head>
<body>
<noscript><p>{title}: this page shows a flock in flight, and needs JavaScript for it.</p></noscript>
<div id="murmurate"></div>
<script type="module">{script}</script>
</body>
</html>
"""
_STYLE = "html,body{margin:0;height:100%}#murmurate{height:100%}noscript p{margin:2em}"
# The viewer is packed, to less than half; the page's policy names the hash of what comes out.
_UNPACK = """
try {
  const packed = atob(document.getElementById("murmurate-viewer").textContent);
  const bytes = Uint8Array.from(packed, (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const viewer = document.createElement("script");
  viewer.type = "module";
  viewer.textContent = await new Response(stream).text();
  document.head.append(viewer);
} catch (error) {
  document.getElementById("murmurate").textContent = "This page cannot be unpacked: " + error;
}
"""
_START = """
const murmurateText = (id) => document.getElementById(id).textContent;
try {
  await %s(
    document.getElementById("murmurate"),
    JSON.parse(murmurateText("murmurate-head")),
    murmurateText("murmurate-flight"),
  );
} catch (error) {
  document.getElementById("murmurate").textContent = "This flight cannot be shown: " + error;
}
"""
IFRAME_HEIGHT = 480


class Page(str):
    """The text of a page. A notebook displays it as the page.

    frames       frames of the flight in it
    path         the file that it was written to, None before that
    interrupted  whether Ctrl-C ended the flight early
    """

    frames: int = 0
    path: Path | None = None
    interrupted: bool = False

    @property
    def bytes(self) -> int:
        """Its size as a file."""
        return len(self) if self.isascii() else len(self.encode())

    def __repr__(self) -> str:
        where = f" in {self.path}" if self.path else ""
        return f"<Page: {self.frames} frames, {self.bytes / 1e6:.1f} MB{where}>"

    def _repr_html_(self) -> str:
        return in_iframe(self)

    def write(self, path: str | os.PathLike[str], force: bool = False) -> Path:
        """Writes the file; it appears under its name when it is complete.

        Raises OutputRefused for a path that cannot be written to or a file that is there (unless
        force), WriteFailed when writing began and failed; no file is left then.
        """
        whole = check_output(path, force, "page")
        try:
            with atomic_write(whole) as draft:
                draft.write_text(self, encoding="utf-8", newline="\n")
        except OSError as error:
            raise WriteFailed(
                f"{whole}: writing the page failed: {error.strerror or error}. No file was left; "
                "free some space or give another path, and run again"
            ) from error
        self.path = whole
        return whole


def page_of(
    frames: Iterable[Frame],
    model: Model | None = None,
    *,
    toml: str = "",
    comment: str = "",
    frames_per_second: float | None = None,
) -> Page:
    """The page of a flight.

    frames             of the same boids in the same space; taken one by one
    model              whose flight it is: its names, looks and view are the page's
    toml               its text, for the page's 'copy model'
    comment            kept in the file: which program and seed made it
    frames_per_second  how fast it plays; as the model's view says unless given

    Raises ShowError when there is no frame, or the page would be too large. Ctrl-C while frames
    are made ends the run there, and the page says interrupted; with no frame by then it is raised.
    """
    viewer_text()
    builder, interrupted = ReplayBuilder(), False
    try:
        for frame in frames:
            builder.add(frame)
    except KeyboardInterrupt:
        if not len(builder):
            raise
        interrupted = True
    made = builder.build(model, toml=toml, comment=comment, frames_per_second=frames_per_second)
    page = page_of_replay(made)
    page.interrupted = interrupted
    return page


def page_of_replay(replay: Replay) -> Page:
    """The page of a replay. Raises ShowError where the viewer was not built."""
    script = _viewer_script("mountReplay")
    hashes = " ".join(f"'sha256-{_hash(text)}'" for text in (_UNPACK, script))
    policy = (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; "
        "img-src data: blob:; font-src data:; base-uri 'none'; form-action 'none'"
    )
    title = replay.head["scene"]["title"] or "A flock"
    page = Page(
        _HTML.format(
            policy=html.escape(policy),
            made=html.escape(replay.head["comment"] or "murmurate"),
            title=html.escape(title),
            style=_STYLE,
            head=_script_json(replay.head),
            payload=replay.payload,
            viewer=base64.b64encode(zlib.compress(script.encode(), 9)).decode(),
            script=_UNPACK,
        )
    )
    page.frames = replay.head["frames"]
    return page


def in_iframe(page: str, height: int = IFRAME_HEIGHT) -> str:
    """The page inside another one, such as a notebook's: an iframe that holds its text."""
    inside = page.replace("&", "&amp;").replace('"', "&quot;")
    return (
        f'<iframe srcdoc="{inside}" title="A flock in flight" allow="clipboard-write; fullscreen" '
        f'sandbox="allow-scripts allow-downloads" '
        f'style="width:100%;height:{height}px;border:0"></iframe>'
    )


def check_page(boids: int, frames: int, dims: int) -> None:
    """Raises where no page can be made: OutputRefused for one too large, ShowError where the
    viewer was not built."""
    check_size(boids, frames, dims)
    viewer_text()


@lru_cache(maxsize=1)
def viewer_text() -> str:
    """The built viewer, one JavaScript module. Raises ShowError where it was not built."""
    file = resources.files("murmurate.show") / "viewer" / "viewer.js"
    try:
        return file.read_text(encoding="utf-8")
    except OSError:
        raise ShowError(
            "the viewer is not there: in a checkout, build it with 'npm ci && npm run build' in "
            "the folder viewer"
        ) from None


@lru_cache(maxsize=2)
def _viewer_script(name: str) -> str:
    """The viewer as a script of a page: its exports gone, one of them called with the page's
    flight."""
    text = viewer_text()
    exports = list(re.finditer(r"\bexport\s*\{([^{}]*)\}\s*;?", text))
    names = exports[-1][1] if exports else ""
    named = re.search(rf"([\w$]+)\s+as\s+{name}\b|\b({name})\b", names)
    if named is None:
        raise ShowError(f"the viewer has no {name}: build it again, in the folder viewer")
    last = exports[-1]
    return text[: last.start()] + text[last.end() :] + _START % (named[1] or named[2])


def _hash(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def _script_json(value: object) -> str:
    """JSON that may stand in a script element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c")
