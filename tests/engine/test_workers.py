"""Worker processes that are killed, that fail, and that a script starts without a guard."""

import pickle
import subprocess
import sys

import pytest
from dying_work import die_always, die_once, die_while_handing_over, fail_from_3_on

from summetry.engine.local import map_in_order
from summetry.errors import (
    FormatError,
    MissingPackageError,
    Place,
    SummetryError,
    SummetryWarning,
    UnknownNameError,
)


@pytest.mark.parametrize("work", [die_once, die_while_handing_over])
def test_a_worker_that_is_killed_is_replaced_and_results_come_in_the_order_of_the_tasks(
    tmp_path, work
):
    tasks = [(number, tmp_path / "mark") for number in range(8)]
    with pytest.warns(SummetryWarning, match="^a worker process died, perhaps"):
        done = list(map_in_order(work, tasks, 2))
    assert [number for number, _ in done] == list(range(8))
    assert (tmp_path / "mark").exists()


def test_workers_that_keep_dying_end_with_advice(monkeypatch):
    monkeypatch.setattr("summetry.engine.workers._TRIES", 2)
    with pytest.raises(SummetryError, match=r"died 2 times on the same work.*--workers.*below `if"):
        list(map_in_order(die_always, [1], 2))


@pytest.mark.parametrize(
    "error",
    [FormatError(Place("f", 3), "a", "b", "c"), UnknownNameError("metric", "x", ["y"]),
     MissingPackageError("this", "that"), SummetryError("words")],
)  # fmt: skip
def test_errors_can_be_pickled(error):
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.__dict__) == (type(error), str(error), error.__dict__)


def test_an_error_that_cannot_be_sent_is_told_in_its_turn_and_in_its_words():
    done = map_in_order(fail_from_3_on, range(9), 2)
    assert [next(done) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(SummetryError, match=r"^TwoWordsError: number 3$") as caught:
        next(done)
    assert "in fail_from_3_on" in str(caught.value.__cause__)


@pytest.mark.slow
def test_a_script_without_a_guard_is_told_of_it(tmp_path):
    table = tmp_path / "t.jsonl"
    table.write_text('{"candidate": "a", "reference": "b"}\n' * 4)
    script = tmp_path / "script.py"
    call = f"summetry.evaluate({str(table)!r}, ['lcs'], chunk_items=1, workers=2)"
    script.write_text(f"import summetry\n{call}\n", encoding="utf-8")
    done = subprocess.run([sys.executable, str(script)], text=True, capture_output=True)
    assert done.returncode == 1
    assert (
        'None ever finished: a script has to call Summetry below `if __name__ == "__main__":`'
        in done.stderr.splitlines()[-1]
    )
