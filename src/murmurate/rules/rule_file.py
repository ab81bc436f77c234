"""Rule files: Python files with a user's own rules and motions."""

from __future__ import annotations

import hashlib
import importlib.util
import linecache
import os
import sys
import traceback
from pathlib import Path
from types import ModuleType

from murmurate.disk import read_bytes
from murmurate.errors import RuleError
from murmurate.model.registry import MOTIONS, RULES, restore_on_error


def load_rules(file: str | os.PathLike[str]) -> None:
    """Run a Python file, which registers its rules and motions for use in models.

    It does the same as `--rules` on the command line. If the file is run again, its new classes
    replace the old ones, and classes that it no longer has are removed. Running simulations keep
    their rules.

    Parameters
    ----------
    file : str or path
        The Python file.

    Raises
    ------
    RuleError
        For a file that does not exist or raises an exception; the message names the line. The
        registered rules are then unchanged.
    """
    path = Path(file)
    if not path.is_file():
        raise RuleError(f"--rules {path}: got a file that does not exist; expected a Python file")
    resolved = path.resolve()
    name = f"rules_of_{hashlib.sha256(str(resolved).encode()).hexdigest()[:12]}"
    spec = importlib.util.spec_from_file_location(name, resolved)
    if spec is None or spec.loader is None:
        raise RuleError(f"--rules {path}: expected a Python file, whose name ends in .py")
    module, previous = importlib.util.module_from_spec(spec), sys.modules.get(name)
    sys.modules[name] = module
    linecache.cache.pop(str(resolved), None)
    try:
        with restore_on_error() as before:
            _run(module, path, resolved)
    except BaseException:
        sys.modules.pop(name)
        if previous is not None:
            sys.modules[name] = previous
        raise
    for registry, classes in zip((RULES, MOTIONS), before, strict=True):
        for kind, cls in classes.items():
            if cls.__module__ == name and registry[kind] is cls:
                del registry[kind]


def _run(module: ModuleType, path: Path, resolved: Path) -> None:
    """Run a file as a module. Raises RuleError for any exception in it."""
    folder = str(resolved.parent)
    sys.path.append(folder)  # a rule file may import modules of its folder
    try:
        # Compile the text: bytecode files do not tell apart versions of the same second and length.
        code = importlib.util.decode_source(read_bytes(resolved))
        exec(compile(code, str(resolved), "exec", dont_inherit=True), module.__dict__)
    except SyntaxError as error:
        where = error.filename if error.filename not in (None, str(resolved)) else path
        raise RuleError(f"{where}:{error.lineno}: {error.msg}") from None
    except (Exception, SystemExit) as error:
        text = str(error).splitlines() or ["stopped without a message"]
        raise RuleError(
            f"{path}{_error_line(error, str(resolved))}: {type(error).__name__}: {text[0]}"
        ) from None
    finally:
        sys.path.remove(folder)


def _error_line(error: BaseException, file: str) -> str:
    """Return ':12' for an exception in line 12 of a file; '' for one outside of it."""
    lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == file]
    return f":{lines[-1]}" if lines else ""
