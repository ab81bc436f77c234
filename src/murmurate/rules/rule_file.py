"""Rule files: Python files with a user's own rules, run only when asked for with --rules."""

from __future__ import annotations

import hashlib
import importlib.util
import sys
import traceback
from pathlib import Path

from murmurate.errors import RuleError


def run_rule_file(path: Path) -> None:
    """Runs the file; its classes make themselves known to model files.

    Raises RuleError, naming the line, for whatever goes wrong in it.
    """
    if not path.is_file():
        raise RuleError(f"--rules {path}: there is no such file; give a Python file with rules")
    whole = path.resolve()
    name = f"rules_of_{hashlib.sha256(str(whole).encode()).hexdigest()[:12]}"
    spec = importlib.util.spec_from_file_location(name, whole)
    if spec is None or spec.loader is None:
        raise RuleError(f"--rules {path}: it must be a Python file, ending in .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    folder = str(whole.parent)
    sys.path.append(folder)  # a rule file may import its neighbours
    try:
        spec.loader.exec_module(module)
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
