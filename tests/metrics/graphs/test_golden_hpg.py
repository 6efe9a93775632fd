"""Hierarchical proximity graphs against values of an independent implementation.

It adds as JInsect does, term by term, so sums agree to about 1e-14 and not to the last bit.
"""

import goldens
import hpg_oracle
import pytest
from comparisons import compare_texts, values
from kernel_roads import road  # noqa: F401

from summetry.metrics.graphs.hpg import Hpg, hpg

CASES = (goldens.golden("hpg.json") or {"cases": []})["cases"]
SETTINGS = ("n", "window", "levels", "theta")
every_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
near = {"rel": 1e-9, "abs": 1e-9}


def settings(case):
    return {name: case[name] for name in SETTINGS}


@every_case
def test_golden_every_level_and_the_score(case):
    found = hpg(case["peer"], case["model"], **settings(case))
    assert list(found.levels) == pytest.approx(case["level_similarities"], **near)
    assert found.value == pytest.approx(case["score"], **near)


@pytest.mark.usefixtures("road")
@pytest.mark.parametrize("theta", sorted({case["theta"] for case in CASES}))
def test_golden_all_cases_in_one_batch(theta):
    cases = [case for case in CASES if case["theta"] == theta]
    (options,) = {tuple(settings(case).values()) for case in cases}
    compared = [compare_texts(case["peer"], [case["model"]]) for case in cases]
    found = values(Hpg(*options), *compared)
    assert found == pytest.approx([case["score"] for case in cases], **near)


short = [case for case in CASES if len(case["peer"]) + len(case["model"]) < 200]


@pytest.mark.parametrize("case", short, ids=lambda case: case["id"])
def test_golden_the_oracle_of_our_tests_agrees(case):
    levels = hpg_oracle.level_similarities(case["peer"], case["model"], **settings(case))
    assert [float(level) for level in levels] == pytest.approx(case["level_similarities"], **near)


def test_the_golden_file_is_run_whole(capsys):
    with capsys.disabled():
        print(f"\nhpg.json: {len(CASES)} golden cases run")
    known = {"level_similarities", "score", "peer", "model", *SETTINGS}
    assert all(known <= set(case) for case in CASES)
