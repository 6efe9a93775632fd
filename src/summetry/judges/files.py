"""What a judge said as files that all commands read: a corpus, or tables beside each other.

    judged/               a corpus with the judgments, and the content units with who expresses them
    judged.csv            id, system, judge, dimension, value
    judged-scores.csv     id, system, and one column per dimension: means over trials
    judged-units.csv      id, unit, label, weight, system, value: 0 or 1
    judged-verdicts.csv   each request on a pair, with what came of it

The first table that there is has the name that was asked for. Signatures stand beside it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from summetry.errors import SummetryError
from summetry.files import refuse_inputs, write_together
from summetry.formats.cells import table_text
from summetry.formats.folder import Folder
from summetry.formats.scores import signatures_beside
from summetry.judges.judged import VERDICT_COLUMNS, Judged

ENDINGS = ("csv", "jsonl")
_JUDGMENTS = ("id", "system", "judge", "dimension", "value")
_UNITS = ("id", "unit", "label", "weight", "system", "value")
_IN_FOLDER = "judge.signatures.json"


def check_judged(path: Path, inputs: Sequence[Path], force: bool) -> None:
    """Refuse early to write what cannot be written, or over what is not ours."""
    if _is_folder(path):
        if path.is_file():
            raise SummetryError(f"{path}: expected a folder to write to, found a file")
        if any(path.exists() and read.exists() and path.samefile(read) for read in inputs):
            raise SummetryError(f"{path}: would be written over what is read; name another folder")
        is_taken = path.is_dir() and any(path.iterdir())
        signed = path / _IN_FOLDER
    else:
        _ending(path)
        refuse_inputs([path], inputs)
        is_taken, signed = path.exists(), signatures_beside(path)
    if is_taken and not force and not _is_ours(signed):
        raise SummetryError(
            f"{path}: exists already, and not from `summetry judge`; --force writes over it"
        )


def write_judged(judged: Judged, path: Path) -> list[Path]:
    """Write what a judge said; the files, or the folder, that were written."""
    signatures = json.dumps({"signatures": dict(judged.signatures)}, indent=2) + "\n"
    if _is_folder(path):
        Folder().write(judged.to_corpus(), path)
        contents: dict[Path, str | bytes] = {path / _IN_FOLDER: signatures}
        if "verdicts" in _tables(judged):
            contents[path / "verdicts.csv"] = table_text(VERDICT_COLUMNS, judged.verdicts(), "csv")
        write_together(contents)
        return [path]
    ending = _ending(path)
    tables = _tables(judged)
    first = next(iter(tables))
    texts = {
        path if name == first else path.with_name(f"{path.stem}-{name}{path.suffix}"): table_text(
            names, rows, ending
        )
        for name, (names, rows) in tables.items()
    }
    write_together({**texts, signatures_beside(path): signatures})
    return list(texts)


def _tables(judged: Judged) -> dict[str, tuple[Sequence[str], list[Sequence[Any]]]]:
    """The tables that there are, by their names."""
    tables: dict[str, tuple[Sequence[str], list[Sequence[Any]]]] = {}
    modes = {asked.mode for asked in judged.asked}
    if modes != {"units"}:
        rows = [(j.topic, j.author, j.judge, j.dimension, j.value) for j in judged.judgments()]
        names, means = judged.scores()
        tables |= {"judgments": (_JUDGMENTS, list(rows)), "scores": (names, list(means))}
    if "units" in modes:
        tables["units"] = (_UNITS, list(judged.unit_rows()))
    if "pairs" in modes:
        tables["verdicts"] = (VERDICT_COLUMNS, list(judged.verdicts()))
    return tables


def _is_folder(path: Path) -> bool:
    return path.is_dir() or not path.suffix


def _ending(path: Path) -> str:
    ending = path.suffix.lower().removeprefix(".")
    if ending not in ENDINGS:
        raise SummetryError(
            f"{path}: judgments are written to a folder, or to files ending in .csv, .jsonl"
        )
    return ending


def _is_ours(signed: Path) -> bool:
    """Whether signatures of a judge are beside a file, or in a folder."""
    try:
        kept: Mapping[str, Any] = json.loads(signed.read_text(encoding="utf-8"))
        return all(str(one).startswith("judge(") for one in kept["signatures"].values())
    except (OSError, ValueError, KeyError, AttributeError, TypeError):
        return False
