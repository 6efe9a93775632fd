"""Every registered thing has a page, pages have their headings and words, examples are true."""

import ast
import dataclasses
import doctest
import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from page_runner import Shown, blocks, commands, differences, folder_with_corpus, write_data
from typed_commands import all_commands

import summetry
from summetry import spec
from summetry.formats import FORMATS
from summetry.metrics import METRICS
from summetry.registry import Registry
from summetry.summarizers import SUMMARIZERS

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
# Beside the folder, but with links into it.
ROOT_PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
# Followed word for word, with its package installed, by test_add_a_metric.py.
FOLLOWED_ELSEWHERE = DOCS / "add-a-metric.md"

END = ["Settings", "Agreement with other programs", "Where it misleads", "Source"]
CARDS = {
    "metrics": ["What it measures", "Example", "Formula", "Needs", "Range and direction", *END],
    "summarizers": ["What it does", "Example", "Formula", "Needs", *END],
    "formats": ["What it is", "Layout", "Example", "What it cannot hold", "What goes wrong"],
    "commands": ["Options", "Exit codes and messages"],
}


def our_own(registry: Registry) -> list[str]:
    """Registered names without those of plug-ins, whose pages are elsewhere."""
    names = registry.names()
    return [name for name in names if registry.get(name).__module__.startswith("summetry.")]


REGISTRIES: dict[str, Registry] = {"metrics": METRICS, "summarizers": SUMMARIZERS}
NAMES = {
    "metrics": our_own(METRICS),
    "summarizers": our_own(SUMMARIZERS),
    "formats": [*our_own(FORMATS), "scores"],
    # The tasks stand on one page.
    "commands": list(dict.fromkeys(name.split()[0] for name in all_commands())),
}
# Pages about several things at once.
FAMILIES = {"rouge", "ngram_graphs", "networks"}
FAMILY_PAGES = {"metrics": FAMILIES, "summarizers": {"overview", "not-built"}}
CARD_PAGES = [DOCS / kind / f"{name}.md" for kind, names in NAMES.items() for name in names]


def shortened(page: Path) -> str:
    return str(page.relative_to(DOCS if DOCS in page.parents else ROOT))


