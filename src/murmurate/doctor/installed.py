"""The libraries that murmurate needs, installed or not, and commands that install the rest."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module, metadata
from pathlib import Path

import murmurate

MODULES = {"tomli-w": "tomli_w", "pillow": "PIL"}  # package -> module, if the names differ
LIBRARIES = (
    "numpy", "numba", "scipy", "pandas", "jinja2", "lazy_loader", "pydantic", "typing_extensions",
    "tomli-w", "platformdirs", "cyclopts", "rich", "av", "pillow", "starlette", "uvicorn",
    "websockets",
)  # fmt: skip


def installed_version(library: str) -> str:
    """Return the installed version of a library; '' if it is not installed."""
    try:
        return metadata.version(library)
    except metadata.PackageNotFoundError:
        return ""


def find_broken() -> dict[str, str]:
    """Return name -> error of the required libraries that cannot be imported."""
    errors = {}
    for name in LIBRARIES:
        try:
            import_module(MODULES.get(name, name))
        except Exception as error:  # with any error, the library is of no use
            first_line = (str(error).strip().splitlines() or [""])[0]
            errors[name] = f"{type(error).__name__}: {first_line}"
    return errors


def find_missing(libraries: Iterable[str]) -> list[str]:
    """Return the libraries that are not installed."""
    return [name for name in libraries if not installed_version(name)]


def package_folder() -> Path:
    """Return the folder from which murmurate is imported."""
    return Path(murmurate.__file__).parent


def checkout_folder() -> Path | None:
    """Return the folder of the repository; None if murmurate is installed as a package."""
    folder = package_folder().parent.parent
    return folder if (folder / "pyproject.toml").is_file() else None


def install_command(extras: Iterable[str]) -> str:
    """Return the command that installs these extras; without extras, the required libraries.

    The command for a checkout must run in its folder.
    """
    names = ",".join(extras)
    options, package = ("-e ", ".") if checkout_folder() else ("", "murmurate")
    return f'pip install {options}"{package}{f"[{names}]" if names else ""}"'
