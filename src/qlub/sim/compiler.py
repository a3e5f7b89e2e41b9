"""Joins a game's play-out with the players at the table and compiles it; keeps what was compiled.

What is compiled lies in a folder named by a hash of every source that goes into it, so an edited rule
is never played by an old compilation.
"""

import hashlib
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from inspect import signature
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numba
from llvmlite import binding as llvm  # type: ignore[import-untyped]
from llvmlite import ir
from numba import int8, int32, int64, typeof, uint64
from numba.extending import intrinsic, overload, register_jitable
from platformdirs import user_cache_path

import qlub
from qlub import kernel
from qlub.core import luck
from qlub.core.files import appearing, lock
from qlub.core.registry import game_names

Function = Callable[..., Any]

ROOM_NEEDED = 1 << 22
MOST_KEPT = 10
"""For how many states of the sources compiled code is kept."""

NUMBERS, GRID = int64[::1], int64[:, ::1]
RESULTS = (int32[:, ::1], int8[::1], int32[::1])
"""Scores, reasons and turns."""

config: Any = numba.config

_SOURCE = '''"""Written by qlub.sim: {game} with these players, ready to be compiled."""

from numba import njit

from qlub.core.luck import start_luck
from qlub.sim.compiler import with_players
from {playout} import finish
from {playout} import play as plain_play

# With {players}.


@njit(forceinline=True, no_cfunc_wrapper=True)
def choose({arguments}):
{branches}


play = njit(inline="always")(with_players(plain_play, choose))  # so it is not compiled twice


@njit(cache=True)
def run(seed, deals, seatings, start, room, luck, log, scores, reasons, turns):
    seats = seatings.shape[1]
    for game in range(deals.shape[0]):
        start_luck(luck, seed, deals[game], seats)
        turns[game] = play(seatings[game], start, room, luck, log)
        reasons[game] = finish(room, scores[game])
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


_INNER: Any = {"forceinline": True, "no_cfunc_wrapper": True}
"""How functions are compiled that only compiled code calls."""


def register_kernels() -> None:
    """Let compiled code call every marked function of every game; safe to call again."""
    for name in game_names():
        import_module(f"qlub.games.{name}")
    while kernel.marked:
        function: Any = kernel.marked.pop()
        if function in _BY_HAND:
            overload(function, jit_options=_INNER)(_BY_HAND[function])
        else:
            register_jitable(**_INNER)(function)


@contextmanager
def _short_loops() -> Iterator[None]:
    """Compile loops as they are: those over seats are far too short to be worth vectors."""
    before = config.LOOP_VECTORIZE
    config.LOOP_VECTORIZE = 0
    try:
        yield
    finally:
        config.LOOP_VECTORIZE = before


def with_players(play: Function, choose: Function) -> Function:
    """Return a game's play-out in which `choose` asks these players."""
    function = FunctionType(play.__code__, {**play.__globals__, "choose": choose}, play.__name__)
    function.__module__ = play.__module__
    return function


def build(game: str, policies: Sequence[Function], room: Any) -> Function:
    """Return the compiled loop over whole games of a game with these players.

    Players are named by their place in `policies`. It compiles unless that was done before on this
    machine; who needs the same at the same time waits for who came first.
    """
    register_kernels()
    playout = import_module(f"qlub.games.{game}.playout")
    source = _SOURCE.format(
        game=game,
        playout=playout.__name__,
        players=", ".join(f"{one.__module__}.{one.__qualname__}" for one in policies),
        **_choosing(policies),
    )
    names = {f"policy_{number}": policy for number, policy in enumerate(policies)}
    is_ours = all(str(policy.__module__).startswith("qlub.") for policy in policies)
    file = _kept(game, source, _fingerprint(playout)) if is_ours else None
    run = _load(game, source, names, file).run
    with _first_to_come(file), _short_loops():
        run.compile((int64, NUMBERS, GRID, NUMBERS, typeof(room), NUMBERS, NUMBERS, *RESULTS))  # type: ignore[no-untyped-call]
    return run  # type: ignore[no-any-return]


def _choosing(policies: Sequence[Function]) -> dict[str, str]:
    """Return the head and the body of the function that asks the right player."""
    names = ", ".join(signature(policies[0]).parameters)
    calls = [f"return policy_{number}({names})" for number in range(len(policies))]
    branches = [f"    if player == {number}:\n        {call}" for number, call in enumerate(calls)]
    return {
        "arguments": f"player, {names}",
        "branches": "\n".join([*branches[:-1], f"    {calls[-1]}"]),
    }


def _fingerprint(playout: Any) -> str:
    """Return a hash of all that our own compiled code is made of: rules, players, and the compiler."""
    package = Path(qlub.__file__).parent
    files = {
        package / "kernel.py",
        *(package / "core").glob("*.py"),
        *(package / "bots").glob("*.py"),
        *Path(playout.__file__).parent.glob("*.py"),
        Path(__file__),
    }
    digest = hashlib.sha256(f"{sys.version} {numba.__version__} {config.BOUNDSCHECK}".encode())
    for file in sorted(files):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:20]


def _kept(game: str, source: str, fingerprint: str) -> Path | None:
    """Return where a source is kept, and what Numba makes of it; None where nothing can be kept."""
    name = f"{game}_{hashlib.sha256(source.encode()).hexdigest()[:12]}.py"
    file = user_cache_path("qlub") / "compiled" / fingerprint / name
    try:
        _keep(file, source)
        _check_room(file.parent)
    except OSError:
        return None
    return file


def _load(game: str, source: str, names: dict[str, Function], file: Path | None) -> Any:
    """Run a source; without a file it is compiled for this process only.

    Nobody can tell what a policy from elsewhere depends on, so of those nothing is kept.
    """
    if file is None:
        source = source.replace("@njit(cache=True)", "@njit")
    name = file.stem if file else f"{game}_{len(sys.modules)}"
    module = sys.modules[name] = ModuleType(name)
    vars(module).update(names)
    exec(compile(source, file or name, "exec"), vars(module))  # noqa: S102 - it is our own text
    return module


@contextmanager
def _first_to_come(file: Path | None) -> Iterator[None]:
    """Keep others from compiling what is being compiled; where nothing is kept, there is no use."""
    if file is None:
        yield
        return
    with file.with_suffix(".lock").open("w") as turn:
        lock(turn, wait=True)
        yield


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
