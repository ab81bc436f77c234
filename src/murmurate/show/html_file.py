"""Write a self-contained HTML file: the viewer, its data and a content security policy.

The policy allows the page to run the viewer alone and to fetch nothing.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
import zlib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import resources
from typing import Any

from murmurate.errors import ShowError
from murmurate.show.languages import translated, words

_HTML = """\
<!DOCTYPE html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="{generator}">
<link rel="icon" href="data:,">
<title>{title}</title>
<style>{style}</style>
<script type="application/json" id="murmurate-head">{head}</script>
{texts}
</head>
<body>
<noscript><p>{noscript}</p></noscript>
<div id="murmurate">{inside}</div>
<script type="module">{script}</script>
</body>
</html>
"""
NOSCRIPT = "{title}: this page shows a flock in flight, and needs JavaScript for it."
_STYLE = "html,body{margin:0;height:100%}#murmurate{height:100%}noscript p{margin:2em}"
LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%:()*+-;,=.?@^_`{|}~"
"""The digits of base 85: those of base64.b85encode, with , . : in place of < > &."""
_SAFE = str.maketrans("<>&", ",.:")
_UNSAFE = str.maketrans(",.:", "<>&")
# The viewer is compressed to less than half; the policy has the hash of the decompressed script.
_UNPACK = """
try {
  const text = document.getElementById("murmurate-viewer").textContent;
  const digits = new Uint8Array(128).fill(84);
  [..."LETTERS"].forEach((letter, digit) => (digits[letter.charCodeAt(0)] = digit));
  const bytes = new Uint8Array(Math.floor(0.8 * text.length));
  for (let k = 0, at = 0; at < bytes.length; k += 5) {
    let value = 0;
    for (let j = k; j < k + 5; j++) value = 85 * value + (digits[text.charCodeAt(j)] ?? 84);
    for (let bits = 24; bits >= 0; bits -= 8) bytes[at++] = value >>> bits;
  }
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const viewer = document.createElement("script");
  viewer.type = "module";
  viewer.textContent = await new Response(stream).text();
  document.head.append(viewer);
} catch (error) {
  const root = document.getElementById("murmurate");
  if (!root.firstElementChild) root.textContent = "This page cannot be unpacked: " + error;
}
""".replace("LETTERS", LETTERS)
_START = """
const murmurateText = (id) => document.getElementById("murmurate-" + id).textContent;
try {
  await %s(murmurateText("words"));
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
    generator: str,
    scenes: Sequence[Mapping[str, Any]] = (),
    language: str = "",
    policy: str = "",
    scripts: Sequence[str] = (),
    inside: str = "",
) -> str:
    """Return the text of an HTML file.

    function  function of the viewer that is called with the element of the page, the head and the
        first text
    head  metadata
    texts  data, stored in elements named murmurate-NAME
    generator  program that wrote the page
    scenes  what it shows, whose texts are translated
    language  the page's; empty: the reader's
    policy  additional sources of scripts for the content security policy
    scripts  texts of scripts that the viewer may add to the page
    inside  HTML inside the element of the page until the viewer replaces it
    raises ShowError  the viewer was not built
    """
    viewer = viewer_text("replay.js" if function == "mountReplay" else "viewer.js")
    script = _viewer_script(viewer, function, next(iter(texts)))
    own = {
        "words": packed_words(scenes, language, [viewer, *scripts]),
        "viewer": deflate_text(script.encode()),
    }
    return _HTML.format(
        policy=html.escape(_policy([_UNPACK, script, *scripts], policy)),
        generator=html.escape(generator),
        title=html.escape(title),
        language=language or "en",
        noscript=html.escape(translated(NOSCRIPT, language).format(title=title)),
        style=_STYLE,
        head=_script_json(head),
        texts="\n".join(
            f'<script type="text/plain" id="murmurate-{name}">{text}</script>'
            for name, text in {**texts, **own}.items()
        ),
        inside=inside,
        script=_UNPACK,
    )


def packed_words(
    scenes: Sequence[Mapping[str, Any]] | None, language: str, scripts: Sequence[str] | None = None
) -> str:
    """Return the messages that the viewer's function speak takes; see languages.py.

    Those that none of the page's scripts contains are left out.
    """

    def omitted(text: str) -> bool:
        return scripts is not None and not any(text in script for script in scripts)

    return deflate_text(words(scenes, language, omitted).encode())


def deflate_text(data: bytes) -> str:
    """Compress bytes with deflate and encode them in 85 letters that are safe in HTML."""
    return base64.b85encode(zlib.compress(data, 9)).decode().translate(_SAFE)


def inflate_text(text: str) -> bytes:
    """Return the bytes of a text of `deflate_text`."""
    return zlib.decompress(base64.b85decode(text.translate(_UNSAFE)))


def deflate_base64(data: bytes) -> str:
    """Compress bytes with deflate and encode them in base64."""
    return base64.b64encode(zlib.compress(data, 9)).decode()


def _policy(scripts: list[str], sources: str) -> str:
    """Return the content security policy for some scripts and additional sources of scripts."""
    hashes = " ".join(f"'sha256-{_hash(text)}'" for text in scripts)
    workers = f" {sources}; worker-src blob:" if sources else ""
    return (
        f"default-src 'none'; script-src {hashes}{workers}; style-src 'unsafe-inline'; "
        "img-src data: blob:; font-src data:; base-uri 'none'; form-action 'none'"
    )


@lru_cache(maxsize=2)
def viewer_text(name: str = "viewer.js") -> str:
    """Return the built viewer, a JavaScript module; replay.js is that of replays.

    raises ShowError  it was not built
    """
    return viewer_file(name)


def viewer_file(name: str) -> str:
    """Return the text of a file of the built viewer. Raises ShowError if it was not built."""
    file = resources.files("murmurate.show") / "viewer" / name
    try:
        return file.read_text(encoding="utf-8")
    except OSError:
        raise ShowError(
            f"viewer: {name} is missing. In a checkout, build it with 'npm ci && npm run build' in "
            "the folder viewer"
        ) from None


@lru_cache(maxsize=2)
def _viewer_script(viewer: str, name: str, text_name: str) -> str:
    """Return the viewer as a script of a page.

    Its exports are removed, and one of them is called with the data of the page.
    """
    exports = list(re.finditer(r"\bexport\s*\{([^{}]*)\}\s*;?", viewer))
    names = exports[-1][1] if exports else ""
    called = []
    for each in ("speak", name):
        match = re.search(rf"([\w$]+)\s+as\s+{each}\b|\b({each})\b", names)
        if match is None:
            raise ShowError(f"viewer: has no function {each}. Build it again, in the folder viewer")
        called.append(match[1] or match[2])
    last = exports[-1]
    start = _START % (*called, json.dumps(text_name))
    return viewer[: last.start()] + viewer[last.end() :] + start


def _hash(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def _script_json(value: object) -> str:
    """Return JSON that is safe inside a script element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c")
