"""The site that `make docs` builds: whole, searchable, and complete without the network."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import summetry

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(page.relative_to(DOCS) for page in DOCS.rglob("*.md"))
pytestmark = pytest.mark.install
# What makes a browser fetch something; the address of an <a> is only where a reader may go.
FETCHED = {"src", "srcset", "data", "poster", "action"}
OUTSIDE = re.compile(r"(?:https?:)?//[\w-]", re.IGNORECASE)
# Style sheets and scripts that fetch: url(...), @import, import, fetch(...) and what sets a source.
FETCHES = re.compile(
    r"""(?:url\(|@import|import\s*\(?|fetch\(|\.open\(|Worker\(|\.src\s*=|sendBeacon\()"""
    r"""[\s"'`(]*(?:https?:)?//[\w-]""",
    re.IGNORECASE,
)


class Html(HTMLParser):
    """The links of a page, what it fetches, and the places in it that can be linked to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.fetched: list[str] = []
        self.places: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                self.places.add(value)
            elif value and name == "href" and tag == "a":
                self.links.append(value)
            elif value and (name in FETCHED or name == "href"):
                self.fetched.append(value)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as `make docs` builds it; a warning of the build is an error."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "--quiet", "--fail-on-warning"]
    command += ["-d", str(folder / "doctrees"), str(DOCS), str(folder / "site")]
    environment = {**os.environ, "PYTHONPATH": str(Path(summetry.__file__).parents[1])}
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder / "site"


@pytest.fixture(scope="module")
def parsed(site: Path) -> dict[Path, Html]:
    return {path: Html(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}


def linked_files(page: Path, links: list[str]) -> Iterator[tuple[str, Path, str]]:
    """Each link within the site, with its file and its anchor."""
    for link in links:
        parts = urlsplit(link)
        if not parts.scheme and not parts.netloc:
            file = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            yield link, file, unquote(parts.fragment)


def test_every_page_is_there_as_make_docs_builds_it(site: Path, parsed: dict[Path, Html]) -> None:
    assert "-m sphinx --quiet --fail-on-warning" in (ROOT / "Makefile").read_text()
    assert [page for page in PAGES if not (site / page.with_suffix(".html")).exists()] == []
    assert "Commit messages" in (site / "contributing.html").read_text(encoding="utf-8")
    assert "0.1.0" in (site / "changes.html").read_text(encoding="utf-8")
    assert [p for p, html in parsed.items() if not any("site.css" in f for f in html.fetched)] == []


def test_nothing_is_fetched_from_outside(site: Path, parsed: dict[Path, Html]) -> None:
    fetched = {url for html in parsed.values() for url in html.fetched}
    assert fetched and [url for url in fetched if OUTSIDE.match(url)] == []
    for path in site.rglob("*"):
        if path.suffix in {".css", ".js", ".html", ".svg"}:
            hits = FETCHES.findall(path.read_text(encoding="utf-8"))
            assert hits == [], path.relative_to(site)


@pytest.mark.parametrize("text", [
    "@import 'https://fonts.example/a.css'", "a{background:url(//cdn.example/a.png)}",
    'fetch("https://cdn.example/a.json")', 'script.src = "https://cdn.example/a.js"',
])  # fmt: skip
def test_a_fetch_from_outside_would_be_noticed(text: str) -> None:
    assert FETCHES.search(text)
    assert OUTSIDE.match(Html('<script src="//cdn.example/a.js"></script>').fetched[0])


def test_every_link_of_the_site_leads_to_a_page_and_a_place_in_it(parsed: dict[Path, Html]) -> None:
    broken = []
    for page, html in parsed.items():
        for link, file, anchor in linked_files(page, html.links):
            is_place = not anchor or file not in parsed or anchor in parsed[file].places
            if not file.is_file() or not is_place:
                broken.append(f"{page.name}: {link}")
    assert broken == []


def test_the_navigation_has_pages_under_headings_and_a_family_as_one_entry(site: Path) -> None:
    """The list at the side of the first page holds all pages, folded or not."""
    text = (site / "index.html").read_text(encoding="utf-8")
    tree = text.partition('class="sidebar-tree"')[2].partition("</aside>")[0]
    links = {file for _, file, _ in linked_files(site / "index.html", Html(tree).links)}
    assert {site / page.with_suffix(".html") for page in PAGES} <= links
    captions = re.findall(r'class="caption-text">([^<]*)<', text)
    own = [caption for caption in captions if caption != "Coming from"]
    assert own == ["Start", "Reference", "People", "Statistics", "Python", "Developing"]
