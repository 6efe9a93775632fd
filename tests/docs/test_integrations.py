"""Examples run with the library or program that they are about, and give what the pages show."""

import ast
import contextlib
import csv
import io
import json
import os
import re
import shlex
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
import yaml
from page_runner import Block, agrees, blocks, run, surroundings, write_data
from rouge_score_package import run_with_rouge_score

PAGE = Path(__file__).parents[2] / "docs" / "integrations.md"
FILES = {block.file: block.text for block in blocks(PAGE) if block.file}
SHOWN = [b.text.splitlines() for b in blocks(PAGE) if b.language == "text" and not b.file]
# A model that says what it is told to shorten; Inspect would fetch a tokenizer to count with.
INSPECT = """
import json
from inspect_ai import eval
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from news import news

def copies(messages, *rest):
    text = messages[-1].text.removeprefix("Summarize: ")
    output = ModelOutput.from_content("mockllm/model", text)
    output.usage = ModelUsage()
    return output

model = get_model("mockllm/model", custom_outputs=copies)
(log,) = eval(news(), model=model, log_dir="logs", display="none")
assert log.status == "success", log.error
print(json.dumps({score.name: score.metrics["mean"].value for score in log.results.scores}))
"""
HARNESS = """
import json
from lm_eval.api.model import LM
from lm_eval.evaluator import simple_evaluate
from lm_eval.tasks import TaskManager

class Copies(LM):
    def generate_until(self, requests, disable_tqdm=False):
        return [request.args[0].removeprefix("Summarize: ") for request in requests]
    def loglikelihood(self, requests): raise NotImplementedError
    def loglikelihood_rolling(self, requests): raise NotImplementedError

found = simple_evaluate(Copies(), tasks=["news", "several"], bootstrap_iters=0,
                        task_manager=TaskManager(include_path=".", include_defaults=False))
print(json.dumps(found["results"], default=str))
"""


@pytest.fixture
def folder(tmp_path):
    """A folder with all files of the page, as a reader would have them."""
    write_data(PAGE, tmp_path)
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


def environment(folder):
    settled = surroundings(folder) | {"HF_HOME": str(folder / "cache"), "HF_HUB_OFFLINE": "1"}
    # Plug-ins of others are not tested here, and some take seconds to start.
    return settled | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}


