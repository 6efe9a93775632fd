"""``summetry metrics``, ``formats``, ``summarizers`` and ``where``."""

import re

import pytest
from command_line import assert_refused, run_command, succeed

from summetry.formats import FORMATS
from summetry.metrics import FAMILIES, METRICS
from summetry.summarizers import SUMMARIZERS

KEYS = {
    "metrics": ["name", "family", "values", "needs", "options", "better", "what"],
    "formats": ["name", "what", "written"],
    "summarizers": ["name", "options", "learns", "what"],
}
REGISTRIES = {"metrics": METRICS, "formats": FORMATS, "summarizers": SUMMARIZERS}


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


@pytest.mark.parametrize("listing", KEYS)
def test_a_listing_fits_a_small_terminal_and_as_json_has_all_that_a_program_needs(listing):
    done = succeed(listing)
    assert max(map(len, done.lines)) <= 80 and "``" not in done.out
    registry = REGISTRIES[listing]
    assert {*registry.names(), *registry.aliases()} <= {x.split()[0] for x in done.lines if x}
    output = succeed(listing, "--json").json
    assert [entry["name"] for entry in output] == registry.names()
    assert all(list(entry) == KEYS[listing] and entry["what"] for entry in output)


def test_an_entry_says_what_the_thing_is():
    entries = {e["name"]: e for name in KEYS for e in succeed(name, "--json").json}
    assert entries["retention"]["better"] == {"retention": "higher", "omission": "lower"}
    assert entries["retention"]["options"] == ["information", "text"]
    assert entries["retention"]["needs"] == ["the source"]
    assert entries["folder"]["written"] and not entries["duc"]["written"]
    assert entries["random"]["options"] == ["seed"]
    assert entries["trainable"]["learns"] and not entries["lead"]["learns"]


@pytest.mark.parametrize(
    ("registry", "name"),
    [(METRICS, "rouge-2"), (FORMATS, "table"), (SUMMARIZERS, "textrank"),
     (METRICS, "lcs(references=best)")],
)  # fmt: skip
def test_where_prints_the_place(registry, name):
    path, _, number = registry.where(name.partition("(")[0]).rpartition(":")
    assert succeed("where", name).out == f"{path}:{number}\n"
    place = {"kind": registry.kind, "file": path, "line": int(number)}
    assert succeed("where", name, "--json").json == [place]
    message = "error: no metric, format or summarizer is named 'lcss'. Did you mean 'lcs'? "
    assert_refused(run_command("where", "lcss"), 2, message)


@pytest.mark.parametrize("columns", [40, 119])
@pytest.mark.parametrize("listing", ["metrics", "summarizers"])
def test_no_terminal_is_too_narrow_for_a_name(monkeypatch, listing, columns):
    for name, value in {"FORCE_COLOR": "1", "TERM": "xterm", "COLUMNS": str(columns)}.items():
        monkeypatch.setenv(name, value)
    plain = re.sub(r"\x1b\[[\d;]*m", "", succeed(listing).out)
    names = [line.split()[0] for line in plain.splitlines() if line.strip()]
    assert set(REGISTRIES[listing].names()) <= set(names)
    # Only a name that is wider than half of the terminal may lead beyond it.
    for line in plain.splitlines():
        assert len(line) <= columns or max(map(len, line.split())) > columns / 2


def test_one_metric_is_shown_with_its_options_and_its_page(shows):
    shows("metrics rouge1", "metrics 'cosine(against=source,text=auto(stem=true))'", "metrics hpg")
    assert succeed("metrics", "js_divergence", "--json").json["better"]["value"] == "lower"
