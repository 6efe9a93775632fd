"""Graphs against JInsect, the NPowER tool and an independent implementation of proximity graphs.

All add in another order than we do, so sums agree to about 1e-14 and not to the last bit. The
tools of Java print six or eight digits, and read texts from files.
"""

from functools import cache

import goldens
import numpy as np
import pytest
from comparisons import compare_texts, values

from summetry.metrics import METRICS
from summetry.metrics.graphs import operators
from summetry.metrics.graphs.hpg import Hpg, hpg
from summetry.metrics.graphs.ngram_graphs import ngram_graphs, npower
from summetry.metrics.graphs.similarity import similarities
from summetry.records.batches import Batch

GOLDEN = goldens.golden("ngram_graphs.json") or {"graphs": [], "pairs": [], "sets": [], "ops": []}
SETTINGS = {
    "3,3,3": "text=raw(characters=utf16)",
    "2,4,3": "min_n=2,max_n=4,rank_weights=jinsect,text=raw(characters=utf16)",
}
FILES = "raw(characters=utf16,file=true)"
MERGING = {"memog": "update", "memog_V1jar_newedge1": "ones"}
MERGING["memog_literal_mean_NOT_ORACLE"] = "mean"
every_graph = pytest.mark.parametrize(
    "case", GOLDEN["graphs"], ids=lambda c: f"{c['text'][:12]} {c['kind']} {c['n']},{c['win']}"
)
every_pair = pytest.mark.parametrize("case", GOLDEN["pairs"], ids=lambda case: case["id"])
# Plain Python takes long with most sets: of these the three shortest are tried by default.
IN_ORDER = sorted(GOLDEN["sets"], key=lambda case: len(case["peer"] + "".join(case["models"])))
SLOW = {"plain": IN_ORDER[3:], "compiled": []}
SETS = [
    pytest.param(road, case, id=f"{road} {case['id']}", marks=[pytest.mark.slow] * (case in slow))
    for road, slow in SLOW.items()
    for case in IN_ORDER
]
every_set = pytest.mark.parametrize(("road", "case"), SETS, indirect=["road"])
every_operation = pytest.mark.parametrize("case", GOLDEN["ops"], ids=lambda case: case["a"])
both_roads = pytest.mark.usefixtures("road")
near = {"rel": 1e-12, "abs": 1e-12}


def batch(candidate, references):
    return Batch([compare_texts(candidate, references)])


@cache
def graph_of(text, kind, pipeline):
    (graph,) = ngram_graphs([text], *kind, text=pipeline)
    return graph


def graphs_of(metric, texts):
    """The graphs of some texts for each rank."""
    ranks, pipeline = metric.weight_of_rank, metric.pipeline
    return {n: [graph_of(text, metric.kind(n), pipeline) for text in texts] for n in ranks}


def one(found):
    return {name.upper(): np.atleast_1d(values)[0] for name, values in found._asdict().items()}


def both_ways(graph):
    """Edges as the Java lists them: an edge without direction from both of its ends."""
    found = [[a, b, weight] for a, b, weight in graph.edge_list()]
    if not graph.directed:
        found += [[b, a, weight] for a, b, weight in found if a != b]
    return sorted(found)


def counts(graph):
    """V, E, loops and W as the file has them."""
    total = sum(graph.directions(ends) * weight for ends, weight in graph.edges.items())
    loops = sum(a == b for a, b in graph.edges)
    return {"V": len(graph.vertices), "E": graph.size, "loops": loops, "W": pytest.approx(total)}


def check_graph(found, expected):
    assert (len(found.vertices), found.size) == (expected["V"], expected["E"])
    edges = both_ways(found)
    assert [edge[:2] for edge in edges] == [edge[:2] for edge in sorted(expected["edges"])]
    weights = [edge[2] for edge in sorted(expected["edges"])]
    assert [edge[2] for edge in edges] == pytest.approx(weights, **near)


@every_graph
def test_golden_graphs(case):
    directed = case["kind"] == "directed"
    (found,) = ngram_graphs([case["text"]], case["n"], case["win"], directed)
    check_graph(found, case)


@every_pair
def test_golden_pairs(road, case):
    compared = batch(case["a"], [case["b"]])
    for settings, spelling in SETTINGS.items():
        expected = case[settings]
        metric = METRICS.build(f"autosummeng({spelling})")
        found = one(metric.with_references(compared))
        assert found == pytest.approx({name: expected[name] for name in found}, **near)
        if "VS_paper_weights" in expected:
            plain = METRICS.build(f"autosummeng({spelling.replace('jinsect', 'paper')})")
            vs = plain.with_references(compared).vs[0]
            assert vs == pytest.approx(expected["VS_paper_weights"], **near)
        graphs = graphs_of(metric, [case["a"], case["b"]]) if road == "plain" else {}
        for n, (a, b) in graphs.items():
            assert one(similarities(a, b)) == pytest.approx(expected["levels"][str(n)], **near)
            assert counts(a) == expected["counts_a"][str(n)]
            assert counts(b) == expected["counts_b"][str(n)]
    directed = METRICS.build("autosummeng(directed=true,text=raw(characters=utf16))")
    found = one(directed.with_references(compared))
    assert found == pytest.approx(case["directed_3,3,3"], **near)


