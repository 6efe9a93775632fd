"""What a run costs: said before it, and kept within a budget."""

import math

import pytest
from judged_corpora import answer, entry, log_lines, no_answer, small_corpus, write_log
from scripted_server import Script, says, scripted_server

import summetry
from summetry.errors import SummetryError, SummetryWarning
from summetry.judges.costs import Budget, Meter, Price, Rates, forecast, read_budget
from summetry.judges.prompts import Choice, plan_asks
from summetry.judges.rubrics import asked_rubrics
from summetry.judges.run import LOG

PARAMETERS = {"temperature": 0, "max_tokens": 300}
GOOD = says('{"mark": 4}')
SHORT = answer("4", usage=(70, 9))


def asks(topics=2, **parameters):
    rubrics = asked_rubrics(["fluency"])
    return plan_asks(small_corpus(topics), rubrics, Choice(), "m", PARAMETERS | parameters, 1)


def size(ask):
    """Bytes of what is said, and eight for the frame of each message."""
    return sum(len(message["content"].encode()) + 8 for message in ask.messages)


def test_tokens_are_forecast_from_bytes_and_the_most_and_better_from_answers_in_the_log():
    every = asks()
    one = forecast(every, every, {}, Price(2.0, 10.0), 4)
    tokens = sum(map(size, every)) / 4
    assert (one.requests, one.in_log, one.to_ask) == (4, 0, 4)
    assert one.prompt_tokens == pytest.approx(tokens) and one.answer_tokens == 1200
    assert one.cost == pytest.approx((tokens * 2 + 1200 * 10) / 1e6)
    assert math.isnan(one.seconds) and not one.is_measured
    # Answers in the log say better what the others take.
    first, *rest = every
    usage = (2 * size(first), 20)
    entries = {first.key: entry(first, answer("4", usage=usage), seconds=1.5)}
    one = forecast([first, *rest], rest, entries, None, 2)
    assert one.is_measured and (one.in_log, one.to_ask) == (1, 3)
    assert one.prompt_tokens == pytest.approx(2 * sum(map(size, rest)))
    assert one.answer_tokens == 60 and one.seconds == 3.0 and math.isnan(one.cost)


@pytest.mark.parametrize(("text", "budget"), [
    ("500 requests", (500, "requests")), ("1 request", (1, "requests")),
    ("200,000 tokens", (200000, "tokens")), ("2.50", (2.5, "money")), (".5", (0.5, "money")),
])  # fmt: skip
def test_a_budget_is_requests_tokens_or_money(text, budget):
    assert read_budget(text, Price(1, 1)) == Budget(*budget)


NO_BUDGET = "--budget: write '500 requests'"


@pytest.mark.parametrize(("text", "price", "words"), [
    *[(text, Price(1, 1), NO_BUDGET) for text in ("", "much", "-3", "3 euros", "1e3")],
    ("2.50", None, "--budget in a currency needs --price IN OUT"),
])  # fmt: skip
def test_what_is_no_budget_is_refused(text, price, words):
    with pytest.raises(SummetryError, match=words):
        read_budget(text, price)


def test_requests_and_tokens_under_way_are_reserved_at_their_most_and_counted_as_they_were():
    first, second, third, *_ = asks()
    meter = Meter(Budget(2, "requests"), None, Rates())
    assert meter.has_room(first) and meter.has_room(second) and not meter.has_room(third)
    # A repetition is a request, too.
    meter.count(first, entry(first, answer("4"), attempts=2))
    assert not meter.has_room(third)
    # Tokens are reserved at their most.
    meter = Meter(Budget(size(first) / 4 + 300 + 100, "tokens"), None, Rates())
    assert meter.has_room(first) and not meter.has_room(second)
    meter.count(first, entry(first, answer("4", usage=(10, 5))))
    assert (meter.prompt, meter.answer, meter.requests) == (10, 5, 1)
    assert meter.has_room(second)
    # What the server does not count is estimated, and a time-out is not.
    meter = Meter(None, Price(1e6, 0), Rates())
    meter.count(first, entry(first, answer("4", usage=())))
    assert meter.prompt == size(first) / 4 and meter.cost == meter.prompt
    meter.count(second, entry(second, problem="late", attempts=5))
    assert meter.prompt == size(first) / 4 and meter.requests == 6


