"""What a new user wants to do, typed as somebody would who knows rouge-score, evaluate or sumy.

Every command runs as it stands, and its numbers are those of a few plain lines here.
"""

import json
import re
import shlex
from collections import Counter

import numpy as np
import pytest
from command_line import succeed

import summetry

WORDS = re.compile("[a-z0-9]+")
REFERENCES = [
    "A ferry struck the wooden pier in thick fog. Nobody was hurt.",
    "The council voted to keep the old library open until spring.",
    "Heavy rain closed two roads north of the town on Monday.",
    "The bakery on the corner will sell bread again from Friday.",
    "Divers found a bell from the ship that sank in 1871.",
    "The school bought forty bicycles for children who live far away.",
]
SYSTEMS = {"bart": slice(8), "t5": slice(2, 6)}


def summary(name, reference):
    return " ".join(reference.split()[SYSTEMS[name]])


def rows():
    for number, reference in enumerate(REFERENCES, start=1):
        for name in SYSTEMS:
            yield {"id": number, "system": name, "source": f"{reference} It goes on.",
                   "reference": reference, "summary": summary(name, reference)}  # fmt: skip


def grams(text, n):
    tokens = WORDS.findall(text.lower())
    return Counter(zip(*(tokens[i:] for i in range(n)), strict=False))


def rouge(candidate, reference, n):
    """F of ROUGE-N in a few plain lines."""
    mine, theirs = grams(candidate, n), grams(reference, n)
    hits = (mine & theirs).total()
    precision, recall = hits / max(mine.total(), 1), hits / max(theirs.total(), 1)
    return 2 * precision * recall / (precision + recall) if hits else 0.0


def mean_rouge(name, n):
    return np.mean([rouge(summary(name, reference), reference, n) for reference in REFERENCES])


def typed(line):
    """A command as it is typed, which must do what it is asked."""
    program, *arguments = shlex.split(line)
    assert program == "summetry"
    return succeed(*arguments)


@pytest.fixture
def long(here):
    (here / "long.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows()))
    return here


def means(done, metric):
    return {s["system"]: s["means"][metric]["f"] for s in done.json["systems"]}


def test_1_score_a_table_of_two_systems_also_as_other_programs_do(long):
    done = typed("summetry score long.jsonl -m rouge-1 -m rouge-2 -m rouge-L --json")
    for n in (1, 2):
        expected = {name: pytest.approx(mean_rouge(name, n)) for name in SYSTEMS}
        assert means(done, f"rouge-{n}") == expected
    script = typed("summetry score long.jsonl -m rouge-1 --rouge 1.5.5 --json")
    # The script rounds each value to five decimals.
    assert means(script, "rouge-1")["t5"] == pytest.approx(mean_rouge("t5", 1), abs=1e-5)


def test_2_score_from_python():
    pandas = pytest.importorskip("pandas")
    df = pandas.DataFrame([row for row in rows() if row["system"] == "bart"])
    scores = summetry.score(df["summary"], df["reference"], metrics=["rouge1"])
    expected = [rouge(row.summary, row.reference, 1) for row in df.itertuples()]
    assert scores["rouge1"].f.tolist() == pytest.approx(expected)
    assert scores.to_pandas()["rouge1.f"].tolist() == pytest.approx(expected)
    assert scores.mean()["rouge1"].f == pytest.approx(mean_rouge("bart", 1))
    assert len(repr(scores)) < 300
    assert list(summetry.score("a", "b")) == ["rouge-1", "rouge-2", "rouge-l"]


def test_3_is_one_system_better_and_which_metric_follows_people(long):
    done = typed("summetry compare long.jsonl -m rouge2")
    gap = mean_rouge("bart", 2) - mean_rouge("t5", 2)
    assert re.match(rf"bart is better than t5 on rouge2 by {gap:.3f} \(", done.lines[0])
    typed("summetry score long.jsonl -m rouge1 -m rouge2 -o scores.csv")
    marks = ["id,system,coherence,fluency"]
    for row in rows():
        grade = round(10 * rouge(row["summary"], row["reference"], 1))
        marks.append(f"{row['id']},{row['system']},{grade},{5 - row['id'] % 3}")
    (long / "marks.csv").write_text("\n".join(marks))
    line = "summetry correlate scores.csv --judgments marks.csv --level summary --json"
    (first, *_) = typed(line).json["correlations"]["rows"]
    # Of two systems the one with more words in common has the higher grade on every topic.
    assert (first["metric"], first["dimension"], first["value"]) == ("rouge1.f", "coherence", 1)
