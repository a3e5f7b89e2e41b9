"""The tools beside the package, for tests of them."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

HOME = Path(__file__).parents[1]


def tool(name: str) -> Any:
    """Return a tool as a module."""
    spec = spec_from_file_location(name, HOME / "tools" / f"{name}.py")
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
