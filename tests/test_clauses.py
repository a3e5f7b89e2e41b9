"""Every clause of the rules is shown by a test of its own, and no test cites a clause that is not."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
CLAUSE = re.compile(r"^\| (Q[XNK]-\d+(?:it)?) \|", re.MULTILINE)


def clauses() -> list[str]:
    """Return the numbers in the clause tables of the rules."""
    pages = sorted((ROOT / "docs" / "rules").glob("q*.md"))
    return [number for page in pages for number in CLAUSE.findall(page.read_text())]


def citations() -> Iterator[list[str]]:
    """Yield for each marked test the clauses that it cites."""
    for path in [*ROOT.glob("tests/**/test_*.py"), *ROOT.glob("src/**/test_*.py")]:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef):
                cited = [
                    str(ast.literal_eval(mark.args[0]))
                    for mark in node.decorator_list
                    if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.clause"
                ]
                if cited:
                    yield cited


def test_the_pages_have_every_clause_once() -> None:
    assert Counter(clauses()) == Counter(
        [f"QX-{n}" for n in range(1, 20)]
        + ["QX-14it"]
        + [f"QN-{n}" for n in range(1, 17)]
        + [f"QK-{n}" for n in range(1, 18)]
    )


def test_every_clause_has_a_test_of_its_own() -> None:
    alone = {cited[0] for cited in citations() if len(cited) == 1}
    assert sorted(set(clauses()) - alone) == []


def test_no_citation_is_unknown() -> None:
    cited = {number for numbers in citations() for number in numbers}
    assert sorted(cited - set(clauses())) == []


def test_code_cites_only_clauses_that_exist() -> None:
    for path in ROOT.glob("src/**/*.py"):
        found = set(re.findall(r"\bQ[XNK]-\d+(?:it)?\b", path.read_text()))
        assert found <= set(clauses()), path
