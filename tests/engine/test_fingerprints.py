"""One fingerprint of data: whichever way they come, in whatever order, and no other data."""

import json
import random
from dataclasses import replace

import msgspec
import pytest
from command_line import succeed

import summetry
from summetry.engine.pairs import PairPlan
from summetry.engine.plan import CorpusPlan
from summetry.engine.run import Run
from summetry.engine.tables import TablePlan
from summetry.formats.folder import Folder
from summetry.records.batches import TextColumns
from summetry.records.summaries import Summary
from summetry.signature import Signature

SOURCES = ["The cat sat on the mat.\n\nIt  slept there. All day.", "Dogs bark. At night, too."]
REFERENCES = [["A cat slept.", "The cat\nsat."], ["Dogs bark at night."]]
OUTPUTS = {"old": ["The cat sat.", "Dogs bark."], "new": [" It slept.\n", ""]}


def write(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """Two systems on two topics, as one table."""
    rows = [
        {"id": f"t{i}", "system": name, "candidate": text, "references": REFERENCES[i],
         "source": SOURCES[i]}
        for name, texts in OUTPUTS.items()
        for i, text in enumerate(texts)
    ]  # fmt: skip
    return write(tmp_path_factory.mktemp("table") / "table.jsonl", rows)


def columns(order=(0, 1, 2, 3), language=""):
    texts = [text for texts in OUTPUTS.values() for text in texts]
    rows = [(texts[i], REFERENCES[i % 2], SOURCES[i % 2]) for i in order]
    return TextColumns(*map(list, zip(*rows, strict=True)), language)


def of_columns(**settings):
    return PairPlan(columns(**settings)).fingerprint


def data_of(signature):
    return Signature.parse(signature).data


def printed(*arguments):
    return succeed(*arguments, "-m", "lcs", "--json").json


# Ways to the data, each with where its fingerprint is.
WAYS = {
    "score": lambda table: data_of(printed("score", table, "--no-cache")["signatures"]["lcs"]),
    "compare --references": lambda table: of_outputs(table.parent),
    "evaluate(load(...))": lambda table: evaluated(summetry.load(table)),
    "all_peers": lambda table: CorpusPlan(summetry.load(table), "all_peers").fingerprint,
    "folder": lambda table: of_folder(table),
    "TablePlan": lambda table: TablePlan(table).fingerprint,
    "compare": lambda table: data_of(signature_in(printed("compare", table, "--draws", "20"))),
}


def evaluated(corpus):
    return data_of(summetry.evaluate(corpus, ["lcs"]).columns[0].signature)


def of_outputs(folder):
    for name, texts in OUTPUTS.items():
        rows = [{"id": f"t{i}", "summary": text} for i, text in enumerate(texts)]
        write(folder / f"{name}.jsonl", rows)
    pairs = enumerate(zip(REFERENCES, SOURCES, strict=True))
    rows = [{"id": f"t{i}", "references": texts, "source": source} for i, (texts, source) in pairs]
    references = ["--references", write(folder / "references.jsonl", rows), "--draws", "20"]
    outputs = [folder / f"{name}.jsonl" for name in OUTPUTS]
    return data_of(signature_in(printed("compare", *outputs, *references)))


def of_folder(table):
    Folder().write(summetry.load(table), table.parent / "folder")
    return CorpusPlan(summetry.load(table.parent / "folder")).fingerprint


@pytest.mark.parametrize("way", WAYS)
def test_a_table_has_one_fingerprint_however_it_is_read(table, way):
    assert WAYS[way](table) == of_columns()


def signature_in(output):
    """The only signature somewhere in what a command printed."""
    if isinstance(output, dict) and isinstance(output.get("signature"), str):
        return output["signature"]
    inside = list(output.values()) if isinstance(output, dict) else output
    return next(filter(None, map(signature_in, inside)), "") if isinstance(inside, list) else ""


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


def test_one_character_changes_it():
    whole = columns()
    first = [
        *[("candidates", text) for text in ("The cat sat!", "The cat  sat.")],
        ("references", ["A cat slept", "The cat\nsat."]),
        ("references", ["A cat slept.The cat\nsat."]),
        ("references", ["A cat slept."]),
        *[("sources", text) for text in ("The cat sat on the mat.", "", None)],
    ]
    changed = [whole._replace(**{kind: [x, *getattr(whole, kind)[1:]]}) for kind, x in first]
    changed.append(whole._replace(language="en"))
    fingerprints = {PairPlan(texts).fingerprint for texts in (whole, *changed)}
    assert len(fingerprints) == 1 + len(changed)
    assert all(len(f) == 10 and set(f) <= set("0123456789abcdef") for f in fingerprints)
    # What is empty is not taken for what is not there.
    plans = [TextColumns([""], [["x"]], [None]), TextColumns(["x"], [[]], [""])]
    assert len({PairPlan(columns).fingerprint for columns in plans}) == 2
    # A summary that is there twice counts twice.
    assert of_columns(order=(0, 1)) != of_columns(order=(0, 1, 1)) != of_columns(order=(0, 0, 1))


def test_it_is_the_same_on_every_machine_and_in_a_file(tmp_path):
    # Reckoned with libxxhash alone, XXH3_64bits_withSeed: "0 False " for no language and no source,
    # "" for no content units, "a", "b", each with the number of the one before; the last digits.
    assert PairPlan(TextColumns(["a"], [["b"]], [None])).fingerprint == "f440672e34"
    # A text in a file has the fingerprint of the text.
    for name, text in (("a", "The cat sat."), ("r", "A cat.")):
        (tmp_path / f"{name}.txt").write_text(text)
    files = ["--candidate", tmp_path / "a.txt", "--reference", tmp_path / "r.txt"]
    expected = PairPlan(TextColumns(["The cat sat."], [["A cat."]], [None])).fingerprint
    assert data_of(printed("score", *files)["lcs"]["signature"]) == expected


def changed_first(demo, kind, **fields):
    """The corpus with other fields of its first record of a kind."""
    first, *rest = getattr(demo, kind)
    return {kind: (msgspec.structs.replace(first, **fields), *rest)}


def as_text(demo):
    """The first candidate that is an extract, as its text."""
    i = next(i for i, s in enumerate(demo.summaries) if s.units and s.role == "candidate")
    chosen = demo.summaries[i]
    text = Summary(chosen.topic, chosen.author, chosen.role, text=demo.text_of(chosen))
    return {"summaries": (*demo.summaries[:i], text, *demo.summaries[i + 1 :])}


def other_scu(demo):
    scus = demo.pyramids[0].scus
    scu = msgspec.structs.replace(scus[0], label="something else")
    return changed_first(demo, "pyramids", scus=(scu, *scus[1:]))


CHANGES = {
    "a unit less": lambda d: changed_first(d, "extracts", units=d.extracts[0].units[1:]),
    "an extract less": lambda d: {"extracts": d.extracts[1:]},
    "utilities less": lambda d: {"utilities": d.utilities[1:]},
    "another utility": lambda d: changed_first(
        d, "utilities", values=(7, *d.utilities[0].values[1:])
    ),
    "another content unit": other_scu,
    "a text for an extract": as_text,
}
# Names of people, judgments and notes on records are no part of the data.
OTHERS = {
    "a name": lambda d: changed_first(d, "extracts", informant="somebody else"),
    "judgments": lambda d: {"judgments": ()},
    "notes": lambda d: {"name": "x", "meta": {"a": 1}},
}


@pytest.mark.parametrize("change", CHANGES | OTHERS)
def test_what_people_said_of_units_is_part_of_it_and_who_they_are_is_not(demo, change):
    corpus = replace(demo, **(CHANGES | OTHERS)[change](demo))
    is_same = CorpusPlan(corpus).fingerprint == CorpusPlan(demo).fingerprint
    assert is_same == (change in OTHERS)


def test_both_protocols_see_the_same_data(demo):
    models = tuple(s for s in demo.summaries if s.role == "reference")
    corpora = demo, replace(demo, summaries=models), replace(demo, summaries=models[1:])
    whole, all_models, fewer = (CorpusPlan(c, "all_peers").fingerprint for c in corpora)
    assert whole == CorpusPlan(demo).fingerprint and all_models != fewer
