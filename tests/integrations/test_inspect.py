"""Logs of Inspect as a corpus, the scorer, and both in real runs with Inspect's offline model."""

import contextlib
import json
import subprocess
import sys
import types
import warnings
import zipfile
from dataclasses import make_dataclass
from importlib.metadata import entry_points
from random import Random

import pytest
from command_line import run_command
from coroutines import in_thread
from damage import damaged

import summetry
from summetry.errors import MissingPackageError, SummetryError, SummetryWarning
from summetry.formats.inspect import InspectLog

TOPICS = 8
REFERENCES = [f"w{k} x{k} y{k} z{k} v{k}" for k in range(TOPICS)]
# Without its last words, three of four bigrams are left, and fewer in every second text.
WORSE = [f"w{k} x{k} y{k} z{k}" if k % 2 else f"w{k} x{k} y{k}" for k in range(TOPICS)]
# F of rouge2 by hand: 2 * 3 / (3 + 4) and 2 * 2 / (2 + 4).
WORSE_F = [6 / 7 if k % 2 else 2 / 3 for k in range(TOPICS)]


def sample_of(answer, **more):
    output = {"choices": [{"message": {"content": answer}}]}
    return {"id": 1, "epoch": 1, "input": "a b", "target": "a", "output": output, **more}


def written(path, samples, status="success"):
    """A log as Inspect writes it: an archive, or one object."""
    names = [f"t{k}" for k in range(TOPICS)]
    head = {"eval_id": "e", "task": "t", "model": "m", "dataset": {"sample_ids": names}}
    log = {"version": 2, "status": status, "eval": head}
    if path.suffix == ".json":
        path.write_text(json.dumps(log | {"samples": samples}))
        return path
    files = {"_journal/start.json": log, "header.json": log}
    files |= {f"samples/{k}.json": sample for k, sample in enumerate(samples)}
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, json.dumps(content))
    return path


def run_of(path, answers):
    """A log of answers to all samples, in the order in which they ended."""
    samples = [
        sample_of(answer, id=f"t{k}", input=f"Summarize text {k}.", target=[reference, "nothing"])
        for k, (answer, reference) in enumerate(zip(answers, REFERENCES, strict=True))
    ]
    return written(path, samples[::-1])


def check_corpus(corpus, model):
    """That a corpus has the worse answers."""
    assert [topic.id for topic in corpus.topics] == [f"t{k}" for k in range(TOPICS)]
    assert corpus.topics[3].documents[0].text == "Summarize text 3."
    table = summetry.evaluate(corpus, "rouge2.f")
    assert {row.author for row in table.rows} == {model}
    assert table.column("rouge2.f").tolist() == pytest.approx(WORSE_F)


@pytest.mark.parametrize("name", ["log.json", "log.eval"])
def test_a_log_of_either_kind_is_scored_as_a_corpus(tmp_path, name):
    check_corpus(summetry.load(run_of(tmp_path / name, WORSE)), "m")


def test_epochs_are_systems_and_reasoning_is_no_part_of_an_answer(tmp_path):
    parts = [{"type": "reasoning", "reasoning": "hm"}, {"type": "text", "text": "a b"},
             {"type": "text", "text": "c"}]  # fmt: skip
    samples = [sample_of(parts), sample_of("c d", epoch=2)]
    corpus = summetry.load(written(tmp_path / "log.eval", samples))
    texts = {one.author: one.text for one in corpus.summaries if one.role == "candidate"}
    assert texts == {"m (epoch 1)": "a b\nc", "m (epoch 2)": "c d"}


def test_the_gate_compares_two_logs_of_one_model(tmp_path):
    paths = [run_of(tmp_path / "old.eval", REFERENCES), run_of(tmp_path / "new.json", WORSE)]
    gate = run_command("compare", *paths, "-m", "rouge2", "--fail-if-worse")
    assert gate.code == 1 and "m (new) is worse than m (old)" in gate.err
    assert run_command("compare", *paths[::-1], "-m", "rouge2", "--fail-if-worse").code == 0


def test_a_sample_that_cannot_be_scored_is_named(tmp_path, refused):
    refused(lambda samples: summetry.load(written(tmp_path / "log.json", samples)), {
        "an empty target": [sample_of("a", target="")],
        "a number as target": [sample_of("a", target=[3])],
        "an error": [sample_of("a", error={"message": "no network\n..."})],
        "no answer": [sample_of("a", output={"choices": []})],
        "no id": [{"epoch": 1}],
    })  # fmt: skip
    with pytest.raises(SummetryError, match="expected a log of Inspect, found a broken one"):
        summetry.load(written(tmp_path / "log.json", 3))


def test_samples_that_cannot_be_read_can_be_left_out_and_messages_are_what_the_user_says(tmp_path):
    bad = sample_of("a", id=2, error={"message": "x"})
    log = written(tmp_path / "log.json", [sample_of("a"), bad])
    corpus = summetry.load(log, on_error="skip")
    assert [topic.id for topic in corpus.topics] == ["1"] and len(corpus.problems) == 1
    with pytest.warns(SummetryWarning, match="status 'cancelled'.: samples may be missing"):
        summetry.load(written(tmp_path / "log.json", [sample_of("a")], "cancelled"))
    says = [{"role": "system", "content": "Be short."}, {"role": "user", "content": "a b"}]
    corpus = summetry.load(written(tmp_path / "log.json", [sample_of("a", input=says)]))
    assert corpus.topics[0].documents[0].text == "a b"


@pytest.mark.parametrize("seed", range(12))
def test_a_damaged_archive_is_read_or_refused_in_one_line(tmp_path, seed):
    path = run_of(tmp_path / "log.eval", WORSE)
    path.write_bytes(damaged(path.read_bytes(), Random(seed)))
    with warnings.catch_warnings(), contextlib.suppress(SummetryError):
        warnings.simplefilter("ignore")
        summetry.load(path, format="inspect")


