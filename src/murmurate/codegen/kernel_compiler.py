"""Kernel compiler: numba's pipeline without the passes that generated kernels have no use for.

Kernels hold no closures, comprehensions, `with` blocks, array expressions or literal loops, so the
passes that look for them walk through thousands of statements to find nothing. Passes that are not
named here, those of a later numba too, stay as they are.
"""

from __future__ import annotations

from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import PassManager

UNUSED = {
    "WithLifting",
    "InlineClosureLikes",
    "RewriteSemanticConstants",
    "DeadBranchPrune",
    "RewriteDynamicRaises",
    "MakeFunctionToJitFunction",
    "InlineInlinables",
    "FindLiterallyCalls",
    "LiteralUnroll",
    "LiteralPropagationSubPipelinePass",
    "InlineOverloads",
    "NopythonRewrites",
}


class KernelCompiler(CompilerBase):
    """Compiles one generated function."""

    def define_pipelines(self) -> list[PassManager]:
        default = DefaultPassBuilder.define_nopython_pipeline(self.state)
        lean = PassManager("kernel")
        for found, description in default.passes:
            cls = found if isinstance(found, type) else type(found)
            if cls.__name__ not in UNUSED:
                lean.add_pass(found, description)
        lean.finalize()
        return [lean]
