"""Asking a server: what is repeated, what ends the run, what it costs, and where no key is."""

import asyncio
import email.utils
import json
import math
import re
import time

import pytest
from coroutines import in_thread
from judged_corpora import answer, entry, log_lines, no_answer, small_corpus, write_log
from scripted_server import Script, says, scripted_server

import summetry
from summetry.errors import SummetryError, SummetryWarning
from summetry.judges import run as run_module
from summetry.judges.costs import Budget, Meter, Price, Rates, forecast, read_budget
from summetry.judges.endpoint import Endpoint, Patience, StoppedError, chat_url
from summetry.judges.prompts import Choice, plan_asks
from summetry.judges.rubrics import asked_rubrics

KEY = "sk-test-0123456789abcdef"
GOOD = says('{"mark": 4}')


@pytest.fixture
def judge(tmp_path, monkeypatch):
    """Judge a small corpus, four requests, one at a time, by the server of a script."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SUMMETRY_JUDGE_KEY", raising=False)

    def run(script, corpus=None, **settings):
        usual = {"concurrency": 1, "wait": 0.01, "timeout": 5.0, "draws": 20} | settings
        with scripted_server(script) as address:
            return summetry.judge(corpus or small_corpus(), "fluency", "m", url=address, **usual)

    return run


@pytest.mark.parametrize(("given", "sent"), [
    ("http://localhost:11434", "http://localhost:11434/v1/chat/completions"),
    ("http://localhost:8000/v1/", "http://localhost:8000/v1/chat/completions"),
    ("https://h/openai/v1", "https://h/openai/v1/chat/completions"),
    ("https://h/v1/chat/completions", "https://h/v1/chat/completions"),
    ("https://h/x?api-version=2", "https://h/x/chat/completions?api-version=2"),
])  # fmt: skip
def test_an_address_may_be_given_with_or_without_its_path(given, sent):
    assert chat_url(given) == sent


@pytest.mark.parametrize(("url", "words"), [
    *[(url, "--url: expected http://HOST")
      for url in ("localhost:11434", "ftp://h/v1", "http:///v1", "")],
    ("https://ann:secret@h/v1", "a password has no place"),
])  # fmt: skip
def test_what_is_no_address_is_refused_and_a_password_is_not_repeated(url, words):
    with pytest.raises(SummetryError, match=words) as error:
        chat_url(url)
    assert "secret" not in str(error.value)


def test_what_is_sent_is_the_prompt_with_the_parameters_that_are_not_left_out(judge):
    script = Script(last=GOOD)
    judge(script, temperature=0.5, max_tokens=50, parameters={"seed": 7})
    sent = dict(script.requests[0])
    assert [message["role"] for message in sent.pop("messages")] == ["system", "user"]
    assert sent == {"model": "m", "temperature": 0.5, "max_tokens": 50, "seed": 7}
    assert script.headers[0]["path"] == "/v1/chat/completions"
    assert "Authorization" not in script.headers[0]
    script = Script(last=GOOD)
    judge(script, parameters={"temperature": None, "max_completion_tokens": 99})
    assert script.requests[0].keys() == {"model", "messages", "max_completion_tokens"}


@pytest.mark.parametrize("status", [408, 409, 425, 429, 500, 502, 503, 504, 529])
def test_what_may_pass_is_asked_again(judge, status):
    script = Script((status, "busy", {}), (status, "busy", {}), last=GOOD)
    judged = judge(script)
    assert judged.counts["mark"] == 4 and len(script.requests) == 6
    assert log_lines(run_module.LOG)[0]["attempts"] == 3


@pytest.mark.parametrize(("status", "advice"), [
    (400, "parameters=.* changes one"), (401, "key_env=NAME"), (403, "key_env=NAME"),
    (404, "are url and model right"), (422, r"\(422"), (302, r"\(302"),
])  # fmt: skip
def test_what_will_not_pass_ends_the_run_with_one_line_and_keeps_the_rest(judge, status, advice):
    refusal = (status, json.dumps({"error": {"message": "no\nsuch thing"}}), {})
    script = Script(GOOD, refusal, last=GOOD)
    words = rf"the server refuses the request \({status}.*\): no such thing"
    with pytest.raises(StoppedError, match=words) as error:
        judge(script)
    assert re.search(advice, str(error.value)) and "\n" not in str(error.value)
    assert len(script.requests) == 2
    assert len(log_lines(run_module.LOG)) == 1


@pytest.mark.parametrize(("status", "is_date", "concurrency", "least"), [
    # A date has whole seconds; all requests wait.
    (429, False, 4, 1.0), (503, True, 1, 0.9),
])  # fmt: skip
def test_the_server_says_when_to_come_back_and_all_wait(judge, status, is_date, concurrency, least):
    when = email.utils.formatdate(time.time() + 2, usegmt=True) if is_date else "1"
    began = time.monotonic()
    judge(Script((status, "", {"Retry-After": when}), last=GOOD), concurrency=concurrency)
    assert time.monotonic() - began >= least


def test_waits_double_and_have_some_chance_in_them():
    endpoint = Endpoint("http://h", "", Patience(wait=2.0), 1)
    for attempt, longest in ((1, 2), (2, 4), (3, 8), (9, 60)):
        waits = [endpoint._wait(attempt) for _ in range(50)]
        assert longest / 2 <= min(waits) < max(waits) <= longest


def test_a_request_that_fails_every_time_is_counted_as_without_an_answer(judge):
    prompts = []

    def reply(request):
        prompts.append(request)
        return (500, "broken", {}) if request == prompts[0] else GOOD

    script = Script(last=reply)
    judged = judge(script, attempts=3)
    assert {kind: n for kind, n in judged.counts.items() if n} == {"mark": 3, "no_answer": 1}
    first = log_lines(run_module.LOG)[0]
    assert (first["problem"], first["attempts"]) == ("500 Internal Server Error", 3)
    # The same command asks nothing.
    assert judge(Script(), attempts=3).counts["no_answer"] == 1


def test_a_time_out_is_of_the_whole_answer_which_may_drip(judge):
    script = Script(last=lambda request: time.sleep(0.6) or GOOD)
    judged = judge(script, timeout=0.2, attempts=1, corpus=small_corpus(1))
    assert judged.counts["no_answer"] == 2
    assert "no answer within 0.2 s" in log_lines(run_module.LOG)[0]["problem"]
    # An answer that drips is a time-out, too.
    is_gone = asyncio.Event()

    async def drip(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n")
        for _ in range(20):
            writer.write(b"x")
            await asyncio.sleep(0.05)
        writer.close()
        is_gone.set()

    async def ask():
        server = await asyncio.start_server(drip, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        patience = Patience(timeout=0.3, attempts=1)
        async with Endpoint(f"http://127.0.0.1:{port}/v1", "", patience, 1) as endpoint:
            reply = await endpoint.ask({})
        await is_gone.wait()
        server.close()
        return reply

    assert in_thread(ask()).problem == "no answer within 0.3 s"


def test_a_server_that_is_not_there_ends_the_run(judge, tmp_path):
    with scripted_server(Script()) as address:
        pass
    with pytest.raises(StoppedError, match=r"no connection .*, tried 2 times; is the server there"):
        summetry.judge(small_corpus(), "fluency", "m", url=address, attempts=2, wait=0.01)
    assert log_lines(run_module.LOG) == []


@pytest.mark.parametrize(("reply", "attempts", "sent", "words"), [
    ((429, "", {"Retry-After": "7200"}), 1, 1, "asks to wait 7,200 s, so try later"),
    ((429, "", {}), 2, 2, "429 .*tried 2 times; too many requests for this"),
    ((500, "", {}), 1, 20, "20 requests one after the other had no answer"),
])  # fmt: skip
def test_a_server_that_is_ill_is_not_asked_a_thousand_times(judge, reply, attempts, sent, words):
    script = Script(last=reply)
    with pytest.raises(StoppedError, match=words):
        judge(script, attempts=attempts, corpus=small_corpus(30))
    assert len(script.requests) == sent


def test_an_answer_that_is_no_json_is_kept_as_it_is_and_not_asked_again(judge):
    judged = judge(Script("<html>not\nJSON", last=GOOD))
    assert judged.counts["parse_failure"] == 1
    assert log_lines(run_module.LOG)[0]["body"] == "<html>not\nJSON"
    assert judge(Script()).counts["parse_failure"] == 1


def test_answers_under_way_are_kept_when_another_request_ends_the_run(judge):
    def slow(request):
        time.sleep(0.4)
        return GOOD

    script = Script(slow, lambda request: time.sleep(0.1) or (401, "no", {}), last=slow)
    with pytest.raises(StoppedError, match="401"):
        judge(script, concurrency=2)
    assert len(log_lines(run_module.LOG)) == 1


def test_the_key_is_in_a_header_and_nowhere_else(judge, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("SUMMETRY_JUDGE_KEY", KEY)
    echo = says(f'{{"mark": 4, "reason": "{KEY} is a fine key"}}')
    hidden = echo.replace(KEY, "".join(f"\\u{ord(letter):04x}" for letter in KEY))
    refusal = (401, json.dumps({"error": {"message": f"Incorrect key: {KEY}"}}), {})
    script = Script(echo, hidden, f"no JSON {KEY}", refusal)
    with pytest.raises(StoppedError) as error:
        judge(script)
    assert script.headers[0]["Authorization"] == f"Bearer {KEY}"
    shown = "".join(capsys.readouterr()) + repr(error.value) + str(error.traceback)
    cause = error.value
    while cause:
        shown += f"{cause!r} {cause.__dict__!r}"
        cause = cause.__cause__ or cause.__context__
    assert KEY not in shown and "Incorrect key: [key]" in shown
    files = [path.read_text() for path in tmp_path.rglob("*") if path.is_file()]
    assert files and all(KEY not in text for text in files)
    assert "[key] is a fine key" in files[0]
    assert KEY not in repr(Endpoint("http://h", KEY, Patience(), 1))


@pytest.mark.parametrize(("variable", "value", "words"), [
    ("OTHER_KEY", " ", "the variable OTHER_KEY is not set, or empty"),
    ("SUMMETRY_JUDGE_KEY", "schlüssel\nzwei", "can be no key"),
])  # fmt: skip
def test_what_is_no_key_is_refused_and_not_shown(judge, monkeypatch, variable, value, words):
    monkeypatch.setenv(variable, value)
    with pytest.raises(SummetryError, match=words) as error:
        judge(Script(last=GOOD), key_env=variable)
    assert "schl" not in str(error.value)


def test_a_key_that_can_be_read_on_its_way_is_warned_of(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SUMMETRY_JUDGE_KEY", KEY)
    settings = {"url": "http://judge.invalid/v1", "attempts": 1}
    warned = pytest.warns(SummetryWarning, match="sent to http://judge.invalid/v1/.* unencrypted")
    with warned, pytest.raises(SummetryError, match="no connection"):
        summetry.judge(small_corpus(1), "fluency", "m", **settings)


def test_a_notebook_that_has_a_loop_of_its_own_can_judge(judge):
    async def inside():
        return judge(Script(last=GOOD))

    assert in_thread(inside()).counts["mark"] == 4


PARAMETERS = {"temperature": 0, "max_tokens": 300}
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
        assert 0 < sent < 8 and judged.counts["mark"] == sent == len(log_lines(run_module.LOG))
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
