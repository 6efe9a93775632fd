"""A log of Inspect (``inspect_ai``): what a model answered to each sample of a task.

``.eval`` is an archive with ``header.json`` and one file for each sample and epoch; ``.json`` is
one object with both:

    {"version": 2, "status": "success", "eval": {"task": "...", "model": "openai/gpt-5"},
     "samples": [{"id": 1, "epoch": 1, "input": "...", "target": "...", "output": {...}}]}

A sample is a topic, its input the source, its target a reference (a list: several), and the model's
answer the candidate. In several epochs the model is a system in each of them. A sample that ended
with an error, or that has no target, is a bad record.

Inspect is not needed; Python before 3.14 reads ``.eval`` by the package zipfile-zstd, which Inspect
installs.
"""

from __future__ import annotations

import contextlib
import json
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from summetry.errors import FormatError, Place, SummetryError, optional_module
from summetry.formats._base import FORMATS, Format, ReadOptions, first_bytes
from summetry.formats.cells import may_have_names
from summetry.formats.texts import warn_at
from summetry.records.builder import CorpusBuilder
from summetry.records.corpus import Corpus
from summetry.records.summaries import Summary

# How zip files number the compression that Inspect uses.
_ZSTANDARD = 93
Sample = dict[str, Any]


@FORMATS.register
@dataclass(frozen=True)
class InspectLog(Format):
    """Answers of one model to the samples of a task, with their targets."""

    name: ClassVar[str] = "inspect"
    title: ClassVar[str] = "logs of Inspect, .eval and .json: answers of a model, and targets"

    def recognise(self, path: Path) -> bool:
        if not path.is_file():
            return False
        if zipfile.is_zipfile(path):
            with contextlib.suppress(zipfile.BadZipFile), zipfile.ZipFile(path) as archive:
                return "_journal/start.json" in archive.namelist()
            return False
        is_object = first_bytes(path, 1) == b"{"
        return is_object and may_have_names(path, "version", "status", "eval", "eval_id", "task")

    def read(self, path: Path, options: ReadOptions) -> Corpus:
        builder = options.builder(path.stem)
        with _naming_broken(path):
            model, samples = _read_log(path)
        epochs = max((sample["epoch"] for sample in samples), default=1)
        seen: dict[str, list[str]] = {}
        for sample in samples:
            with builder.reporting(), _naming_broken(path):
                system = f"{model} (epoch {sample['epoch']})" if epochs > 1 else model
                _add(builder, sample, system, Place(str(path)), seen)
        return builder.build()


def _read_log(path: Path) -> tuple[str, list[Sample]]:
    """The model, and the samples in the order of the dataset: a log has them as they ended."""
    head, samples = (_read_archive if zipfile.is_zipfile(path) else _read_json)(path)
    model, ids = str(head["eval"]["model"]), head["eval"]["dataset"].get("sample_ids") or []
    places = {str(name): place for place, name in enumerate(ids)}
    samples.sort(key=lambda one: (int(one["epoch"]), places.get(str(one["id"]), len(ids))))
    status = head.get("status", "started")
    if status != "success":
        warn_at(path, f"the run did not end well (status {status!r}): samples may be missing")
    return model, samples


@contextlib.contextmanager
def _naming_broken(path: Path) -> Iterator[None]:
    """What a damaged log raises, as one line with the path."""
    try:
        yield
    except SummetryError:
        raise
    except Exception as error:  # Whatever the three packages that unpack may raise.
        found = f"a broken one ({type(error).__name__}: {error})"
        raise FormatError(Place(str(path)), "a log of Inspect", found) from error


def _add(
    builder: CorpusBuilder, sample: Sample, system: str, place: Place, seen: dict[str, list[str]]
) -> None:
    """Add the answer, and what it is compared with where the topic is new."""
    topic = str(sample["id"])
    place = Place(f"{place}, sample {topic}")
    if sample.get("error"):
        raise FormatError(place, "an answer", f"the error {_message(sample['error'])!r}")
    references = _targets(sample, place)
    answer = _answer(sample, place)
    if topic not in seen:
        source = _text(sample.get("input") or "") or None
        builder.add_texts(topic, source, references, place)
    if seen.setdefault(topic, references) != references:
        raise FormatError(place, "the target of its other epochs", "another one")
    builder.add("summaries", Summary(topic, system, "candidate", text=answer), place)


def _message(error: Any) -> str:
    words = str(error.get("message", "")) if isinstance(error, dict) else str(error)
    return words.partition("\n")[0][:100]


def _targets(sample: Sample, place: Place) -> list[str]:
    target = sample.get("target")
    texts = target if isinstance(target, list) else [target]
    if not any(texts) or not all(isinstance(text, str) for text in texts):
        raise FormatError(place, "a text, or a list of texts, as target", repr(target))
    return [text for text in texts if text]


def _answer(sample: Sample, place: Place) -> str:
    try:
        return _text(sample["output"]["choices"][0]["message"]["content"])
    except (KeyError, IndexError, TypeError) as error:
        raise FormatError(place, "an answer of the model", "none") from error


def _text(content: Any) -> str:
    """The text of a message, of its parts that are text, or of the last message of the user."""
    if isinstance(content, str):
        return content
    if content and "role" in content[0]:
        asked = [message for message in content if message["role"] == "user"]
        return _text(asked[-1]["content"]) if asked else ""
    return "\n".join(part["text"] for part in content if part.get("type") == "text")


def _read_json(path: Path) -> tuple[Sample, list[Sample]]:
    log = json.loads(path.read_text(encoding="utf-8-sig"))
    return log, log.get("samples") or []


def _read_archive(path: Path) -> tuple[Sample, list[Sample]]:
    with zipfile.ZipFile(path) as archive:
        is_packed = any(one.compress_type == _ZSTANDARD for one in archive.infolist())
        if is_packed and sys.version_info < (3, 14):
            optional_module("zipfile_zstd", "reading .eval", "zipfile-zstd")
        names = archive.namelist()
        # A run that was killed has no header.
        head = "header.json" if "header.json" in names else "_journal/start.json"
        samples = [json.loads(archive.read(n)) for n in names if n.startswith("samples/")]
        return json.loads(archive.read(head)), samples
