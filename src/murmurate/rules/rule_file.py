"""Rule files: Python files with a user's own rules, run only when asked for with --rules or
load_rules."""

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
    """Runs a Python file; the rules and motions in it make themselves known to model files, as
    --rules does on the command line. Run again, it takes the place of what it was: a class that is
    no longer in it is not known any more. What flies already keeps its rules.

    Raises RuleError, naming the line, for whatever goes wrong in it: then nothing has changed.
    """
    path = Path(file)
    if not path.is_file():
        raise RuleError(f"--rules {path}: there is no such file; give a Python file with rules")
    whole = path.resolve()
    name = f"rules_of_{hashlib.sha256(str(whole).encode()).hexdigest()[:12]}"
    spec = importlib.util.spec_from_file_location(name, whole)
    if spec is None or spec.loader is None:
        raise RuleError(f"--rules {path}: it must be a Python file, ending in .py")
    module, older = importlib.util.module_from_spec(spec), sys.modules.get(name)
    sys.modules[name] = module
    linecache.cache.pop(str(whole), None)
    try:
        with restore_on_error() as before:
            _run(module, path, whole)
    except BaseException:
        sys.modules.pop(name)
        if older is not None:
            sys.modules[name] = older
        raise
    for registry, known in zip((RULES, MOTIONS), before, strict=True):
        for kind, cls in known.items():
            if cls.__module__ == name and registry[kind] is cls:
                del registry[kind]


def _run(module: ModuleType, path: Path, whole: Path) -> None:
    """Runs a file as a module."""
    folder = str(whole.parent)
    sys.path.append(folder)  # a rule file may import its neighbours
    try:
        # from its text: two versions of one second and one length share a file of bytecode
        code = importlib.util.decode_source(read_bytes(whole))
        exec(compile(code, str(whole), "exec", dont_inherit=True), module.__dict__)
    except SyntaxError as error:
        where = error.filename if error.filename not in (None, str(whole)) else path
        raise RuleError(f"{where}:{error.lineno}: {error.msg}") from None
    except (Exception, SystemExit) as error:
        text = str(error).splitlines() or ["it stopped"]
        raise RuleError(
            f"{path}{_line(error, str(whole))}: {type(error).__name__}: {text[0]}"
        ) from None
    finally:
        sys.path.remove(folder)


def _line(error: BaseException, file: str) -> str:
    """':12' where the file was at line 12 when it went wrong."""
    lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == file]
    return f":{lines[-1]}" if lines else ""