def output_of(code, folder):
    command, settled = [sys.executable, "-c", code], environment(folder)
    done = subprocess.run(command, cwd=folder, env=settled, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode().splitlines()[-1]


def bigram_f(candidate, references):
    """F of shared bigrams by hand, the best of the references; no text has one twice."""

    def bigrams(text):
        return set(pairwise(text.split()))

    own = bigrams(candidate)
    others = [bigrams(reference) for reference in references]
    return max(2 * len(own & one) / (len(own) + len(one)) for one in others)


ROWS = list(csv.DictReader(FILES["summaries.csv"].splitlines()))
MEAN_OF_OLD = sum(bigram_f(row["old"], [row["reference"]]) for row in ROWS) / len(ROWS)


@pytest.mark.install
def test_datasets_gives_the_column_that_the_page_shows(folder):
    pytest.importorskip("datasets", reason="datasets is not installed")
    printed = output_of(FILES["add_column.py"], folder)
    assert f"It prints `{printed}`." in PAGE.read_text(encoding="utf-8")
    by_hand = [round(bigram_f(row["new"], [row["reference"]]), 2) for row in ROWS]
    assert json.loads(printed) == by_hand


@pytest.mark.install
def test_pytest_prints_what_the_page_shows(folder):
    python = shlex.quote(sys.executable)
    command = f"{python} -m pytest -p pytest_summetry test_summaries.py"
    output = run(f'{command}; echo "exit code $?"', folder, environment(folder))
    assert output[-1] == "exit code 1" and agrees(output, SHOWN[0])


@pytest.mark.install
def test_the_workflow_fails_the_job_with_the_line_that_the_page_shows(folder):
    workflow = yaml.safe_load(FILES[".github/workflows/summaries.yml"])
    (job,) = workflow["jobs"].values()
    command = ["bash", "-c", job["steps"][-1]["run"]]
    settled = environment(folder) | {"COLUMNS": "80"}
    done = subprocess.run(command, cwd=folder, env=settled, capture_output=True, text=True)
    assert (done.returncode, done.stderr.splitlines()) == (1, SHOWN[1])


@pytest.mark.install
def test_inspect_runs_the_task_and_its_log_is_compared(folder):
    pytest.importorskip("inspect_ai", reason="summetry[inspect] is not installed")
    means = json.loads(output_of(INSPECT, folder))
    assert list(means) == ["rouge2", "rougeL"]
    assert means["rouge2"] == pytest.approx(MEAN_OF_OLD)
    (log,) = (folder / "logs").iterdir()
    for name in ("old.eval", "new.eval"):
        (folder / "logs" / name).write_bytes(log.read_bytes())
    (command,) = SHOWN[2]
    output = run(f'{command}; echo "exit code $?"', folder, environment(folder))
    assert output[-1] == "exit code 0"
    assert "as good as" in output[-2] + output[-3]


@pytest.mark.install
def test_the_harness_runs_the_task_and_the_one_with_several_references(folder):
    pytest.importorskip("lm_eval", reason="lm_eval is not installed")
    several = FILES["news.yaml"].replace("task: news", "task: several")
    several = several.replace("!function summetry.integrations.lm_eval.score", "rouge2")
    more = "process_results: !function results.process_results\n"
    (folder / "several.yaml").write_text(several + more)
    found = json.loads(output_of(HARNESS, folder))
    assert found["news"]["rouge2,none"] == pytest.approx(MEAN_OF_OLD)
    assert "rougeL,none" in found["news"]
    assert found["several"]["rouge2,none"] == 1


def test_the_example_for_lighteval_calls_what_there_is():
    """It cannot run without PyTorch; what it does with Summetry is run on a text."""
    import summetry

    tree = ast.parse(FILES["summetry_metric.py"])
    (compute,) = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    call = ast.unparse(compute.body[0].value)
    call = call.replace("model_response.final_text[0]", "'a b c'")
    call = call.replace("doc.get_golds()", "['a b d', 'e']")
    assert eval(call, {"summetry": summetry}) == 0.5


def test_every_example_of_the_page_is_run():
    tested = Path(__file__).read_text(encoding="utf-8")
    data_and_modules = {"summaries.csv", "test_summaries.py", "news.py", "results.py"}
    for name in FILES.keys() - data_and_modules:
        assert f'FILES["{name}"]' in tested, name
    assert os.linesep and len(SHOWN) == 3
    assert not re.findall(r"^```python\n(?!>>>|import|from)", PAGE.read_text(), flags=re.M)


_RUN = """
import contextlib, io
out = io.StringIO()
with contextlib.redirect_stdout(out):
    exec(given["code"], {})
given["out"] = out.getvalue()
"""


def is_theirs(block: Block) -> bool:
    return block.language == "python" and ">>>" not in block.text


THEIRS = [
    pytest.param(page, number, id=f"{page.stem}-{number}")
    for page in sorted((PAGE.parent / "coming-from").glob("*.md"))
    for number, block in enumerate(blocks(page)) if is_theirs(block)
]  # fmt: skip


def shown_outputs(page: Path) -> set[str]:
    """Every output of our own Python lines on a page, which test_pages.py runs."""
    ours = "".join(b.text for b in blocks(page) if b.language == "python" and not is_theirs(b))
    return set(re.findall(r"^(?!>>>|\.\.\.)(.+)$", ours, flags=re.M))


def test_pages_show_lines_of_the_package_that_runs_offline() -> None:
    assert len(THEIRS) == 4


@pytest.mark.install
@pytest.mark.parametrize(("page", "number"), THEIRS)
def test_rouge_score_prints_what_the_page_shows_for_ours(page: Path, number: int) -> None:
    code = blocks(page)[number].text
    printed = run_with_rouge_score(_RUN, {"code": code})["out"].splitlines()
    assert printed and set(printed) <= shown_outputs(page)


@pytest.mark.parametrize(("page", "number"), THEIRS)
def test_their_lines_give_the_same_after_one_changed_import(page: Path, number: int) -> None:
    theirs = blocks(page)[number].text
    ours = theirs.replace("from rouge_score import", "from summetry.compat.rouge_score import")
    assert ours != theirs
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(ours, {})
    printed = out.getvalue().splitlines()
    assert printed and set(printed) <= shown_outputs(page)
