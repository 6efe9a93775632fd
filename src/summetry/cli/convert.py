"""``summetry convert``: from one format to another."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from summetry.cli._options import (
    ColumnsOption,
    JsonOption,
    LanguageOption,
    OnErrorOption,
    parse_columns,
)
from summetry.cli._output import check_free, echo, echo_notes, echo_skipped, print_json
from summetry.cli._parameters import argument, flag, option
from summetry.errors import SummetryError, counted
from summetry.formats import FORMATS, load, must_be_writable
from summetry.formats.cells import TABLE_ENDINGS
from summetry.records.corpus import KINDS, Corpus, counted_records


def convert(
    source: Annotated[Path, argument("IN", "What to read.")],
    target: Annotated[Path, argument("OUT", "What to write.")],
    read_as: Annotated[
        str | None, option("NAME", "The format of IN.", "--from", "--format")
    ] = None,
    write_as: Annotated[
        str | None, option("NAME", "The format of OUT; by its ending where not given.", "--to")
    ] = None,
    columns: ColumnsOption = "",
    language: LanguageOption = "",
    splitter: Annotated[
        str, option("NAME", "What cuts text into sentences: rules, lines, paragraphs or icu.")
    ] = "rules",
    on_error: OnErrorOption = "stop",
    force: Annotated[bool, flag("--force", "Write over what is at OUT.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Read IN and write it to OUT in another format.

    OUT is a table when it ends in .jsonl, .csv, .tsv or .parquet, and a corpus folder otherwise.

    \b
    Example:
        summetry convert table.csv out --columns candidate=summary,reference=gold
    """
    if target == Path("-"):
        raise SummetryError("OUT is a file or a folder: standard output (-) is not written to")
    check_free(target, force)
    is_table = target.suffix.lower().removeprefix(".") in TABLE_ENDINGS
    writer = FORMATS.build(write_as or ("table" if is_table else "folder"))
    must_be_writable(writer)
    corpus = load(
        source,
        read_as,
        on_error=on_error,
        language=language,
        columns=parse_columns(columns),
        splitter=splitter,
    )
    echo_skipped(corpus.problems)
    writer.write(corpus, target)
    if writer.keeps_units and corpus.cut_topics:
        echo_notes([_cut_note(corpus, splitter)])
    counts = {kind: len(getattr(corpus, kind)) for kind in KINDS if getattr(corpus, kind)}
    if as_json:
        print_json({"read": counts, "skipped": corpus.problems, "wrote": target})
        return
    read = ", ".join(counted_records(count, kind) for kind, count in counts.items()) or "nothing"
    echo(f"read {read}; wrote {target}")


def _cut_note(corpus: Corpus, splitter: str) -> str:
    topics = [corpus.topic(topic_id) for topic_id in corpus.cut_topics]
    units = sum(len(topic.units) for topic in topics)
    nouns = {topic.unit for topic in topics}
    parts = counted(units, nouns.pop() if len(nouns) == 1 else "unit")
    return (
        f"the text of {counted(len(topics), 'topic')} was cut into {parts} by the splitter "
        f"{splitter!r}; --splitter names another"
    )
