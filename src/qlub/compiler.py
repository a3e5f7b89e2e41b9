"""Compiles the kernels of the rules and the players, and keeps what was compiled.

What is compiled lies in a folder named by a hash of every source that goes into it, so an edited rule
is never played by an old compilation.
"""

import hashlib
import os
import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from inspect import signature
from pathlib import Path
from types import FrameType, MappingProxyType, ModuleType
from typing import Any

import numba
import numpy as np
from llvmlite import binding as llvm  # type: ignore[import-untyped]
from llvmlite import ir
from numba import int64, typeof, uint64
from numba.extending import intrinsic, overload, register_jitable
from platformdirs import user_cache_path

import qlub
from qlub import kernel
from qlub.core import luck
from qlub.core.files import appearing, lock
from qlub.parts import PartCompiler, is_known

Function = Callable[..., Any]

ROOM_NEEDED = 1 << 22
MOST_KEPT = 40
"""How many folders of compiled code are kept, those used last; one state of all games has seven."""

config: Any = numba.config

_KERNEL = '''"""Written by qlub: a kernel, ready to be compiled."""

from numba import njit

from {module} import {name}


@njit(cache=True, nogil=True, _nrt=False)
def run({arguments}):
    return {name}({arguments})
'''


def _ahead(state: Any, words: Any) -> Function:
    """Count with unsigned numbers of 64 bits, which Python does not have."""

    def ahead(state: Any, words: Any) -> Any:
        return int64(uint64(state) + uint64(0xA0761D6478BD642F) * uint64(words))

    return ahead


