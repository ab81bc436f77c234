"""One HTML file that holds all it needs: the viewer, what it shows, and a content security policy
that lets nothing run in the page but the viewer itself, and nothing be fetched."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
import zlib
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources

from murmurate.show.errors import ShowError

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
{texts}
</head>
<body>
<noscript><p>{title}: this page shows a flock in flight, and needs JavaScript for it.</p></noscript>
<div id="murmurate">{inside}</div>
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
  const root = document.getElementById("murmurate");
  if (!root.firstElementChild) root.textContent = "This page cannot be unpacked: " + error;
}
"""
_START = """
const murmurateText = (id) => document.getElementById("murmurate-" + id).textContent;
try {
  await %s(
    document.getElementById("murmurate"),
    JSON.parse(murmurateText("head")),
    murmurateText(%s),
  );
} catch (error) {
  const root = document.getElementById("murmurate");
  const why = document.createElement("p");
  why.textContent = "This flight cannot be shown: " + error;
  const said = root.querySelector("figcaption") ?? root;
  said.style.animation = "none";
  said.append(why);
}
"""


def html_page(
    function: str,
    head: object,
    texts: Mapping[str, str],
    *,
    title: str,
    made: str,
    policy: str = "",
    inside: str = "",
) -> str:
    """The file. Raises ShowError where the viewer was not built.

    function  of the viewer: it is given the page's element, the head, and the first text
    head      what JSON can say
    texts     name -> text in base64, which stand in elements named murmurate-NAME
    title     the page's
    made      which program made it
    policy    what it may do beside showing itself: sources of scripts; see _policy
    inside    HTML that stands in the page's element until the viewer takes it
    """
    script = _viewer_script(function, next(iter(texts)))
    packed_texts = {**texts, "viewer": packed(script.encode())}
    return _HTML.format(
        policy=html.escape(_policy([_UNPACK, script], policy)),
        made=html.escape(made),
        title=html.escape(title),
        style=_STYLE,
        head=_script_json(head),
        texts="\n".join(
            f'<script type="text/plain" id="murmurate-{name}">{text}</script>'
            for name, text in packed_texts.items()
        ),
        inside=inside,
        script=_UNPACK,
    )


def packed(data: bytes) -> str:
    """Bytes, deflated, in base64."""
    return base64.b64encode(zlib.compress(data, 9)).decode()


def _policy(scripts: list[str], more: str) -> str:
    hashes = " ".join(f"'sha256-{_hash(text)}'" for text in scripts)
    flies = f" {more}; worker-src blob:" if more else ""
    return (
        f"default-src 'none'; script-src {hashes}{flies}; style-src 'unsafe-inline'; "
        "img-src data: blob:; font-src data:; base-uri 'none'; form-action 'none'"
    )


@lru_cache(maxsize=1)
def viewer_text() -> str:
    """The built viewer, one JavaScript module. Raises ShowError where it was not built."""
    return built("viewer.js")


def built(name: str) -> str:
    """A file of the built viewer. Raises ShowError where it was not built."""
    file = resources.files("murmurate.show") / "viewer" / name
    try:
        return file.read_text(encoding="utf-8")
    except OSError:
        raise ShowError(
            "the viewer is not there: in a checkout, build it with 'npm ci && npm run build' in "
            "the folder viewer"
        ) from None


@lru_cache(maxsize=2)
def _viewer_script(name: str, text_name: str) -> str:
    """The viewer as a script of a page: its exports gone, one of them called with what the page
    holds."""
    text = viewer_text()
    exports = list(re.finditer(r"\bexport\s*\{([^{}]*)\}\s*;?", text))
    names = exports[-1][1] if exports else ""
    named = re.search(rf"([\w$]+)\s+as\s+{name}\b|\b({name})\b", names)
    if named is None:
        raise ShowError(f"the viewer has no {name}: build it again, in the folder viewer")
    last = exports[-1]
    return (
        text[: last.start()]
        + text[last.end() :]
        + _START
        % (
            named[1] or named[2],
            json.dumps(text_name),
        )
    )


def _hash(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def _script_json(value: object) -> str:
    """JSON that may stand in a script element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c")