@every_set
def test_golden_sets(road, case):
    for k, by_settings in case["k"].items():
        for settings, spelling in SETTINGS.items():
            expected, models = by_settings[settings], case["models"][: int(k)]
            compared = batch(case["peer"], models)
            metric = METRICS.build(f"autosummeng({spelling})")
            each = metric.with_references(compared).vs.tolist()
            assert each == pytest.approx(expected["per_model_VS"], **near)
            vs = metric.score(metric.count(compared))["vs"][0]
            assert vs == pytest.approx(expected["autosummeng"], **near)
            for name, merging in MERGING.items():
                metric = METRICS.build(f"memog(merging={merging},{spelling})")
                found = one(metric.with_merged(compared, merging))
                assert found == pytest.approx(expected[name], **near)
                scores = metric.score(metric.count(compared))
                assert scores["vs"][0] == pytest.approx(expected[name]["VS"], **near)
                assert scores["nvs"][0] == pytest.approx(expected[name]["NVS"], **near)
            turned = one(metric.with_merged(batch(case["peer"], models[::-1]), "update"))
            assert turned == pytest.approx(expected["memog_reversed_order"], **near)
            for n, graphs in graphs_of(metric, models).items():
                assert counts(operators.merged(graphs)) == expected["merged_counts"][str(n)]


@every_set
def test_golden_what_the_tools_of_npower_print(road, case):
    """The first release as the tool of today, but new edges of a model come in with weight 1."""
    tool = METRICS.build("npower(tool=true)")
    first = METRICS.build(f"autosummeng(text={FILES})")
    for k, expected in case["k"].items():
        compared = batch(case["peer"], case["models"][: int(k)])
        found = tool.score(tool.count(compared))
        printed = [found[name][0] for name in ("autosummeng", "memog", "value")]
        # Six digits are printed.
        assert printed == pytest.approx(expected["npower_tool_head"], abs=5.1e-7)
        models = first.with_references(compared).vs
        a, m = np.mean([first.with_merged(compared, "ones").vs[0], *models[1:]]), models[-1]
        assert [a, m, npower(a, m)] == pytest.approx(expected["npower_tool_V1jar"], abs=5.1e-7)


@every_set
def test_golden_what_the_tool_of_tac_2010_prints(road, case):
    """Its merging replaces weights with every model but the last, which adds new edges alone."""
    compared = batch(case["peer"], case["models"])
    metric = METRICS.build(f"autosummeng(text={FILES})")
    expected = case["tac2010_tool_head"]
    mean = metric.score(metric.count(compared))["vs"][0]
    assert mean == pytest.approx(expected["autosummeng_avg"], abs=5.1e-9)
    candidate, first, *others = graphs_of(metric, [case["peer"], *case["models"]])[3]
    for place, other in enumerate(others, 2):
        first = operators.update(first, other, 0.0 if place == len(case["models"]) else 1.0)
    assert similarities(candidate, first).nvs == pytest.approx(expected["merge_NVS"], abs=5.1e-9)


@every_operation
def test_golden_operators(case):
    a, b = ngram_graphs([case["a"], case["b"]], case["n"], case["win"])
    check_graph(operators.merge(a, b), case["merge_0.5"])
    check_graph(operators.union(a, b), case["merge_0"])
    check_graph(operators.update(a, b, 1.0), case["merge_1"])
    check_graph(operators.update(a, b, 0.5, new=1.0), case["merge_0.5_V1jar"])
    check_graph(operators.intersect(a, b), case["intersect"])
    check_graph(operators.inverse_intersect(a, b), case["inverse"])
    check_graph(operators.inverse_intersect(a, b), case["delta"])
    check_graph(operators.all_not_in(a, b), case["allnotin"])


# Hierarchical proximity graphs

CASES = (goldens.golden("hpg.json") or {"cases": []})["cases"]
NAMES = ("n", "window", "levels", "theta")
close = {"rel": 1e-9, "abs": 1e-9}


def settings(case):
    return {name: case[name] for name in NAMES}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_golden_every_level_and_the_score(case):
    found = hpg(case["peer"], case["model"], **settings(case))
    assert list(found.levels) == pytest.approx(case["level_similarities"], **close)
    assert found.value == pytest.approx(case["score"], **close)


@both_roads
@pytest.mark.parametrize("theta", sorted({case["theta"] for case in CASES}))
def test_golden_all_cases_in_one_batch(theta):
    cases = [case for case in CASES if case["theta"] == theta]
    (options,) = {tuple(settings(case).values()) for case in cases}
    compared = [compare_texts(case["peer"], [case["model"]]) for case in cases]
    found = values(Hpg(*options), *compared)
    assert found == pytest.approx([case["score"] for case in cases], **close)
