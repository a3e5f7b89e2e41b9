"""Compiles functions that only compiled code calls, as parts of it.

By itself Numba makes each function fast and makes machine code of it, and then does the same again for
whatever it is copied into. Here that is done once, to the whole: a strong player compiles in about 0.6 of
the time, to the same code. This reaches into Numba, so it is done with versions that are known, and
others compile as usual.
"""

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.typed_passes import BaseNativeLowering, NativeLowering

KNOWN = ((0, 68),)
"""Versions of Numba that this was tried with."""


def is_known(version: tuple[int, int]) -> bool:
    """Say whether functions can be compiled as parts by a version of Numba.

    >>> is_known((0, 68)), is_known((9, 0))
    (True, False)
    """
    return version in KNOWN


class _Part(JITCodeLibrary):
    """What is made of a function that only compiled code calls: neither fast nor machine code yet."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


@register_pass(mutates_CFG=True, analysis_only=False)
class _LowerPart(NativeLowering):
    """The last step of compiling a part."""

    _name = "qlub_lower_part"

    def run_pass(self, state: Any) -> bool:
        state.library = _Part(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        # Numba looks functions up by a built-in one of their own that could be called, though nobody does.
        never_called: Any = [].append
        state.targetctx.insert_user_function(never_called, state.cr.fndesc, [state.library])
        state.cr = state.cr._replace(cfunc=never_called)
        return True


class PartCompiler(CompilerBase):
    """Compiles functions to parts."""

    def define_pipelines(self) -> list[PassManager]:
        passes = PassManager("part")
        for step, about in DefaultPassBuilder.define_nopython_pipeline(self.state).passes:
            is_last = issubclass(step, BaseNativeLowering)
            passes.add_pass(_LowerPart if is_last else step, about)
        passes.finalize()
        return [passes]