@pytest.mark.parametrize("concurrency", [1, 3])
@pytest.mark.parametrize("budget", ["3 requests", "1900 tokens", "0.0019"])
def test_a_budget_ends_a_run_and_a_larger_one_goes_on(budget, concurrency, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    settings = {"price": (1.0, 1.0), "concurrency": concurrency, "draws": 20, "max_tokens": 20}
    # The server counts more tokens than were expected, and 460 in all for each request.
    script = Script(last=GOOD.replace('"prompt_tokens": 100', '"prompt_tokens": 450'))
    corpus = small_corpus(4)
    with scripted_server(script) as address:
        with pytest.warns(SummetryWarning, match="the budget of .* is used up: . requests of 8"):
            judged = summetry.judge(corpus, "fluency", "m", url=address, budget=budget, **settings)
        sent = len(script.requests)
        assert 0 < sent < 8 and judged.counts["mark"] == sent == len(log_lines(LOG))
        assert judged.counts["not_asked"] == 8 - sent
        assert judged.spent.prompt_tokens == 450 * sent
        assert sent == (3 if budget == "3 requests" else 1900 // 460)
        # What was spent stays spent: the same command asks nothing more.
        with pytest.warns(SummetryWarning, match="is used up"):
            summetry.judge(corpus, "fluency", "m", url=address, budget=budget, **settings)
        assert len(script.requests) == sent
        more = summetry.judge(corpus, "fluency", "m", url=address, budget="99 requests", **settings)
    assert more.counts["mark"] == 8 and len(script.requests) == 8


def test_a_budget_of_tokens_needs_a_longest_answer():
    unlimited = {"max_tokens": None}
    with pytest.raises(SummetryError, match="budget in tokens or money needs max_tokens"):
        summetry.judge(small_corpus(), "fluency", "m", budget="9 tokens", parameters=unlimited)


def test_trials_are_never_served_from_each_other(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    script = Script(*(says(f'{{"mark": {mark}}}') for mark in (1, 2, 3, 4, 5, 1)))
    settings = {"temperature": 1.0, "concurrency": 1, "draws": 20}
    with scripted_server(script) as address:
        corpus = small_corpus(1)
        one = summetry.judge(corpus, "fluency", "m", url=address, trials=1, **settings)
        three = summetry.judge(corpus, "fluency", "m", url=address, trials=3, **settings)
    assert len(script.requests) == 6
    assert [outcome.value for _, outcome in one.said] == [1, 2]
    # The first trial is the one that was asked before; the others were asked anew.
    assert [outcome.value for _, outcome in three.said] == [1, 3, 4, 2, 5, 1]


def test_a_log_of_another_model_or_temperature_answers_nothing(tmp_path):
    path = write_log(tmp_path / "log.jsonl", [(ask, answer("4")) for ask in asks()])
    same = {"log": path, "replay": True, "draws": 20}
    judged = summetry.judge(small_corpus(), "fluency", "m", **same)
    assert judged.counts["mark"] == 4
    # The same number in another form is the same request.
    same_numbers = {"temperature": 0, "parameters": {"max_tokens": 300.0}}
    again = summetry.judge(small_corpus(), "fluency", "m", **same_numbers, **same)
    assert again.counts["mark"] == 4
    other = r"log.jsonl has 4 answers by 'm', but to other requests; texts, rubric, mode"
    none = r"log.jsonl has no answer by 'n'; it has answers by m \(4\)"
    changes = ({"model": "n"}, none), ({"temperature": 0.1}, other), ({"max_tokens": 9}, other)
    for change, words in changes:
        with pytest.raises(SummetryError, match=words):
            summetry.judge(small_corpus(), "fluency", **({"model": "m"} | same | change))


def test_what_is_sent_now_is_told_from_what_the_log_had(tmp_path):
    log = tmp_path / "log.jsonl"
    first, second, third, _ = asks()
    # Two answers, a request that had none in five attempts, and one that was never sent.
    write_log(log, [(first, SHORT), (second, SHORT), (third, no_answer())])
    with scripted_server(Script(last=GOOD)) as address:
        same = {"log": log, "url": address, "draws": 20}
        judged = summetry.judge(small_corpus(), "fluency", "m", retry=True, **same)
        assert (judged.sent.requests, judged.sent.prompt_tokens) == (2, 200)
        assert (judged.from_log, judged.spent.prompt_tokens) == (2, 340)
        again = summetry.judge(small_corpus(), "fluency", "m", **same)
    assert (again.sent.requests, again.sent.prompt_tokens, again.from_log) == (0, 0, 4)
    assert again.spent == judged.spent
