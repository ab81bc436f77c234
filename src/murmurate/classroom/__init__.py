"""Tasks in pages: questions that a page checks, codes of results, SCORM packages.

task
    A task as an immutable value that equals its TOML file.
codes
    Codes of results, which pages show and teachers check.
scorm
    Packages for learning platforms.

The folder tasks contains those that come with murmurate. Public names are imported at first use.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
