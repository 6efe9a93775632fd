"""``summetry metrics``, ``formats`` and ``where``."""

import re
from pathlib import Path

import pytest

from summetry.formats import FORMATS
from summetry.metrics import FAMILIES, METRICS
from summetry.summarizers import SUMMARIZERS


def test_every_metric_is_listed_under_its_family(scored):
    lines = scored("metrics").lines
    headings = [line for line in lines if line in FAMILIES.values()]
    assert headings == [h for h in FAMILIES.values() if h in headings] and len(headings) >= 3
    for name in METRICS.names():
        (line,) = [line for line in lines if line.split()[:1] == [name]]
        above = [heading for heading in lines[: lines.index(line)] if heading in headings]
        assert above[-1] == FAMILIES[METRICS.get(name).family]


def test_text_quality_stands_first_and_says_who_judges_it(scored):
    lines = scored("metrics").lines
    assert lines[0] == "Text quality"
    text = " ".join(" ".join(lines[1:5]).split())
    assert text.startswith("grammaticality, non-redundancy, reference clarity, coherence: judged")
    assert "summetry compare CORPUS --dimension NAME" in text
    assert "summetry agreement CORPUS --dimension NAME" in text


def test_metrics_as_json_has_all_that_a_program_needs(scored):
    output = scored("metrics", "--json").json
    assert [entry["name"] for entry in output] == METRICS.names()
    for entry in output:
        keys = ["name", "family", "values", "needs", "options", "better", "what"]
        assert list(entry) == keys
        assert set(entry["better"]) == set(entry["values"])
        assert set(entry["better"].values()) <= {"higher", "lower", "neither"}
        assert entry["what"]
    entry = next(entry for entry in output if entry["name"] == "retention")
    assert entry["better"] == {"retention": "higher", "omission": "lower"}
    assert entry["options"] == ["information", "text"] and entry["needs"] == ["the source"]


def test_formats_in_words_and_as_json(scored):
    lines = scored("formats").lines
    starts = [line.split()[0] for line in lines if not line.startswith(" ")]
    assert starts == ["name", *FORMATS.names()] and max(map(len, lines)) <= 80
    output = scored("formats", "--json").json
    assert [entry["name"] for entry in output] == FORMATS.names()
    for entry in output:
        assert list(entry) == ["name", "what", "written"]
        assert isinstance(entry["written"], bool) and entry["what"]


@pytest.mark.parametrize("registry", [METRICS, FORMATS, SUMMARIZERS], ids=lambda r: r.kind)
def test_every_name_leads_to_its_class(registry):
    for name in [*registry.names(), *registry.aliases()]:
        path, _, number = registry.where(name).rpartition(":")
        lines = Path(path).read_text().splitlines()[int(number) - 1 :]
        assert lines[0].startswith(("@", "class ")), name
        first = next(line for line in lines if line.startswith("class "))
        assert re.match(rf"class {registry.get(name).__name__}\b", first), name


@pytest.mark.parametrize(
    ("registry", "name"),
    [(METRICS, "lcs"), (METRICS, "rouge-2"), (FORMATS, "table"), (SUMMARIZERS, "textrank")],
)
def test_where_prints_the_place(scored, registry, name):
    path, _, number = registry.where(name).rpartition(":")
    assert scored("where", name).out == f"{path}:{number}\n"
    place = {"kind": registry.kind, "file": path, "line": int(number)}
    assert scored("where", name, "--json").json == [place]


def test_where_says_what_may_be_meant(call):
    done = call("where", "unit_overlp")
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        "error: no metric, format or summarizer is named 'unit_overlp'. Did you mean "
        "'unit_overlap'? `summetry metrics`, `summetry formats` and `summetry summarizers` "
        "list all.\n"
    )


def test_where_takes_a_spelling(scored):
    assert scored("where", "lcs(references=best)").out == scored("where", "lcs").out


@pytest.mark.parametrize("columns", [40, 80, 119, 120])
@pytest.mark.parametrize("listing", ["metrics", "summarizers"])
def test_no_terminal_is_too_narrow_for_a_name(scored, monkeypatch, listing, columns):
    for name, value in {"FORCE_COLOR": "1", "TERM": "xterm", "COLUMNS": str(columns)}.items():
        monkeypatch.setenv(name, value)
    plain = re.sub(r"\x1b\[[\d;]*m", "", scored(listing).out)
    names = [line.split()[0] for line in plain.splitlines() if line.strip()]
    registry = METRICS if listing == "metrics" else SUMMARIZERS
    assert set(registry.names()) <= set(names)
    # Only a name that is wider than half of the terminal may lead beyond it.
    for line in plain.splitlines():
        assert len(line) <= columns or max(map(len, line.split())) > columns / 2


def test_a_listing_has_no_marks_of_code(scored):
    for listing in ("metrics", "summarizers"):
        assert "``" not in scored(listing).out


def test_one_metric_is_shown_with_its_options(scored):
    done = scored("metrics", "rouge1")
    shown = {line[:10].strip(): line[12:] for line in done.lines if line[:10].strip()}
    assert shown["rouge1"] == "rouge_n(references=best,text=rouge_score)"
    assert shown["values"] == "recall, precision, f (shown first: f)"
    assert (shown["range"], shown["better"]) == ("0 to 1", "higher")
    assert "n=1" in shown["options"].split(", ") and "references=best" in shown["options"]
    assert shown["page"] == "docs/metrics/rouge_n.md" and max(map(len, done.lines)) <= 80
    assert scored("metrics", "js_divergence", "--json").json["better"]["value"] == "lower"


@pytest.mark.parametrize("name", METRICS.names())
def test_every_metric_has_the_page_that_is_named(name):
    pages = Path(__file__).parents[2] / "docs" / "metrics"
    assert (pages / f"{name}.md").exists()


def test_lists_fit_a_small_terminal_in_a_pipe(scored):
    for listing in ("metrics", "summarizers", "formats"):
        assert max(map(len, scored(listing).lines)) <= 80


def test_help_is_a_command_too(scored):
    assert scored("help").out == scored("--help").out
    text = scored("help", "compare").out
    assert text == scored("compare", "--help").out
    assert "SCORES..." in text and "{" not in text.partition("\n")[0]
    assert "list[" not in text and "x>=" not in text and "1 or more]" in text