@intrinsic
def _fold(typing: Any, one: Any, other: Any) -> Any:
    """Multiply two numbers of 64 bits and lay both halves of the product over each other."""

    def emit(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
        long = ir.IntType(128)
        product = builder.mul(*(builder.zext(one, long) for one in arguments))
        folded = builder.xor(product, builder.lshr(product, long(64)))
        return builder.trunc(folded, ir.IntType(64))

    return uint64(uint64, uint64), emit


def _word_of(state: Any) -> Function:
    def word_of(state: Any) -> Any:
        number = uint64(state)
        folded: Any = _fold(number, number ^ uint64(0xE7037ED1A0B428DB))  # type: ignore[call-arg]
        return int64(folded >> uint64(1))

    return word_of


@intrinsic
def _population(typing: Any, bits: Any) -> Any:
    """Count bits by the processor's own instruction."""
    return bits(bits), lambda _, builder, __, arguments: builder.ctpop(arguments[0])


def _count_bits(bits: Any) -> Function:
    def count(bits: Any) -> Any:
        return _population(bits)  # type: ignore[call-arg]  # the first one is the compiler's own

    return count


@intrinsic
def _deposit(typing: Any, bits: Any, mask: Any) -> Any:
    """Spread bits over the places of a mask, lowest first, by an instruction of newer x86 processors."""

    def emit(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
        word = ir.IntType(64)
        pdep = builder.module.declare_intrinsic(
            "llvm.x86.bmi.pdep.64", fnty=ir.FunctionType(word, [word, word])
        )
        return builder.call(pdep, arguments)

    return int64(int64, int64), emit


def _bit_at(bits: Any, number: Any) -> Function:
    """Find a bit without a loop, which would take as long as nobody can foresee, where there is a way."""

    def deposit(bits: Any, number: Any) -> Any:
        return _deposit(1 << number, bits)  # type: ignore[call-arg]

    def loop(bits: Any, number: Any) -> Any:
        for _ in range(number):
            bits &= bits - 1
        return bits & -bits

    return deposit if llvm.get_host_cpu_features().get("bmi2") else loop


_BY_HAND: dict[Any, Any] = {
    luck.ahead: _ahead,
    luck.word_of: _word_of,
    kernel.count_bits: _count_bits,
    kernel.bit_at: _bit_at,
}
"""What compiled code does in another way than the plain function that it stands for."""


_COPIED: Any = {
    "forceinline": True,
    "no_cfunc_wrapper": True,
    "no_cpython_wrapper": True,
    "_nrt": False,
    **({"pipeline_class": PartCompiler} if is_known(numba.version_info.short) else {}),
}
"""How functions are compiled that only compiled code calls; they make no arrays, so nobody counts them."""
_APART: Any = {**_COPIED, "forceinline": False}  # said, or it is taken over from who calls them
"""And those that are not copied to where they are called."""


def _register_kernels() -> None:
    """Let compiled code call every function that was marked so far."""
    while kernel.marked:
        function: Any = kernel.marked.pop()
        if function in _BY_HAND:
            overload(function, jit_options=_COPIED)(_BY_HAND[function])
        else:
            options = _APART if kernel.is_apart(function) else _COPIED
            register_jitable(**options)(function)


@contextmanager
def _loops(vectors: bool) -> Iterator[None]:
    """Compile loops to vectors or as they are: those over seats are far too short to be worth it."""
    before = config.LOOP_VECTORIZE
    config.LOOP_VECTORIZE = int(vectors)
    try:
        yield
    finally:
        config.LOOP_VECTORIZE = before


def array(numbers: list[Any]) -> Any:
    """Return numbers as compiled code reads and writes them."""
    return np.array(numbers)


def compile_kernel(function: Function, *examples: object, vectors: bool = False) -> Function:
    """Return a marked function compiled for arguments like these; it lets other threads run meanwhile.

    `vectors` is for functions with long loops over numbers.
    """
    source = _KERNEL.format(
        module=function.__module__,
        name=function.__name__,
        arguments=", ".join(signature(function).parameters),
    )
    home = Path(str(sys.modules[function.__module__].__file__)).parent
    types = tuple(map(typeof, examples))
    return compile_source(function.__name__, source, types, home, vectors=vectors).run  # type: ignore[no-any-return]


def compile_source(
    name: str,
    source: str,
    types: tuple[Any, ...],
    home: Path | None,
    names: Mapping[str, Function] = MappingProxyType({}),
    vectors: bool = False,
) -> Any:
    """Run a source in which `names` are known, and compile its function `run` for arguments of these types.

    It compiles unless that was done before on this machine; who needs the same at the same time waits
    for who came first. `home` is the folder of what the source calls. Without it nobody can tell what it
    depends on, so nothing is kept.
    """
    _register_kernels()
    file = _kept(name, source, _fingerprint(home, vectors)) if home else None
    module = _load(name, source, names, file)
    with _first_to_come(file), _loops(vectors), _interruptible():
        try:
            module.run.compile(types)
        except Exception:  # Numba lets through whatever a damaged file leads to
            if not (file and _forget(file)):
                raise
            module = _load(name, source, names, file)
            module.run.compile(types)
    return module


def _fingerprint(home: Path, vectors: bool) -> str:
    """Return a hash of all that our own compiled code is made of: rules, players, and the compiler."""
    package = Path(qlub.__file__).parent
    files = {
        package / "kernel.py",
        *(package / "core").glob("*.py"),
        *(package / "bots").glob("*.py"),
        *home.glob("*.py"),
        package / "parts.py",
        Path(__file__),
    }
    compiler = (sys.version, numba.__version__, config.BOUNDSCHECK, vectors)
    digest = hashlib.sha256(repr(compiler).encode())
    for file in sorted(files):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:20]


def _kept(name: str, source: str, fingerprint: str) -> Path | None:
    """Return where a source is kept, and what Numba makes of it; None where nothing can be kept."""
    name = f"{name}_{hashlib.sha256(source.encode()).hexdigest()[:12]}.py"
    file = user_cache_path("qlub") / "compiled" / fingerprint / name
    try:
        _keep(file, source)
        file.with_suffix(".lock").touch()
        os.utime(file.parent)
        _check_room(file.parent)
    except OSError:
        return None
    return file


def _load(name: str, source: str, names: Mapping[str, Function], file: Path | None) -> Any:
    """Run a source; without a file it is compiled for this process only."""
    if file is None:
        source = source.replace("cache=True, ", "")
    name = file.stem if file else f"{name}_{len(sys.modules)}"
    module = sys.modules[name] = ModuleType(name)
    vars(module).update(names)
    exec(compile(source, file or name, "exec"), vars(module))  # noqa: S102 - it is our own text
    return module


@contextmanager
def _first_to_come(file: Path | None) -> Iterator[None]:
    """Keep others from compiling what is being compiled; where nothing is kept, there is no use."""
    with nullcontext() if file is None else file.with_suffix(".lock").open("w") as turn:
        if turn:
            lock(turn, wait=True)
        yield


@contextmanager
def _interruptible() -> Iterator[None]:
    """Let the interrupt key end it for sure: what it raises while LLVM calls us back is lost there."""
    usual, hook = signal.default_int_handler, sys.unraisablehook
    ours = threading.current_thread() is threading.main_thread()
    if not ours or signal.getsignal(signal.SIGINT) is not usual:
        yield
        return
    pressed: list[int] = []

    def press(number: int, frame: FrameType | None) -> None:
        pressed.append(number)
        usual(number, frame)

    def drop(lost: "sys.UnraisableHookArgs") -> None:
        if lost.exc_type is not KeyboardInterrupt:
            hook(lost)

    signal.signal(signal.SIGINT, press)
    sys.unraisablehook = drop
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
        sys.unraisablehook = hook
    if pressed:
        raise KeyboardInterrupt


def _forget(file: Path) -> bool:
    """Forget what Numba made of a source, and say whether there was anything."""
    made = list((file.parent / "__pycache__").glob(f"{file.stem}.*.nb?"))
    for one in made:
        one.unlink()
    return bool(made)


def _check_room(folder: Path) -> None:
    """Raise an error if a folder cannot take what a compiler makes."""
    with tempfile.TemporaryFile(dir=folder) as room:
        room.write(bytes(ROOM_NEEDED))


def _keep(file: Path, source: str) -> None:
    """Write a source, whole or not at all, and forget what was made of older rules."""
    if file.exists():
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    with appearing(file) as fresh:
        fresh.write_text(source)
    folders = sorted(file.parent.parent.iterdir(), key=lambda folder: folder.stat().st_mtime)
    for folder in folders[:-MOST_KEPT]:
        shutil.rmtree(folder, ignore_errors=True)
