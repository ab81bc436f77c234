"""Recordings: frames on disk, durable, exact, and readable by other tools. See docs/recordings.md.

The public names are imported when first used, so that `import murmurate` stays fast.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
