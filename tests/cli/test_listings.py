"""``summetry metrics``, ``formats`` and ``where``."""

import re
from pathlib import Path

import pytest
from command_line import assert_refused, run_command, succeed

from summetry.formats import FORMATS
from summetry.metrics import FAMILIES, METRICS
from summetry.summarizers import SUMMARIZERS


def test_every_metric_is_listed_under_its_family_and_text_quality_first():
    lines = succeed("metrics").lines
    headings = [line for line in lines if line in FAMILIES.values()]
    assert headings == [h for h in FAMILIES.values() if h in headings] and len(headings) >= 3
    for name in METRICS.names():
        (line,) = [line for line in lines if line.split()[:1] == [name]]
        above = [heading for heading in lines[: lines.index(line)] if heading in headings]
        assert above[-1] == FAMILIES[METRICS.get(name).family]
    assert lines[0] == "Text quality"
    text = " ".join(" ".join(lines[1:5]).split())
    assert text.startswith("grammaticality, non-redundancy, reference clarity, coherence: judged")
    for command in ("compare", "agreement"):
        assert f"summetry {command} CORPUS --dimension NAME" in text


def test_metrics_as_json_has_all_that_a_program_needs():
    output = succeed("metrics", "--json").json
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


def test_formats_in_words_and_as_json():
    lines = succeed("formats").lines
    starts = [line.split()[0] for line in lines if not line.startswith(" ")]
    assert starts == ["name", *FORMATS.names()] and max(map(len, lines)) <= 80
    output = succeed("formats", "--json").json
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
    [(METRICS, "lcs"), (METRICS, "rouge-2"), (FORMATS, "table"), (SUMMARIZERS, "textrank"),
     (METRICS, "lcs(references=best)")],
)  # fmt: skip
def test_where_prints_the_place(registry, name):
    path, _, number = registry.where(name.partition("(")[0]).rpartition(":")
    assert succeed("where", name).out == f"{path}:{number}\n"
    place = {"kind": registry.kind, "file": path, "line": int(number)}
    assert succeed("where", name, "--json").json == [place]


def test_where_says_what_may_be_meant():
    assert_refused(
        run_command("where", "unit_overlp"), 2,
        "error: no metric, format or summarizer is named 'unit_overlp'. Did you mean "
        "'unit_overlap'? `summetry metrics`, `summetry formats` and `summetry summarizers` "
        "list all.\n",
    )  # fmt: skip


@pytest.mark.parametrize("columns", [40, 80, 119, 120])
@pytest.mark.parametrize("listing", ["metrics", "summarizers"])
def test_no_terminal_is_too_narrow_for_a_name(monkeypatch, listing, columns):
    for name, value in {"FORCE_COLOR": "1", "TERM": "xterm", "COLUMNS": str(columns)}.items():
        monkeypatch.setenv(name, value)
    plain = re.sub(r"\x1b\[[\d;]*m", "", succeed(listing).out)
    names = [line.split()[0] for line in plain.splitlines() if line.strip()]
    registry = METRICS if listing == "metrics" else SUMMARIZERS
    assert set(registry.names()) <= set(names)
    # Only a name that is wider than half of the terminal may lead beyond it.
    for line in plain.splitlines():
        assert len(line) <= columns or max(map(len, line.split())) > columns / 2


@pytest.mark.parametrize("listing", ["metrics", "summarizers", "formats"])
def test_a_listing_fits_a_small_terminal_and_has_no_marks_of_code(listing):
    done = succeed(listing)
    assert max(map(len, done.lines)) <= 80 and "``" not in done.out


def test_one_metric_is_shown_with_its_options_and_its_page():
    done = succeed("metrics", "rouge1")
    shown = {line[:10].strip(): line[12:] for line in done.lines if line[:10].strip()}
    assert shown["rouge1"] == "rouge_n(references=best,text=rouge_score)"
    assert shown["values"] == "recall, precision, f (shown first: f)"
    assert (shown["range"], shown["better"]) == ("0 to 1", "higher")
    assert "n=1" in shown["options"].split(", ") and "references=best" in shown["options"]
    assert shown["page"] == "docs/metrics/rouge_n.md" and max(map(len, done.lines)) <= 80
    pages = Path(__file__).parents[2] / "docs" / "metrics"
    assert set(METRICS.names()) <= {page.stem for page in pages.glob("*.md")}
    assert succeed("metrics", "js_divergence", "--json").json["better"]["value"] == "lower"
