"""Tasks in pages: questions that a page checks, codes of results, SCORM packages.

task
    A task as an immutable value that equals its TOML file.
codes
    The code that a page shows at the end, and what a teacher reads from it.
scorm
    Packages for learning platforms.

The tasks that come with murmurate are in the folder tasks. The public names are imported at first
use.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
