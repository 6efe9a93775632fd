"""Metrics on token vectors, from strings to numbers on one core, next to a plain loop.

The loop tokenises each text with the package tokenizers, looks up its vectors and makes one product
of matrices per pair, in numpy. Vectors are made up, 32,000 × 256, with a word for each row; the
model is the tiny one of the tests, so that what is measured is the road to it. With ``--vectors`` a
folder of static vectors is measured on REALSumm as well; candidates of a topic share its reference.

    python benchmarks/encoders.py [--pairs 4000] [--runs 3] [--vectors FOLDER --name NAME]
        [--no-write]
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from peers import use_one_core
from sections import write_section
from texts import REALSUMM, realsumm, sentences, word_lists

import summetry
from summetry.arrays.threads import one_thread

sys.path.append(str(Path(__file__).parents[1] / "tests"))
from tiny_encoders import TinyModel, safetensors, tokenizer_json

ROWS, SIZE = 32_000, 256
LENGTH = 60
# Pairs a second of greedy_match with static vectors, each text a new one.
TO_REACH = 5_000
SAME = 1e-6

Pairs = tuple[list[str], list[str]]


def texts(count: int) -> list[str]:
    return [" ".join(sentences(words)) for words in word_lists(count, LENGTH)]


def made_up(folder: Path) -> Path:
    """Static vectors for all words of the generated texts."""
    folder.mkdir()
    words = {word for line in word_lists(20_000, LENGTH) for word in line}
    known = ["[UNK]", ".", *sorted(words)]
    known += [f"word{place}" for place in range(ROWS - len(known))]
    vectors = np.random.default_rng(0).normal(size=(ROWS, SIZE)).astype(np.float16)
    (folder / "model.safetensors").write_bytes(safetensors(vectors=vectors))
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer_json(known)), encoding="utf-8")
    return folder


def with_a_loop(folder: Path, pairs: Pairs) -> list[float]:
    """F of every pair, one after the other."""
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    (matrix,) = load_file(folder / "model.safetensors").values()
    unit = matrix.astype(np.float32)
    unit /= np.linalg.norm(unit, axis=1, keepdims=True).clip(1e-12)

    def vectors(text: str) -> Any:
        return unit[tokenizer.encode(text, add_special_tokens=False).ids]

    found = []
    for candidate, reference in zip(*pairs, strict=True):
        cosines = vectors(candidate) @ vectors(reference).T
        precision, recall = (float(cosines.max(axis).clip(0).mean()) for axis in (1, 0))
        found.append(2 * precision * recall / (precision + recall))
    return found


def with_summetry(metric: str, value: str) -> Callable[[Path, Pairs], list[float]]:
    def score(folder: Path, pairs: Pairs) -> list[float]:
        spelling = f"{metric}(path={json.dumps(str(folder))}).{value}"
        scores: list[float] = summetry.score(*pairs, metrics=[spelling])[spelling].tolist()
        return scores

    return score


LOOP, GREEDY = "a plain loop, greedy F", "greedy_match"
PROGRAMS = {
    LOOP: with_a_loop,
    GREEDY: with_summetry("greedy_match", "f"),
    "embedding_cosine": with_summetry("embedding_cosine", "value"),
}


def speed_of(
    work: Callable[[Path, Pairs], list[float]], folder: Path, pairs: Pairs, runs: int
) -> tuple[float, list[float]]:
    """Pairs a second of the processor, of the fastest run, since noise only ever adds; values."""
    work(folder, (pairs[0][:2], pairs[1][:2]))
    seconds = []
    for _ in range(runs):
        started = time.process_time()
        values = work(folder, pairs)
        seconds.append(time.process_time() - started)
    return len(values) / min(seconds), values


def measure(title: str, folder: Path, pairs: Pairs, runs: int, is_static: bool) -> list[str]:
    lines = ["", f"{title}:", "", "| program | pairs a second |", "|---|---|"]
    found: dict[str, list[float]] = {}
    speeds: dict[str, float] = {}
    for name, work in PROGRAMS.items():
        if is_static or name != LOOP:
            speeds[name], found[name] = speed_of(work, folder, pairs, runs)
            lines.append(f"| {name} | {speeds[name]:,.0f} |")
            print(f"{title}: {name}, {speeds[name]:,.0f} a second", flush=True)
    if not is_static:
        return lines
    gap = max(abs(a - b) for a, b in zip(found[LOOP], found[GREEDY], strict=True))
    if gap > SAME:
        sys.exit(f"the programs should agree to {SAME:g}, but are {gap:g} apart")
    word = "reached" if speeds[GREEDY] >= TO_REACH else "missed"
    lines += ["", f"Checked: values of greedy_match are those of the loop, to {SAME:g}."]
    return [*lines, f"To reach: {TO_REACH:,} pairs a second, {word}."]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--pairs", type=int, default=4000)
    arguments.add_argument("--runs", type=int, default=3)
    arguments.add_argument("--vectors", type=Path)
    arguments.add_argument("--name", default="Static vectors of a user", help="of these vectors")
    arguments.add_argument("--no-write", action="store_true")
    given = arguments.parse_args()
    use_one_core()
    lines = [
        f"Pairs of texts of {LENGTH} words, each text a new one, from strings to numbers on one "
        f"core; seconds of the processor, best of {given.runs} turns."
    ]
    both = texts(2 * given.pairs)
    pairs = both[: given.pairs], both[given.pairs :]
    with tempfile.TemporaryDirectory() as home, one_thread():
        folder = made_up(Path(home) / "static")
        title = f"Static vectors, {ROWS:,} × {SIZE}, {given.pairs:,} pairs"
        lines += measure(title, folder, pairs, given.runs, True)
        if given.vectors and REALSUMM.exists():
            both = [" ".join(side) for pair in realsumm() for side in pair]
            real = both[::2], both[1::2]
            words = sum(len(text.split()) for text in both) / len(both)
            title = f"{given.name}, {len(real[0]):,} pairs of REALSumm, {words:.0f} words per text"
            lines += measure(title, given.vectors, real, given.runs, True)
        few = given.pairs // 4
        model = TinyModel(positions=128).write(Path(home) / "model")
        title = f"The tiny model of the tests in ONNX, {few:,} pairs"
        lines += measure(title, model, (pairs[0][:few], pairs[1][:few]), given.runs, False)
    print("\n".join(lines))
    if not given.no_write:
        write_section("Encoders", "encoders.py", lines)


if __name__ == "__main__":
    main()
