"""The scorer in runs of Inspect with its own offline model, and the logs of these as a corpus."""

import contextlib
import json
import subprocess
import sys
import warnings
import zipfile
from importlib.metadata import entry_points
from random import Random

import pytest

import summetry
from summetry.errors import MissingPackageError, SummetryError, SummetryWarning
from summetry.formats.inspect import InspectLog

TOPICS = 8
REFERENCES = [f"w{k} x{k} y{k} z{k} v{k}" for k in range(TOPICS)]
# Without its last words, three of four bigrams are left, and fewer in every second text.
WORSE = [f"w{k} x{k} y{k} z{k}" if k % 2 else f"w{k} x{k} y{k}" for k in range(TOPICS)]
# F of rouge2 by hand: 2 * 3 / (3 + 4) and 2 * 2 / (2 + 4).
WORSE_F = [6 / 7 if k % 2 else 2 / 3 for k in range(TOPICS)]

# Inspect is given a process of its own: it changes how Python waits, logs and warns.
SCRIPT = """
import json, sys
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ContentReasoning, ContentText, ModelOutput, ModelUsage, get_model
from summetry.integrations.inspect import summary_scorer

given = json.load(sys.stdin)

def answer(content):
    output = ModelOutput.from_content("mockllm/model", content)
    output.usage = ModelUsage()   # Or it would fetch a tokenizer to count with.
    return output

def run(name, texts, samples, scorer, form="eval", **settings):
    model = get_model("mockllm/model", custom_outputs=[answer(text) for text in texts])
    (log,) = eval(Task(dataset=samples, scorer=scorer), model=model, log_dir=name, log_format=form,
                  display="none", max_samples=1, **settings)
    scores = log.results.scores if log.results else []
    means = {s.name: {m: v.value for m, v in s.metrics.items()} for s in scores}
    given = log.samples[0].scores
    first = given["summary_scorer"] if given else None
    print(json.dumps({"status": log.status, "means": means,
                      "first": first and first.model_dump(mode="json")}))

samples = [Sample(input=f"Summarize text {k}.", target=[text, "nothing of it"], id=f"t{k}")
           for k, text in enumerate(given["references"])]
both = summary_scorer("rouge2,rouge1.recall")
run("old", given["references"], samples, both)
run("new", given["worse"], samples, both)
run("new-json", given["worse"], samples, both, "json")
two = [Sample(input="a b c d", target="a b", metadata={"article": "a b"})]
run("epochs", ["a b", "c d"], two, summary_scorer("rouge1"), epochs=2)
run("sources", ["a b"], two, summary_scorer("compression", source="article"))
run("inputs", ["a b"], two, summary_scorer(["compression"], source="input"))
parts = [ContentReasoning(reasoning="hm"), ContentText(text="a b"), ContentText(text="c")]
run("parts", [parts], two, summary_scorer("rouge1"))
run("broken", ["a b"], two, summary_scorer("compression", source="missing"))
"""
RUNS = ("old", "new", "new-json", "epochs", "sources", "inputs", "parts", "broken")


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """For each run what Inspect says of it, and the path of its log."""
    pytest.importorskip("inspect_ai", reason="summetry[inspect] is not installed")
    folder = tmp_path_factory.mktemp("inspect")
    given = json.dumps({"references": REFERENCES, "worse": WORSE})
    command = [sys.executable, "-c", SCRIPT]
    done = subprocess.run(command, input=given, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    said = map(json.loads, filter(lambda line: line.startswith("{"), done.stdout.splitlines()))
    logs = [next((folder / name).iterdir()) for name in RUNS]
    return dict(zip(RUNS, zip(said, logs, strict=True), strict=True))


def test_inspect_reduces_scores_to_means_with_errors_and_keeps_values_answer_and_signatures(runs):
    said, _ = runs["new"]
    mean = sum(WORSE_F) / TOPICS
    spread = (sum((value - mean) ** 2 for value in WORSE_F) / (TOPICS - 1) / TOPICS) ** 0.5
    assert said["status"] == "success"
    assert said["means"]["rouge2"] == pytest.approx({"mean": mean, "stderr": spread})
    assert said["means"]["rouge1.recall"]["mean"] == pytest.approx(0.7)
    assert runs["old"][0]["means"]["rouge2"] == pytest.approx({"mean": 1, "stderr": 0})
    first = said["first"]
    assert first["value"] == pytest.approx({"rouge2": 2 / 3, "rouge1.recall": 0.6})
    assert first["answer"] == WORSE[0]
    assert "refs:2,best" in first["metadata"]["signatures"]["rouge2"]


def test_epochs_are_reduced_and_are_systems_and_a_source_is_the_input_or_in_the_metadata(runs):
    assert runs["epochs"][0]["means"]["rouge1"]["mean"] == 0.5
    assert runs["sources"][0]["means"]["compression"]["mean"] == 1
    assert runs["inputs"][0]["means"]["compression"]["mean"] == 0.5
    # A source that is not there stops the run.
    assert runs["broken"][0]["status"] == "error"
    corpus = summetry.load(runs["epochs"][1])
    texts = {one.author: one.text for one in corpus.summaries if one.role == "candidate"}
    assert texts == {"mockllm/model (epoch 1)": "a b", "mockllm/model (epoch 2)": "c d"}
    # Reasoning is no part of an answer.
    parts = summetry.load(runs["parts"][1]).summaries
    assert [one.text for one in parts if one.role == "candidate"] == ["a b\nc"]


@pytest.mark.parametrize("name", ["new", "new-json"])
def test_a_log_of_either_kind_is_scored_as_a_corpus(runs, name):
    corpus = summetry.load(runs[name][1])
    assert [topic.id for topic in corpus.topics] == [f"t{k}" for k in range(TOPICS)]
    assert corpus.topics[3].documents[0].text == "Summarize text 3."
    table = summetry.evaluate(corpus, "rouge2.f")
    assert {row.author for row in table.rows} == {"mockllm/model"}
    assert table.column("rouge2.f").tolist() == pytest.approx(WORSE_F)
    archive = summetry.load(runs["new"][1])
    assert archive.topics == corpus.topics and archive.summaries == corpus.summaries


@pytest.mark.parametrize("new", ["new", "new-json"])
def test_the_gate_compares_two_logs_of_one_model(runs, new, tmp_path, capsys):
    from summetry.cli.main import main

    old, new = (runs[name][1] for name in ("old", new))
    files = [tmp_path / f"old{old.suffix}", tmp_path / f"new{new.suffix}"]
    for log, file in zip((old, new), files, strict=True):
        file.write_bytes(log.read_bytes())
    for paths, code in ((files, 1), (files[::-1], 0)):
        with pytest.raises(SystemExit) as end:
            main(["compare", *map(str, paths), "-m", "rouge2", "--fail-if-worse"])
        assert end.value.code == code
    assert "mockllm/model (new) is worse than mockllm/model (old)" in capsys.readouterr().err


@pytest.mark.slow
def test_inspect_finds_the_scorer_by_name(runs, tmp_path):
    if "summetry" not in entry_points(group="inspect_ai").names:
        pytest.skip("installed before the package had this entry point")
    log = tmp_path / "log.json"
    log.write_bytes(runs["new-json"][1].read_bytes())
    command = "score log.json --scorer summetry/summary_scorer -S metrics=lcs --action append"
    words = [sys.executable, "-m", "inspect_ai._cli.main", *command.split(), "--overwrite"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    scores = json.loads(log.read_text())["results"]["scores"]
    assert [score["name"] for score in scores] == ["rouge2", "rouge1.recall", "lcs"]


def written(path, **changes):
    output = {"choices": [{"message": {"content": "a"}}]}
    sample = {"id": 1, "epoch": 1, "input": "a b", "target": "a", "output": output}
    head = {"eval_id": "e", "task": "t", "model": "m", "dataset": {"sample_ids": [1]}}
    log = {"version": 2, "status": changes.pop("status", "success"), "eval": head}
    log["samples"] = changes.pop("samples", [sample | changes])
    path.write_text(json.dumps(log))
    return path


@pytest.mark.parametrize(("changes", "message"), [
    ({"target": ""}, "sample 1: expected a text, or a list of texts, as target, found ''"),
    ({"target": [3]}, r"sample 1: expected .* as target, found \[3\]"),
    ({"error": {"message": "no network\n..."}}, "expected an answer, found the error 'no net"),
    ({"output": {"choices": []}}, "sample 1: expected an answer of the model, found none"),
    ({"samples": [{"epoch": 1}]}, "expected a log of Inspect, found a broken one .KeyError"),
    ({"samples": 3}, "expected a log of Inspect, found a broken one"),
])  # fmt: skip
def test_a_sample_that_cannot_be_scored_is_named(tmp_path, changes, message):
    with pytest.raises(SummetryError, match=message):
        summetry.load(written(tmp_path / "log.json", **changes))


def test_samples_that_cannot_be_read_can_be_left_out_and_messages_are_what_the_user_says(tmp_path):
    good = json.loads(written(tmp_path / "log.json").read_text())["samples"][0]
    bad = good | {"id": 2, "error": {"message": "x"}}
    log = written(tmp_path / "log.json", samples=[good, bad])
    corpus = summetry.load(log, on_error="skip")
    assert [topic.id for topic in corpus.topics] == ["1"] and len(corpus.problems) == 1
    with pytest.warns(SummetryWarning, match="status 'cancelled'.: samples may be missing"):
        summetry.load(written(tmp_path / "log.json", status="cancelled"))
    says = [{"role": "system", "content": "Be short."}, {"role": "user", "content": "a b"}]
    corpus = summetry.load(written(tmp_path / "log.json", input=says))
    assert corpus.topics[0].documents[0].text == "a b"


@pytest.mark.parametrize("seed", range(12))
def test_a_damaged_archive_is_read_or_refused_in_one_line(runs, tmp_path, seed):
    random, path = Random(seed), tmp_path / "log.eval"
    content = bytearray(runs["parts"][1].read_bytes())
    if seed % 3:
        for _ in range(20):
            content[random.randrange(len(content))] = random.randrange(256)
    else:
        del content[random.randrange(len(content)) :]
    path.write_bytes(content)
    with warnings.catch_warnings(), contextlib.suppress(SummetryError):
        warnings.simplefilter("ignore")
        summetry.load(path, format="inspect")


def test_another_archive_is_no_log_and_a_packed_one_says_what_reads_it(tmp_path, monkeypatch):
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as archive:
        archive.writestr("a.txt", "a")
    assert not InspectLog().recognise(tmp_path / "other.zip")
    if sys.version_info >= (3, 14):
        pytest.skip("Python unpacks it")
    path = tmp_path / "log.eval"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("_journal/start.json", "{}")
    packed = bytearray(path.read_bytes())
    # The number of the compression, in the list at the end of the archive.
    packed[packed.index(b"PK\x01\x02") + 10] = 93
    path.write_bytes(packed)
    monkeypatch.setitem(sys.modules, "zipfile_zstd", None)
    with pytest.raises(MissingPackageError, match=r"reading \.eval needs the package zipfile-zstd"):
        summetry.load(path)
