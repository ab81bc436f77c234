"""Public names of murmurate.exports, imported at first use."""

from .exporting import Exported as Exported
from .exporting import export as export
from .formats import ExportOptions as ExportOptions
