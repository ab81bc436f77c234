"""Public names of murmurate.tracks, imported at first use."""

from .opening import open_tracks as open_tracks
from .options import TableFormat as TableFormat
from .tracks import Tracks as Tracks
