"""Lin's weighted common subsequence against values of his recursion by another program."""

import goldens
import pytest
from kernel_roads import road  # noqa: F401

import summetry
from summetry.metrics.rouge.plain import weighted_lcs

GOLDEN = goldens.golden("wlcs.json")
CASES = (GOLDEN or {"cases": []})["cases"]
near = {"rel": 1e-12, "abs": 1e-12}


@pytest.mark.parametrize("case", CASES, ids=lambda case: "".join(case["reference"]))
def test_golden_the_plain_recursion(case):
    found = weighted_lcs(case["reference"], case["candidate"], case["weight"])
    assert found.worth == pytest.approx(case["wlcs"], **near)


@pytest.mark.parametrize("weight", sorted({case["weight"] for case in CASES}))
@pytest.mark.usefixtures("road")
def test_golden_the_metric_on_all_cases_at_once(weight):
    cases = [case for case in CASES if case["weight"] == weight]
    texts = ([" ".join(case[side]) for case in cases] for side in ("candidate", "reference"))
    name = f"rouge_w(weight={weight})"
    found = summetry.score(*texts, metrics=[name])[name]
    for value in ("recall", "precision"):
        assert found[value].tolist() == pytest.approx([case[value] for case in cases], **near)


def test_the_golden_file_of_wlcs_is_run_whole(capsys):
    if GOLDEN is None:
        pytest.skip("wlcs.json is not in the golden folder")
    with capsys.disabled():
        print(f"\nwlcs: {len(CASES)} golden cases run")
    known = {"reference", "candidate", "weight", "wlcs", "recall", "precision"}
    assert CASES and all(known <= set(case) for case in CASES)