def without_blocks(page: Path) -> str:
    return re.sub(r"^(`{3,}).*?^\1$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)


def prose(page: Path) -> str:
    """A page without its code."""
    return re.sub(r"`[^`\n]*`", "", without_blocks(page))


def anchors(page: Path) -> set[str]:
    """The names by which the headings of a page are linked to."""
    titles = re.findall(r"^#+ (.*)$", without_blocks(page), flags=re.M)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", CARD_PAGES, ids=shortened)
def test_every_registered_thing_has_a_page_with_the_headings_of_its_card(page: Path) -> None:
    assert page.exists(), f"{page.relative_to(ROOT)} is missing; copy a neighbour and edit it"
    assert commands(page), "a card has an example that runs"
    text = page.read_text(encoding="utf-8")
    assert text.startswith(f"# {page.stem}\n")
    headings = re.findall(r"^## (.*)$", text, flags=re.M)
    if page.parent.name == "formats" and headings[0] == "Example":
        # A page may begin with its example.
        headings.insert(2, headings.pop(0))
    if page.parent.name != "commands":
        assert headings == CARDS[page.parent.name]
        return
    # A command's page may have headings of its own; an example stands before the options.
    assert [name for name in headings if name in CARDS["commands"]] == CARDS["commands"]
    assert "```console" in text.partition("\n## Options")[0] or "## Example" in text


@pytest.mark.parametrize("kind", CARDS)
def test_no_page_describes_what_is_not_there(kind: str) -> None:
    described = {page.stem for page in (DOCS / kind).glob("*.md")}
    assert described - FAMILY_PAGES.get(kind, set()) - {"README"} == set(NAMES[kind])


@pytest.mark.parametrize(("kind", "name"), [(k, name) for k in REGISTRIES for name in NAMES[k]])
def test_the_settings_of_a_thing_are_on_its_page(kind: str, name: str) -> None:
    fields = [spec.option_name(field) for field in dataclasses.fields(REGISTRIES[kind].get(name))]
    text = (DOCS / kind / f"{name}.md").read_text(encoding="utf-8")
    settings = text.partition("\n## Settings\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `(\w+)` \|", settings, flags=re.M)
    assert rows == fields


@pytest.mark.parametrize("name", all_commands())
def test_the_options_of_a_command_are_on_its_page(name: str) -> None:
    command = all_commands()[name]
    text = (DOCS / "commands" / f"{name.split()[0]}.md").read_text()
    rows = "\n".join(line for line in text.splitlines() if line.startswith("| `"))
    for parameter in command.params:
        spelt = max(parameter.opts, key=len) if parameter.opts[0].startswith("-") else ""
        if spelt and spelt != "--help":
            assert f"`{spelt}" in rows or f", {spelt}" in rows, spelt


@pytest.mark.parametrize("page", [*PAGES, *ROOT_PAGES], ids=shortened)
def test_every_link_leads_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        assert not target.startswith("http"), f"{target}: pages must be whole without the network"
        file, _, anchor = target.partition("#")
        linked = (page.parent / file).resolve() if file else page
        assert linked.exists(), target
        assert not anchor or anchor in anchors(linked), target


def test_the_index_names_every_command_and_leads_to_every_page() -> None:
    """To the folder, so that a new page needs no edit; the page of formats names them all."""
    index = (DOCS / "index.md").read_text()
    assert set(NAMES["commands"]) <= set(re.findall(r"\]\(commands/([\w-]+)\.md\)", index))
    assert all(f"]({kind})" in index for kind in ("metrics", "summarizers", "formats"))
    named = re.findall(r"\]\(\.\./formats/(\w+)\.md\)", (DOCS / "commands/formats.md").read_text())
    assert set(NAMES["formats"]) <= set(named)
    # Every page can be reached from the index.
    reached, waiting = set(), [DOCS / "index.md"]
    while waiting:
        page = waiting.pop()
        if page.is_dir():
            # A link to a folder shows the list of its pages, so a new one needs no edit.
            waiting += [listed for listed in page.glob("*.md") if listed not in reached]
        elif page not in reached and page.suffix == ".md" and DOCS in page.parents:
            reached.add(page)
            links = re.findall(r"\]\(([^)#\s]+)[^)\s]*\)", prose(page))
            waiting += [(page.parent / link).resolve() for link in links]
    assert reached == set(PAGES)


def test_the_glossary_is_in_order_and_links_each_word_to_its_page() -> None:
    for table in (DOCS / "glossary.md").read_text(encoding="utf-8").split("\n## ")[1:]:
        rows = re.findall(r"^\| \*\*(.*?)\*\* \| (.*) \|$", table, flags=re.M)
        words = [word for word, _ in rows]
        assert words and words == sorted(words, key=str.lower)
        assert [word for word, meaning in rows if "](" not in meaning] == []


# What takes long by itself is run with the whole page, by the slow tests: by pages the beginnings.
LONG = {
    "commands/agreement.md": ["summetry agreement corpus --length "],
    "commands/audit.md": ["summetry audit corpus -m rouge-1,"],
    "commands/alt-test.md": ["summetry report "],
    "commands/compare.md": ["summetry compare scores.csv --plot "],
    "commands/correlate.md": ["summetry correlate corpus -m rouge-1.recall,", "summetry report "],
    "commands/demo.md": ["summetry demo -o tour", "ls tour"],
    "commands/discriminate.md": [
        "summetry discriminate corpus -m cosine --pairs ",
        "summetry discriminate corpus -m npower ",
    ],
    "commands/report.md": ["summetry report corpus -m ", "summetry report scores.csv --", "ls "],
    "commands/serve.md": ["summetry serve "],
    "commands/task.md": ["summetry task categorization news"],
    "metrics/networks.md": ["summetry score corpus -m sum_accy -m "],
    "coming-from/sacrerouge.md": ["summetry correlate "],
    "summarizers/overview.md": ["summetry score all --all "],
}


def quick_parts(page: Path) -> list[list[Shown]]:
    """The other commands of a page, a few at a time."""
    long = tuple(LONG.get(shortened(page), ()))
    quick = [shown for shown in commands(page) if not shown.command.startswith(long)]
    return [quick[i : i + 5] for i in range(0, len(quick), 5)]


RUNS = [
    *(pytest.param(page, part, id=f"{shortened(page)}-{part}" if part else shortened(page))
      for page in PAGES if page != FOLLOWED_ELSEWHERE for part in range(len(quick_parts(page)))),
    *(pytest.param(DOCS / name, -1, id=f"{name}, whole", marks=pytest.mark.slow) for name in LONG),
]  # fmt: skip
Reader = Callable[[Path, int], list[str]]


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    """The differences of a part of a page; parts are run in order in one folder."""

    def folder_for(page: Path) -> Path:
        folder = folder_with_corpus(tmp_path_factory.mktemp(page.stem))
        write_data(page, folder)
        return folder

    def by_part(page: Path) -> Iterator[list[str]]:
        folder = folder_for(page)
        yield from (differences(few, folder) for few in quick_parts(page))

    running = {page: enumerate(by_part(page)) for page in PAGES}

    def read(page: Path, part: int) -> list[str]:
        if part < 0:
            return differences(commands(page), folder_for(page))
        # One that is run alone runs those before it.
        return next(wrong for number, wrong in running[page] if number == part)

    return read


@pytest.mark.parametrize(("page", "part"), RUNS)
def test_the_commands_of_a_page_print_what_it_shows(page: Path, part: int, reader: Reader) -> None:
    wrong = reader(page, part)
    assert not wrong, "\n\n".join(wrong)


def python_examples(page: Path) -> str:
    """The Python of a page in one piece; files that a page shows are not part of it.

    An empty line before anything but the next example is part of an output.
    """
    texts = [b.text for b in blocks(page) if b.language == "python" and not b.file]
    texts = [re.sub(r"\n\n(?!>>>|\s*$)", "\n<BLANKLINE>\n", text) for text in texts]
    return "\n".join(text for text in texts if ">>>" in text)


@pytest.mark.parametrize("page", [p for p in PAGES if python_examples(p)], ids=shortened)
def test_the_python_of_a_page_gives_what_it_shows(page: Path, tmp_path: Path, monkeypatch) -> None:
    name, folder = shortened(page), folder_with_corpus(tmp_path)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / ".cache"))
    write_data(page, folder)
    test = doctest.DocTestParser().get_doctest(python_examples(page), {}, name, name, 0)
    report: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(test, out=report.append)
    assert not runner.failures, "".join(report)


