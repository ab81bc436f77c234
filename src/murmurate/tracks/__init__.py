"""Tracks of real animals: files of trackers as frames, which measures treat like a flock.

See docs/real-tracks.md.

The public names are imported when first used, so that `import murmurate` stays fast.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
