"""What is never right: words that were replaced, in pages, help texts and listings."""

import re
from pathlib import Path
from typing import get_args, get_type_hints

import pytest
from page_runner import commands

from summetry.formats import FORMATS
from summetry.metrics import METRICS
from summetry.summarizers import SUMMARIZERS

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
# What a metric compares with, the same words in every metric that has the option.
AGAINST = {"references", "extracts", "majority", "utilities", "source"}
# Before "by" where it does not mean a division that is left unsaid.
BY = r"\b(?:divided|multiplied|weighted|weighed) by\b"


def where(pattern: str, files: list[Path]) -> list[str]:
    """The places of a pattern, as file and line."""
    return [
        f"{file.relative_to(ROOT)}:{number}"
        for file in files
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
        if re.search(pattern, line)
    ]


def test_no_option_is_called_rate() -> None:
    assert where(r"--rate\b", [*PAGES, *SOURCES]) == []


def test_nothing_is_compared_with_informants_or_models() -> None:
    assert where(r"against\W{1,4}(informants|models)\b", [*PAGES, *SOURCES]) == []


@pytest.mark.parametrize("name", [n for n in METRICS.names() if hasattr(METRICS.get(n), "against")])
def test_what_a_metric_compares_with_has_the_same_names_everywhere(name: str) -> None:
    hint = get_type_hints(METRICS.get(name))["against"]
    assert set(get_args(hint)) <= AGAINST


@pytest.mark.parametrize("registry", [METRICS, SUMMARIZERS], ids=["metrics", "summarizers"])
def test_a_division_is_called_a_division_in_a_list(registry) -> None:
    lines = [(registry.get(name).__doc__ or "").splitlines()[0] for name in registry.names()]
    assert [line for line in lines if " by " in re.sub(BY, "", line)] == []


def test_a_list_says_one_per_thing() -> None:
    lines = [FORMATS.get(name).title for name in FORMATS.names()]
    lines += [(METRICS.get(name).__doc__ or "").splitlines()[0] for name in METRICS.names()]
    assert [
        line for line in lines if re.search(r"\b(a|an) \w+( \w+)? a (topic|line)\b", line)
    ] == []


@pytest.mark.parametrize("page", [p for p in PAGES if commands(p)], ids=lambda page: page.stem)
def test_a_heading_does_not_name_the_default_protocol(page: Path) -> None:
    shown = [c for c in commands(page) if "protocol" not in c.command]
    assert [c.command for c in shown if any("No Models" in line for line in c.output)] == []