@pytest.mark.parametrize("name", ["evaluate", "summarize", "compare", "correlate", "estimate"])
def test_the_defaults_that_the_page_of_python_shows_are_those_of_the_function(name: str) -> None:
    text = (DOCS / "python.md").read_text(encoding="utf-8")
    section = text.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
    function = getattr(summetry, name)
    known = {n: p.default for n, p in inspect.signature(function).parameters.items()}
    rows = re.findall(r"^\| (`.*?`) \| (.*?) \|", section, flags=re.M)
    assert rows
    for names, shown in rows:
        arguments, values = re.findall(r"`(\w+)`", names), re.findall(r"`([^`]+)`", shown)
        assert set(arguments) <= set(known)
        if values:
            defaults = [known[argument] for argument in arguments]
            written = [ast.literal_eval(value) for value in values]
            assert [list(v) if isinstance(v, tuple) else v for v in defaults] == written


AGAINST = {"references", "extracts", "majority", "utilities", "source"}
WRONG = re.compile(r"--rate\b|against=\W?(?:informants|models)|--against (?:informants|models)")


@pytest.mark.parametrize("page", [*PAGES, *ROOT_PAGES[:2]], ids=shortened)
def test_no_page_has_a_word_that_is_never_right_or_names_the_default_protocol(page):
    assert not WRONG.findall(page.read_text(encoding="utf-8"))
    shown = [c for c in commands(page) if "protocol" not in c.command]
    assert [c.command for c in shown if any("No Models" in line for line in c.output)] == []


def test_no_help_has_a_word_that_is_never_right_and_a_length_has_one_option():
    for name, command in all_commands().items():
        options = {option for parameter in command.params for option in parameter.opts}
        assert "--rate" not in options, name
        texts = [command.help or "", *(getattr(p, "help", None) or "" for p in command.params)]
        assert not WRONG.findall("\n".join(texts)), name
        if name in ("summarize", "reference", "agreement"):
            old = {"--sentences", "--words", "--characters", "--bytes", "--percent", "--mean"}
            assert "--length" in options and not options & old
