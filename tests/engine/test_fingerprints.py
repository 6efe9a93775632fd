"""One fingerprint of data: whichever way they come, in whatever order, and no other data."""

import json
import random
from dataclasses import replace

import msgspec
import pytest

import summetry
from summetry.cli.main import main
from summetry.engine.pairs import PairPlan
from summetry.engine.plan import CorpusPlan
from summetry.engine.run import Run
from summetry.engine.tables import TablePlan
from summetry.formats.folder import Folder
from summetry.records.batches import TextColumns
from summetry.records.summaries import Extract, Summary
from summetry.signature import Signature

SOURCES = ["The cat sat on the mat.\n\nIt  slept there. All day.", "Dogs bark. At night, too."]
REFERENCES = [["A cat slept.", "The cat\nsat."], ["Dogs bark at night."]]
OUTPUTS = {"old": ["The cat sat.", "Dogs bark."], "new": [" It slept.\n", ""]}


def write(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def table(tmp_path):
    """Two systems on two topics, as one table."""
    return write(
        tmp_path / "table.jsonl",
        [
            {"id": f"t{i}", "system": name, "candidate": text, "references": REFERENCES[i],
             "source": SOURCES[i]}
            for name, texts in OUTPUTS.items()
            for i, text in enumerate(texts)
        ],
    )  # fmt: skip


def columns(order=(0, 1, 2, 3), language=""):
    texts = [text for texts in OUTPUTS.values() for text in texts]
    rows = [(texts[i], REFERENCES[i % 2], SOURCES[i % 2]) for i in order]
    return TextColumns(*map(list, zip(*rows, strict=True)), language)


def of_columns(**settings):
    return PairPlan(columns(**settings)).fingerprint


def data_of(signature):
    return Signature.parse(signature).data


def printed(capsys, *arguments):
    with pytest.raises(SystemExit, match="0"):
        main([*map(str, arguments), "--json"])
    return json.loads(capsys.readouterr().out)


def test_a_table_has_one_fingerprint_however_it_is_read(table, tmp_path, capsys):
    scored = printed(capsys, "score", table, "-m", "lcs", "--no-cache")
    compared = printed(capsys, "compare", table, "-m", "lcs")
    for name, texts in OUTPUTS.items():
        rows = [{"id": f"t{i}", "summary": text} for i, text in enumerate(texts)]
        write(tmp_path / f"{name}.jsonl", rows)
    pairs = enumerate(zip(REFERENCES, SOURCES, strict=True))
    rows = [{"id": f"t{i}", "references": texts, "source": source} for i, (texts, source) in pairs]
    references = write(tmp_path / "references.jsonl", rows)
    outputs = [tmp_path / f"{name}.jsonl" for name in OUTPUTS]
    from_outputs = printed(capsys, "compare", *outputs, "--references", references, "-m", "lcs")
    corpus = summetry.load(table)
    Folder().write(corpus, tmp_path / "folder")
    fingerprints = {
        "score": data_of(scored["signatures"]["lcs"]),
        "compare": data_of(signature_in(compared)),
        "compare --references": data_of(signature_in(from_outputs)),
        "evaluate(load(...))": data_of(summetry.evaluate(corpus, ["lcs"]).columns[0].signature),
        "all_peers": CorpusPlan(corpus, "all_peers").fingerprint,
        "folder": CorpusPlan(summetry.load(tmp_path / "folder")).fingerprint,
        "texts": of_columns(),
        "TablePlan": TablePlan(table).fingerprint,
    }
    assert len(set(fingerprints.values())) == 1, fingerprints


def signature_in(output):
    """The only signature somewhere in what a command printed."""
    if isinstance(output, dict) and isinstance(output.get("signature"), str):
        return output["signature"]
    inside = (
        output.values() if isinstance(output, dict) else output if isinstance(output, list) else ()
    )
    return next((s for s in map(signature_in, inside) if s), "")


def test_a_text_in_a_file_has_the_fingerprint_of_the_text(tmp_path, capsys):
    for name, text in (("a", "The cat sat."), ("r", "A cat.")):
        (tmp_path / f"{name}.txt").write_text(text)
    files = ["--candidate", tmp_path / "a.txt", "--reference", tmp_path / "r.txt"]
    output = printed(capsys, "score", *files, "-m", "lcs")
    one = PairPlan(TextColumns(["The cat sat."], [["A cat."]], [None])).fingerprint
    assert data_of(output["lcs"]["signature"]) == one


def test_neither_order_nor_parts_nor_the_order_of_references_matter(table, tmp_path):
    order = random.Random(1).sample(range(4), 4)
    assert order != [0, 1, 2, 3]
    assert of_columns(order=order) == of_columns()
    lines = table.read_text().splitlines(keepends=True)
    mixed = tmp_path / "mixed.jsonl"
    mixed.write_text("".join(lines[::-1]))
    assert TablePlan(mixed).fingerprint == of_columns()
    turned = columns()._replace(references=[texts[::-1] for texts in columns().references])
    assert PairPlan(turned).fingerprint == of_columns()
    sizes = {Run(PairPlan(columns()), ["lcs"], chunk_items=n).columns for n in (1, 3, 100)}
    assert len(sizes) == 1


def test_a_summary_that_is_there_twice_counts_twice():
    assert of_columns(order=(0, 1)) != of_columns(order=(0, 1, 1)) != of_columns(order=(0, 0, 1))


def test_one_character_changes_it():
    whole = columns()
    changed = [
        whole._replace(candidates=["The cat sat!", *whole.candidates[1:]]),
        whole._replace(candidates=["The cat  sat.", *whole.candidates[1:]]),
        whole._replace(references=[["A cat slept", "The cat\nsat."], *whole.references[1:]]),
        whole._replace(references=[["A cat slept.The cat\nsat."], *whole.references[1:]]),
        whole._replace(references=[["A cat slept."], *whole.references[1:]]),
        whole._replace(sources=["The cat sat on the mat.", *whole.sources[1:]]),
        whole._replace(sources=["", *whole.sources[1:]]),
        whole._replace(sources=[None, *whole.sources[1:]]),
        whole._replace(language="en"),
    ]
    fingerprints = {PairPlan(texts).fingerprint for texts in (whole, *changed)}
    assert len(fingerprints) == 1 + len(changed)
    assert all(len(f) == 10 and set(f) <= set("0123456789abcdef") for f in fingerprints)


def test_what_is_empty_is_not_taken_for_what_is_not_there():
    one = TextColumns([""], [["x"]], [None])
    other = TextColumns(["x"], [[]], [""])
    assert PairPlan(one).fingerprint != PairPlan(other).fingerprint


def test_it_is_the_same_on_every_machine():
    # Reckoned with libxxhash alone, XXH3_64bits_withSeed: "0 False " for no language and no source,
    # "" for no content units, "a", "b", each with the number of the one before; the last digits.
    assert PairPlan(TextColumns(["a"], [["b"]], [None])).fingerprint == "f440672e34"


def test_what_people_said_of_units_is_part_of_it(demo):
    before = CorpusPlan(demo).fingerprint
    first = demo.extracts[0]
    other = Extract(first.topic, first.informant, first.units[1:])
    renamed = Extract(first.topic, "somebody else", first.units)
    assert CorpusPlan(replace(demo, extracts=(other, *demo.extracts[1:]))).fingerprint != before
    assert CorpusPlan(replace(demo, extracts=demo.extracts[1:])).fingerprint != before
    assert CorpusPlan(replace(demo, extracts=(renamed, *demo.extracts[1:]))).fingerprint == before
    assert CorpusPlan(replace(demo, utilities=demo.utilities[1:])).fingerprint != before
    values = demo.utilities[0]
    marked = msgspec.structs.replace(values, values=(7, *values.values[1:]))
    assert CorpusPlan(replace(demo, utilities=(marked, *demo.utilities[1:]))).fingerprint != before


def test_what_content_units_say_is_part_of_it(demo):
    pyramid = demo.pyramids[0]
    scu = msgspec.structs.replace(pyramid.scus[0], label="something else")
    other = msgspec.structs.replace(pyramid, scus=(scu, *pyramid.scus[1:]))
    changed = replace(demo, pyramids=(other, *demo.pyramids[1:]))
    assert CorpusPlan(changed).fingerprint != CorpusPlan(demo).fingerprint


def test_units_of_a_candidate_are_part_of_it(demo):
    before = CorpusPlan(demo).fingerprint
    place = next(i for i, s in enumerate(demo.summaries) if s.units and s.role == "candidate")
    chosen = demo.summaries[place]
    text = Summary(chosen.topic, chosen.author, chosen.role, text=demo.text_of(chosen))
    summaries = (*demo.summaries[:place], text, *demo.summaries[place + 1 :])
    assert CorpusPlan(replace(demo, summaries=summaries)).fingerprint != before


def test_judgments_and_notes_on_records_are_no_part_of_it(demo):
    assert CorpusPlan(replace(demo, judgments=())).fingerprint == CorpusPlan(demo).fingerprint
    assert CorpusPlan(replace(demo, name="x", meta={"a": 1})).fingerprint == (
        CorpusPlan(demo).fingerprint
    )


def test_both_protocols_see_the_same_data(demo):
    assert CorpusPlan(demo, "all_peers").fingerprint == CorpusPlan(demo).fingerprint
    models = tuple(s for s in demo.summaries if s.role == "reference")
    alone = CorpusPlan(replace(demo, summaries=models), "all_peers").fingerprint
    fewer = CorpusPlan(replace(demo, summaries=models[1:]), "all_peers").fingerprint
    assert alone != fewer
