"""Draw stills, films and pages of frames without a screen: numpy, numba, Pillow and PyAV.

The public names are imported at first use, so that `import murmurate` stays fast.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