def test_another_archive_is_no_log_and_a_packed_one_says_what_reads_it(tmp_path, monkeypatch):
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as archive:
        archive.writestr("a.txt", "a")
    assert not InspectLog().recognise(tmp_path / "other.zip")
    if sys.version_info >= (3, 14):
        pytest.skip("Python unpacks it")
    path = written(tmp_path / "log.eval", [])
    packed = bytearray(path.read_bytes())
    # The number of the compression, in the list at the end of the archive.
    packed[packed.index(b"PK\x01\x02") + 10] = 93
    path.write_bytes(packed)
    monkeypatch.setitem(sys.modules, "zipfile_zstd", None)
    with pytest.raises(MissingPackageError, match=r"reading \.eval needs the package zipfile-zstd"):
        summetry.load(path)


@pytest.fixture
def summary_scorer(monkeypatch):
    """Our scorer beside a stand-in for Inspect, whose start takes seconds."""
    inspect, solver = types.ModuleType("inspect_ai.scorer"), types.ModuleType("inspect_ai.solver")
    inspect.Score = make_dataclass("Score", ["value", "answer", "metadata"])
    inspect.Scorer, inspect.Target, solver.TaskState = object, list, object
    inspect.mean = inspect.stderr = lambda: None
    inspect.scorer = lambda metrics: lambda function: function
    for name, module in {
        "inspect_ai": types.ModuleType("inspect_ai"), "inspect_ai.scorer": inspect,
        "inspect_ai.solver": solver,
    }.items():  # fmt: skip
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.delitem(sys.modules, "summetry.integrations.inspect", raising=False)
    from summetry.integrations.inspect import summary_scorer

    yield summary_scorer
    del sys.modules["summetry.integrations.inspect"]


def test_the_scorer_has_a_value_for_each_metric_and_a_source_from_input_or_metadata(summary_scorer):
    output = types.SimpleNamespace(completion=WORSE[0])
    state = types.SimpleNamespace(
        output=output, input_text="a b c d e f", metadata={"article": WORSE[0]}, sample_id=7
    )

    def score(*arguments):
        return in_thread(summary_scorer(*arguments)(state, [REFERENCES[0], "nothing of it"]))

    first = score("rouge2,rouge1.recall")
    assert first.value == pytest.approx({"rouge2": 2 / 3, "rouge1.recall": 0.6})
    assert first.answer == WORSE[0] and "refs:2,best" in first.metadata["signatures"]["rouge2"]
    assert score("compression", "article").value == {"compression": 1}
    assert score(["compression"], "input").value == {"compression": 0.5}
    with pytest.raises(SummetryError, match="sample 7 has no metadata 'missing' for the source"):
        score("compression", "missing")
    with pytest.raises(SummetryError, match="no metric is named"):
        summary_scorer("roug")


# ── with Inspect itself ───────────────────────────────────────────────────

# It is given a process of its own: it changes how Python waits, logs and warns.
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
    print(json.dumps({"status": log.status, "means": means}))

samples = [Sample(input=f"Summarize text {k}.", target=[text, "nothing of it"], id=f"t{k}")
           for k, text in enumerate(given["references"])]
both = summary_scorer("rouge2,rouge1.recall")
run("eval", given["worse"], samples, both)
run("json", given["worse"], samples, both, "json")
two = [Sample(input="a b c d", target="a b", metadata={"article": "a b"})]
parts = [ContentReasoning(reasoning="hm"), ContentText(text="a b"), ContentText(text="c")]
run("epochs", [parts, "c d"], two, summary_scorer("rouge1"), epochs=2)
run("sources", ["a b"], two, summary_scorer("compression", source="article"))
run("broken", ["a b"], two, summary_scorer("compression", source="missing"))
"""
RUNS = ("eval", "json", "epochs", "sources", "broken")


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


@pytest.mark.install
def test_inspect_reduces_scores_and_its_logs_are_read(runs):
    said, _ = runs["eval"]
    mean = sum(WORSE_F) / TOPICS
    spread = (sum((value - mean) ** 2 for value in WORSE_F) / (TOPICS - 1) / TOPICS) ** 0.5
    assert said["status"] == "success"
    assert said["means"]["rouge2"] == pytest.approx({"mean": mean, "stderr": spread})
    assert said["means"]["rouge1.recall"]["mean"] == pytest.approx(0.7)
    # F of "a b c" is 0.8, of "c d" nothing.
    assert runs["epochs"][0]["means"]["rouge1"]["mean"] == pytest.approx(0.4)
    assert runs["sources"][0]["means"]["compression"]["mean"] == 1
    # A source that is not there stops the run.
    assert runs["broken"][0]["status"] == "error"
    for kind in ("eval", "json"):
        check_corpus(summetry.load(runs[kind][1]), "mockllm/model")
    corpus = summetry.load(runs["epochs"][1])
    texts = [one.text for one in corpus.summaries if one.role == "candidate"]
    assert texts == ["a b\nc", "c d"]


@pytest.mark.install
def test_inspect_finds_the_scorer_by_name(runs, tmp_path):
    if "summetry" not in entry_points(group="inspect_ai").names:
        pytest.skip("installed before the package had this entry point")
    log = tmp_path / "log.json"
    log.write_bytes(runs["json"][1].read_bytes())
    command = "score log.json --scorer summetry/summary_scorer -S metrics=lcs --action append"
    words = [sys.executable, "-m", "inspect_ai._cli.main", *command.split(), "--overwrite"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    scores = json.loads(log.read_text())["results"]["scores"]
    assert [score["name"] for score in scores] == ["rouge2", "rouge1.recall", "lcs"]
