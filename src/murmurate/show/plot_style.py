"""Deprecated module: `set_plot_look` is in murmurate.plots.style."""

from murmurate.deprecation import renamed_names

__getattr__ = renamed_names(
    "murmurate.show.plot_style", {"set_plot_look": ("murmurate.plots.style", "set_plot_look")}
)
