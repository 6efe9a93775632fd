"""The other program's lines on the pages of docs/coming-from give what our lines give."""

import contextlib
import io
import re
from pathlib import Path

import pytest
from page_runner import Block, blocks
from rouge_score_package import run_with_rouge_score

PAGES = Path(__file__).parents[2] / "docs" / "coming-from"
_RUN = """
import contextlib, io
out = io.StringIO()
with contextlib.redirect_stdout(out):
    exec(given["code"], {})
given["out"] = out.getvalue()
"""


def is_theirs(block: Block) -> bool:
    return block.language == "python" and ">>>" not in block.text


THEIRS = [
    pytest.param(page, number, id=f"{page.stem}-{number}")
    for page in sorted(PAGES.glob("*.md"))
    for number, block in enumerate(blocks(page))
    if is_theirs(block)
]


def shown_outputs(page: Path) -> set[str]:
    """Every output of our own Python lines on a page, which test_pages.py runs."""
    ours = "".join(b.text for b in blocks(page) if b.language == "python" and not is_theirs(b))
    return set(re.findall(r"^(?!>>>|\.\.\.)(.+)$", ours, flags=re.M))


def test_pages_show_lines_of_the_package_that_runs_offline() -> None:
    assert len(THEIRS) == 4


@pytest.mark.install
@pytest.mark.parametrize(("page", "number"), THEIRS)
def test_rouge_score_prints_what_the_page_shows_for_ours(page: Path, number: int) -> None:
    code = blocks(page)[number].text
    printed = run_with_rouge_score(_RUN, {"code": code})["out"].splitlines()
    assert printed
    assert set(printed) <= shown_outputs(page)


@pytest.mark.parametrize(("page", "number"), THEIRS)
def test_their_lines_give_the_same_after_one_changed_import(page: Path, number: int) -> None:
    theirs = blocks(page)[number].text
    ours = theirs.replace("from rouge_score import", "from summetry.compat.rouge_score import")
    assert ours != theirs
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(ours, {})
    printed = out.getvalue().splitlines()
    assert printed and set(printed) <= shown_outputs(page)
