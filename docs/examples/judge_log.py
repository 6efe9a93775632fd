"""Writes judge-log.jsonl, the log of the example on the page of `judge`, whose answers are made up.

python docs/examples/judge_log.py
"""

import json
import re
from pathlib import Path

import msgspec

from summetry import load
from summetry.files import write_whole
from summetry.judges.log import Entry
from summetry.judges.prompts import Choice, plan_asks
from summetry.judges.rubrics import asked_rubrics

HERE = Path(__file__).parent
MODEL = "llama3.2"
# What the judge says of the summaries, topic by topic, of lead, t5 and noise; a trial in each row.
MARKS = [
    "5 4 2  4 4 1  5 3 2  4 5 x",
    "5 4 1  5 4 1  4 3 2  - 4 2",
]
# Of each pair, in both orders: which of the two that are shown is better.
VERDICTS = "AB AB AB  A= AB AB  AA AB AB  AB AA R-"


def said(sign: str) -> str:
    """An answer in the words of a model; R is a refusal, x something that cannot be read."""
    if sign == "R":
        return "I'm sorry, but I can't compare these texts."
    if sign == "x":
        return "This summary is rather hard to follow, I would say between 1 and 2."
    if sign.isdecimal():
        return json.dumps({"mark": int(sign), "reason": "The sentences read well enough."})
    return json.dumps({"better": sign.replace("=", "equal"), "reason": "It reads better."})


def main() -> None:
    page = (HERE.parent / "commands" / "judge.md").read_text(encoding="utf-8")
    table = re.search(r"`outputs.csv`:\n\n```text\n(.*?)```", page, flags=re.DOTALL)
    assert table
    path = HERE / "outputs.csv"
    path.write_text(table[1], encoding="utf-8")
    corpus = load(path)
    path.unlink()
    lines = []
    for mode, temperature, signs in (
        # Trials of a summary follow each other.
        ("points", 1, [s for pair in zip(*map(str.split, MARKS), strict=True) for s in pair]),
        ("pairs", 0, list(VERDICTS.replace(" ", ""))),
    ):
        trials = 2 if mode == "points" else 1
        parameters = {"temperature": temperature, "max_tokens": 300}
        asked = asked_rubrics(["fluency"], mode)
        asks = plan_asks(corpus, asked, Choice(), MODEL, parameters, trials)
        for ask, sign in zip(asks, signs, strict=True):
            messages = [dict(message) for message in ask.messages]
            tokens = sum(len(message["content"]) for message in messages) // 4
            response = problem = None
            if sign == "-":
                problem = "no answer within 120 s"
            else:
                message = {"role": "assistant", "content": said(sign)}
                response = {
                    "model": MODEL,
                    "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
                    "usage": {"prompt_tokens": tokens, "completion_tokens": 20},
                }
            entry = Entry(
                ask.key, MODEL, parameters, ask.trial, messages, ask.about, response, None,
                problem or "", 5 if problem else 1, 0.0 if problem else 0.5,
                "2026-01-01T12:00:00Z", "0.1.0", "http://localhost:11434",
            )  # fmt: skip
            lines.append(msgspec.json.encode(entry) + b"\n")
    write_whole(HERE / "judge-log.jsonl", b"".join(lines))


if __name__ == "__main__":
    main()
