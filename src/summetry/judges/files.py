"""What a judge said as files that all commands read: a corpus, or tables beside each other.

    judged/               a corpus with the judgments, and the content units with who expresses them
    judged.csv            id, system, judge, dimension, value
    judged-scores.csv     id, system, and one column per dimension: means over trials
    judged-units.csv      id, unit, label, weight, system, value: 0 or 1
    judged-verdicts.csv   each request on a pair, with what came of it

The first table that there is has the name that was asked for. Signatures stand beside it, and
beside the scores by the names of their columns, where readers of scores look for them.
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
_BESIDE = ("scores", "units", "verdicts")
_IN_FOLDER = "judge.signatures.json"


def check_judged(path: Path, inputs: Sequence[Path], force: bool) -> None:
    """Refuse early to write what cannot be written, or over what is not ours."""
    if _is_folder(path):
        if path.is_file():
            raise SummetryError(f"{path}: expected a folder to write to, found a file")
        if any(path.exists() and read.exists() and path.samefile(read) for read in inputs):
            raise SummetryError(f"{path}: would be written over what is read; name another folder")
        taken = path if path.is_dir() and any(path.iterdir()) else None
        signed = path / _IN_FOLDER
    else:
        _ending(path)
        tables = [path, *(_named(path, name) for name in _BESIDE)]
        refuse_inputs(tables, inputs)
        taken = next((table for table in tables if table.exists()), None)
        signed = signatures_beside(path)
    if taken and not force and not _is_ours(signed):
        raise SummetryError(
            f"{taken}: exists already, and not from `summetry judge`; --force writes over it"
        )


def write_judged(judged: Judged, path: Path) -> list[Path]:
    """Write what a judge said; the files, or the folder, that were written."""
    signatures = _signed(judged.signatures)
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
    texts: dict[Path, str | bytes] = {}
    for name, (names, rows) in tables.items():
        own = path if name == first else _named(path, name)
        texts[own] = table_text(names, rows, ending)
        if name == first:
            texts[signatures_beside(own)] = signatures
        elif name == "scores":
            by_column = {judged.score_name(d): signed for d, signed in judged.signatures.items()}
            texts[signatures_beside(own)] = _signed(
                {column: signed for column, signed in by_column.items() if column in names}
            )
    write_together(texts)
    return list(texts)


def _signed(signatures: Mapping[str, str]) -> str:
    return json.dumps({"signatures": dict(signatures)}, indent=2) + "\n"


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


def _named(path: Path, name: str) -> Path:
    """The table of that name beside the first."""
    return path.with_name(f"{path.stem}-{name}{path.suffix}")


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
