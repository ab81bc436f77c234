"""Every WGSL module compiles in a browser: Tint refuses some of what wgpu's compiler takes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import murmurate as mm
from murmurate.codegen.planner import make_plan
from murmurate.engines.gpu.gpu_engine import GpuEngine
from murmurate.engines.gpu.wgsl_modules import WgslModules
from murmurate.engines.options import RunOptions
from structures import STRUCTURES

pytestmark = pytest.mark.slow

COMPILE = """async (texts) => {
  const device = await (await navigator.gpu?.requestAdapter())?.requestDevice();
  if (!device) return null;
  const errors = [];
  for (const [name, code] of texts) {
    device.pushErrorScope("validation");
    const { messages } = await device.createShaderModule({ code }).getCompilationInfo();
    await device.popErrorScope();
    const wrong = messages.find(({ type }) => type === "error");
    if (wrong) errors.push(`${name}, line ${wrong.lineNum}: ${wrong.message}`);
  }
  return errors;
}"""


def texts() -> dict[str, str]:
    """The different modules of published and random models: text -> where it is from."""
    published = {name: mm.load(name) for name in mm.zoo()}
    models = published | {f"structure {name}": make() for name, (make, _) in STRUCTURES.items()}
    modules = {}
    for name, model in models.items():
        if GpuEngine.problems(model, RunOptions("gpu")):
            continue
        # As in pages, which write down vectors of rules, and whole steps, which pages do not have.
        plan = make_plan(model)
        steps = {k: m for k, m in WgslModules(plan).modules().items() if k == "steps"}
        for kind, module in (WgslModules(plan, probes=True).modules() | steps).items():
            modules.setdefault(module.text, f"{name}, module {kind}")
    return modules


def test_every_module_compiles_in_a_browser(tab: Any, tmp_path: Path) -> None:
    path = tmp_path / "empty.html"
    path.write_text("<!doctype html><title>shaders</title>")
    tab.goto(path.as_uri())
    broken = [["broken", "fn f() -> u32 { return 1.5; }"]]
    errors = tab.evaluate(COMPILE, broken)
    if errors is None:
        pytest.skip("this browser has no software adapter for WebGPU")
    assert len(errors) == 1  # the check itself
    modules = texts()
    assert len(modules) > 60
    assert tab.evaluate(COMPILE, [[name, text] for text, name in modules.items()]) == []
