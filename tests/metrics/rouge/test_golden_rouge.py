"""ROUGE against values that the original script gave: R, P, F to five decimals, and counts."""

import goldens
import numpy as np
import pytest
from kernel_roads import road  # noqa: F401

import summetry
from summetry import spec
from summetry.engine.chunks import build_metrics
from summetry.engine.single import score_single
from summetry.metrics import METRICS
from summetry.metrics.rouge.porter import irregular_forms, stem_like_rouge
from summetry.records.batches import Batch, Comparison, Material, Side, TextColumns
from summetry.records.corpus import Corpus
from summetry.records.summaries import Summary
from summetry.records.topics import Topic

GOLDEN = goldens.golden("rouge155.json") or {"tasks": [], "options": {}, "jackknife": {}}

# The script's options in our spelling: those of the text, those of the metric.
OPTIONS = {
    "none": ("", ""),
    "m": ("(stem=true)", ""),
    "s": ("(stop=true)", ""),
    "m_s": ("(stem=true,stop=true)", ""),
    "l50": ("", ",length=50words"),
    "l10": ("", ",length=10words"),
    "b200": ("", ",length=200bytes"),
    "b75": ("", ",length=75bytes"),
    "m_s_b75": ("(stem=true,stop=true)", ",length=75bytes"),
    "fB": ("", ",references=best"),
    "m_fB": ("(stem=true)", ",references=best"),
    "p0.2": ("", ",alpha=0.2"),
}
VARIANTS = {
    "rouge-1": "rouge_n(n=1,",
    "rouge-2": "rouge_n(n=2,",
    "rouge-3": "rouge_n(n=3,",
    "rouge-4": "rouge_n(n=4,",
    "rouge-l": "rouge_l(",
    "rouge-w-1.2": "rouge_w(",
    "rouge-s4": "rouge_s(",
    "rouge-su4": "rouge_su(",
    "rouge-s*": "rouge_s(gap=-1,",
    "rouge-su*": "rouge_su(gap=-1,",
}
UNLIMITED = [name for name, (_, others) in OPTIONS.items() if "length" not in others]
FIELDS = {"r": "recall", "p": "precision", "f": "f"}


def spelling(variant, options):
    text, others = OPTIONS[options]
    return f"{VARIANTS[variant]}text=rouge155{text}{others})"


def side(author, sentences):
    """A file of one sentence a line; an empty line is no sentence to the script."""
    return Side(author, "\n".join(sentences), sentences=tuple(s for s in sentences if s))


def comparison(task):
    references = tuple(side(f"m{i}", text) for i, text in enumerate(task["references"]))
    return Comparison(Material(task["id"]), side("candidate", task["candidate"]), references)


@pytest.mark.parametrize("options", sorted(GOLDEN["options"]))
@pytest.mark.usefixtures("road")
def test_every_variant_equals_the_script(options, capsys):
    compared = 0
    batch = Batch([comparison(task) for task in GOLDEN["tasks"]], sentences=True)
    for variant in VARIANTS:
        metric = METRICS.build(spelling(variant, options))
        counts = metric.count(batch)
        scores = metric.score(counts)
        for row, task in enumerate(GOLDEN["tasks"]):
            expected = task["oracle"][options].get(variant)
            if expected is None:
                continue
            compared += 1
            where = (task["id"], options, variant)
            for field, name in FIELDS.items():
                assert scores[name][row] == expected[field], (*where, field)
            if "counts" in expected:
                assert np.allclose(counts[row], expected["counts"], rtol=1e-12), where
    with capsys.disabled():
        print(f"\nrouge155 {options}: {compared} golden cases run")
    assert compared


PLAIN = ("rouge-1", "rouge-2", "rouge-3", "rouge-4", "rouge-l")


@pytest.mark.parametrize("options", [o for o in sorted(GOLDEN["options"]) if o in UNLIMITED])
def test_golden_values_of_one_candidate_in_plain_python(options, capsys):
    compared = 0
    for task in GOLDEN["tasks"]:
        candidate, *references = map("\n".join, (task["candidate"], *task["references"]))
        metrics = {variant: spelling(variant, options) for variant in PLAIN}
        columns = TextColumns([candidate], [references], [None])
        found = score_single(build_metrics(list(metrics.values())), columns)
        # What is said of an empty text is said by the other road.
        for variant, metric in metrics.items() if found else ():
            expected = task["oracle"][options].get(variant)
            if expected is not None:
                values = {field: found.values[metric][name] for field, name in FIELDS.items()}
                assert values == {field: expected[field] for field in FIELDS}, (task["id"], variant)
                compared += 1
    with capsys.disabled():
        print(f"\nrouge155 {options} in plain Python: {compared} golden cases run")
    assert compared


def jackknife_corpus(tasks):
    topics = tuple(Topic(task["id"]) for task in tasks)
    summaries = []
    for task in tasks:
        name = task["id"]
        sentences = tuple(s for s in task["candidate"] if s)
        summaries.append(Summary(name, "candidate", "candidate", sentences=sentences))
        for i, text in enumerate(task["references"]):
            models = tuple(s for s in text if s)
            summaries.append(Summary(name, f"m{i}", "reference", sentences=models))
    return Corpus(topics=topics, summaries=tuple(summaries))


@pytest.mark.parametrize("options", sorted(GOLDEN["jackknife"]))
def test_jackknifing_is_the_mean_over_leave_one_out_scores(options, capsys):
    expected = GOLDEN["jackknife"][options]
    tasks = [task for task in GOLDEN["tasks"] if task["id"] in expected]
    variants = [v for v in VARIANTS if not v.endswith("*")]
    spellings = {v: METRICS.build(spelling(v, options)) for v in variants}
    table = summetry.evaluate(jackknife_corpus(tasks), list(spellings.values()), "all_peers")
    columns = {(c.metric, c.value): j for j, c in enumerate(table.columns)}
    compared = 0
    for row, key in enumerate(table.rows):
        case = expected[key.topic]
        for variant, metric in spellings.items():
            for field, name in FIELDS.items():
                found = table.data[row, columns[spec.show(metric), name]]
                if key.role == "candidate":
                    wanted = [one[variant][field] for one in case["system_leave_one_out"]]
                else:
                    wanted = [case["human_leave_one_out"][int(key.author[1:])][variant][field]]
                assert found == pytest.approx(np.mean(wanted), abs=1e-12), (key, variant, field)
                compared += 1
    with capsys.disabled():
        print(f"\nrouge155 jackknife {options}: {compared} golden cases run")


def test_every_stem_is_the_scripts(capsys):
    stems = goldens.golden("rouge155_stems.json")
    if stems is None:
        pytest.skip("rouge155_stems.json is not in the golden folder")
    words = list(stems["stems"])
    assert dict(zip(words, stem_like_rouge(words), strict=True)) == stems["stems"]
    with capsys.disabled():
        print(f"\nrouge155_stems: {len(words)} golden cases run")


def test_the_table_of_irregular_forms_has_the_originals_size():
    forms = irregular_forms()
    assert len(forms) == 5930
    assert (forms["better"], forms["is"], forms["comics"]) == ("well", "be", "comic_strip")
    assert "ashes" not in forms
