"""The metric in a run of lm-evaluation-harness, with a model of our own and a task on disk."""

import json
import subprocess
import sys

import pytest

from summetry.errors import SummetryError
from summetry.integrations.lm_eval import score

TASK = """
task: short_news
dataset_path: json
dataset_kwargs: {data_files: {test: news.jsonl}}
test_split: test
output_type: generate_until
doc_to_text: "Summarize: {{article}}"
doc_to_target: "{{summary}}"
metric_list:
  - metric: !function summetry.integrations.lm_eval.score
    metrics: rouge2,rouge1.recall
    aggregation: mean
    higher_is_better: true
"""
SEVERAL = """
task: several_references
dataset_path: json
dataset_kwargs: {data_files: {test: news.jsonl}}
test_split: test
output_type: generate_until
doc_to_text: "Summarize: {{article}}"
doc_to_target: "{{summary}}"
process_results: !function results.process_results
metric_list:
  - metric: rouge2
    aggregation: mean
    higher_is_better: true
"""
RESULTS = """
from summetry.integrations.lm_eval import score

def process_results(doc, results):
    return score([doc["references"]], results, metrics="rouge2")
"""
# By hand: one of two bigrams is shared, and none; with the second reference, both of them.
NEWS = [
    {"article": "the ferry sank", "summary": "the ferry burned"},
    {"article": "a bridge opened", "summary": "one bridge closed"},
]
for row, other in zip(NEWS, ("the ferry sank", "nothing of it"), strict=True):
    row["references"] = [row["summary"], other]
SCRIPT = """
import json
from lm_eval.api.model import LM
from lm_eval.evaluator import simple_evaluate
from lm_eval.tasks import TaskManager

class Copies(LM):
    def generate_until(self, requests, disable_tqdm=False):
        return [request.args[0].removeprefix("Summarize: ") for request in requests]
    def loglikelihood(self, requests): raise NotImplementedError
    def loglikelihood_rolling(self, requests): raise NotImplementedError

found = simple_evaluate(Copies(), tasks=["short_news", "several_references"], bootstrap_iters=0,
                        task_manager=TaskManager(include_path=".", include_defaults=False))
print(json.dumps(found["results"], default=str))
"""


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """What the harness says of both tasks; it runs in a process of its own, and offline."""
    pytest.importorskip("lm_eval", reason="lm_eval is not installed")
    folder = tmp_path_factory.mktemp("lm_eval")
    (folder / "news.jsonl").write_text("\n".join(map(json.dumps, NEWS)))
    files = {"short_news.yaml": TASK, "several.yaml": SEVERAL, "results.py": RESULTS}
    for name, text in files.items():
        (folder / name).write_text(text)
    environment = {"HF_HOME": str(folder / "cache"), "HF_HUB_OFFLINE": "1", "HOME": str(folder)}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=folder, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_the_harness_takes_the_mean_of_every_metric_of_the_function(results):
    assert results["short_news"]["rouge2,none"] == pytest.approx(0.25)
    assert results["short_news"]["rouge1.recall,none"] == pytest.approx((2 / 3 + 1 / 3) / 2)


def test_several_references_are_scored_by_process_results(results):
    assert results["several_references"]["rouge2,none"] == pytest.approx(0.5)


def test_the_function_gives_the_mean_of_several_predictions():
    several = score(["a b c", "a b"], ["a b c", "c d"], metrics=["rouge1", "rouge2.precision"])
    assert several == {"rouge1": 0.5, "rouge2.precision": 0.5}


def test_predictions_without_their_references_are_refused():
    with pytest.raises(SummetryError, match="got 1 for 2 candidates"):
        score(["a"], ["a", "b"])
