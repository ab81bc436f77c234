"""Notebooks that are run and exported as HTML."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from processes import ran_well


def exported(folder: Path, texts: Sequence[str]) -> Path:
    """The HTML that nbconvert makes of these cells; the kernel that ran them has ended."""
    about = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    cell = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": []}
    cells = [{**cell, "id": f"cell-{k}", "source": text} for k, text in enumerate(texts)]
    notebook = {"cells": cells, "metadata": about, "nbformat": 4, "nbformat_minor": 5}
    (folder / "flock.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    folders = {"JUPYTER_CONFIG_DIR": "config", "JUPYTER_DATA_DIR": "data", "IPYTHONDIR": "ipython"}
    folders |= {"JUPYTER_RUNTIME_DIR": "runtime"}
    ran_well(
        sys.executable, "-m", "nbconvert", "--to", "html", "--execute", "flock.ipynb",
        cwd=folder,
        env=os.environ | {name: str(folder / subfolder) for name, subfolder in folders.items()},
    )  # fmt: skip
    return folder / "flock.html"
