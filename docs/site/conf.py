"""Sphinx's settings for the documentation site. `python docs/make_site.py` builds it.

Sources are the Markdown files of the repository, as they lie there, so that links between them hold
in both places; docs/site/ext adds what only a site can show.
"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "ext"), str(HERE.parent)]

import flocks  # noqa: E402
import jupyter_client  # noqa: E402
import zmq  # noqa: E402
from traitlets import default  # noqa: E402

from murmurate import __version__  # noqa: E402


class EncryptedKernelManager(jupyter_client.AsyncKernelManager):
    """Starts kernels that encrypt their messages, where the libraries can.

    Kernels that do not print a warning for each notebook.
    """

    @default("transport_encryption")
    def _encrypt(self) -> str:
        return "auto" if zmq.has("curve") else "disabled"


jupyter_client.AsyncKernelManager = EncryptedKernelManager  # which nbclient starts

flocks.few = tags.has("quick")  # noqa: F821
project = "murmurate"
author = "the murmurate authors"
copyright = f"{author}, MIT licence"
version = release = __version__

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx_copybutton",
    "sphinx_design",
    "progress",
    "commands",
    "reference_page",  # before extensions that read or change the text of its page
    "contents",
    "docstrings",
    "downloads",
    "formulas",
    "mathematics",
    "screen_readers",
    "live_pages",
    "flock_pages",
    "symptom_pages",
    "site_pages",
    "search_texts",
]
root_doc = "docs/index"
include_patterns = [
    "docs/*.md",
    "docs/api/*.rst",
    "docs/coming-from/*.md",
    "docs/lessons/*.md",
    "docs/lessons/*.ipynb",
    "docs/measures/*.md",
    "docs/models/*.md",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "benchmarks/README.md",
    "benchmarks/results/README.md",
]
exclude_patterns = [".*", "build", "viewer", "src", "tests", "docs/site", "**/.ipynb_checkpoints"]

myst_heading_anchors = 4
myst_enable_extensions = ["dollarmath"]
html_math_renderer = "mathml"
myst_html_meta = {
    "description": "The flocking simulator in Python: published flocks, live, exact and fast"
}
nb_execution_mode = "cache"
nb_execution_raise_on_error = True
nb_execution_timeout = 300
nb_execution_excludepatterns = ["[1-9]-*.ipynb"] if tags.has("quick") else []  # noqa: F821
nb_execution_cache_path = str(HERE.parent.parent / "build" / "notebooks")
copybutton_prompt_text = "$ "
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
python_maximum_signature_line_length = 88
python_use_unqualified_type_names = True
toc_object_entries_show_parents = "hide"

html_theme = "pydata_sphinx_theme"
html_title = f"murmurate {version}"
html_static_path = ["static"]
templates_path = ["templates"]
html_css_files = ["site.css"]
html_js_files = [("flocks.js", {"defer": "defer"}), ("tables.js", {"defer": "defer"})]
html_favicon = "static/favicon.svg"
html_copy_source = False
html_show_sphinx = False
html_show_search_summary = False  # they are fetched, which no browser does from disk: search_texts
# A name that ends so is not rendered twice: once to see whether it is empty.
html_sidebars = {"**": ["docs-sidebar-nav-bs.html"], "index": [], "gallery": [], "compare": []}
html_context = {"default_mode": "auto"}
html_theme_options = {
    "navbar_start": ["site-logo.html"],
    "navbar_center": ["site-nav.html"],
    "navbar_end": ["version.html", "theme-switcher"],
    "navbar_persistent": ["search-field.html"],
    "navbar_align": "left",
    "footer_start": ["copyright"],
    "footer_end": ["cite.html"],
    "secondary_sidebar_items": {"**": ["page-toc"], "index": [], "gallery": [], "compare": []},
    "show_prev_next": False,
    "pygments_light_style": "tango",
    "pygments_dark_style": "github-dark",
    "back_to_top_button": False,
}
