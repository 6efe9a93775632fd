"""Options that several commands share, each declared once.

An option that stands alone is a type here (``JsonOption``). Options that go together are the fields
of a dataclass, which :func:`shared` gives to a command; what they mean is a method beside them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, MISSING, dataclass, fields
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias, get_type_hints

from summetry.cli._output import echo_skipped
from summetry.cli._parameters import argument, choice, flag, option
from summetry.engine.chunks import Requested, build_metrics
from summetry.engine.plan import ProtocolName
from summetry.errors import MissingPackageError, SummetryError
from summetry.formats import ReadOptions, load
from summetry.formats.topic_queries import with_queries
from summetry.metrics.rouge.words import RougeWords, with_words
from summetry.records.builder import OnError
from summetry.records.corpus import Corpus
from summetry.records.topics import By
from summetry.text.languages import language_code

Command: TypeAlias = Callable[..., None]


def output_option(metavar: str, help: str) -> Any:
    """``-o``; what is written is different in each command."""
    return option(metavar, help, "-o", "--output")


def summarizer_option(help: str) -> Any:
    """``-s``; what the summarizer is for is different in each command."""
    return option("NAME", f"{help}; may be repeated.", "-s", "--summarizer")


def missing_web(error: ModuleNotFoundError) -> Exception:
    """What to say where a package of the web page is not installed."""
    if (error.name or "").startswith("summetry"):
        return error
    others = "alembic argon2-cffi fastapi python-multipart sqlalchemy uvicorn"
    package = (error.name or "fastapi").partition(".")[0]
    return MissingPackageError("the web page", package, *others.split())


# What is read.
CorpusArgument = Annotated[
    list[str] | None,
    argument(
        "CORPUS",
        "A corpus folder, a table, text files, or - for a table on stdin; or the outputs of "
        "systems, a file each.",
    ),
]
ReferencesOption = Annotated[
    str | None,
    option("FILE", "References for files of outputs: a table, or text with one per line."),
]
ScoresArgument = Annotated[
    list[str],
    argument(
        "SCORES",
        "Files that `summetry score -o` or others wrote (id,system,METRIC,...), AESOP files, or a "
        "corpus; several are joined.",
    ),
]
ExtractsArgument = Annotated[Path, argument("CORPUS", "A corpus folder with extracts.jsonl.")]
CandidateOption = Annotated[
    str | None, option("FILE", "One summary to be scored: a text file, a folder of them, or -.")
]
ReferenceOption = Annotated[
    list[str] | None, option("FILE", "A reference for it; may be repeated.")
]
SourceOption = Annotated[str | None, option("FILE", "The text that was summarized.")]
JudgmentsOption = Annotated[
    str | None,
    option(
        "FILE",
        "The judgments: a corpus, or a table id,system,DIMENSION,... or id,system,dimension,value.",
    ),
]
QueriesOption = Annotated[
    Path | None,
    option("FILE", "What is asked of the topics: a table with the columns topic and query."),
]
TrainOption = Annotated[
    Path | None, option("CORPUS", "What to learn from, instead of the other topics.")
]
FormatOption = Annotated[
    str | None, option("NAME", "The format, where it is not recognised; see `summetry formats`.")
]
ColumnsOption = Annotated[
    str, option("NAMES", "Which column is which: candidate=bart+t5,reference=gold.")
]
LanguageOption = Annotated[
    str,
    option(
        "NAME", "The language (en, swedish, ...) where the data do not say it.",
        checked_by=language_code,
    ),
]  # fmt: skip
OnErrorOption = Annotated[OnError, choice("What to do with a bad record.")]

LengthOption = Annotated[
    str,
    option(
        "LENGTH",
        "How long: 3 or '3 sentences', '100 words', '600 characters', '665 bytes', 30% (of the "
        "words), '30% of characters', mean, the mean length of the topic's extracts, or a table "
        "with the columns topic and length.",
    ),
]
FitOption = Annotated[
    Literal["stop", "skip", "overshoot"],
    choice("What to do with a unit that does not fit."),
]

# What is measured.
MetricOption = Annotated[
    list[str] | None,
    option(
        "METRIC", "A metric, e.g. rouge-2 or 'lcs(stem=true)'; may be repeated.", "-m", "--metric"
    ),
]
RougeOption = Annotated[
    RougeWords | None,
    choice("Whose words all ROUGE metrics count, whatever their names."),
]
StemOption = Annotated[bool, flag("--stem", "Stem the words of all ROUGE metrics.")]
TopicOption = Annotated[
    str | None, option("ID", "The id of the topic, where there are several.", "--id")
]
ProtocolOption = Annotated[
    ProtocolName, choice("Candidates only, or references too, with jackknifing.")
]
ProtocolsOption = Annotated[
    list[str] | None,
    option(
        "NAME",
        "no_models (systems only), all_peers (references too); may be repeated.",
        "--protocol",
    ),
]
OneProtocolOption = Annotated[
    list[str] | None,
    option("NAME", "no_models (systems only) or all_peers (references too).", "--protocol"),
]
DimensionsOption = Annotated[
    list[str] | None, option("NAME", "Only this dimension; may be repeated.", "--dimension")
]
ExcludeOption = Annotated[
    list[str] | None, option("SYSTEM", "Leave a system out; may be repeated.")
]
ByOption = Annotated[By | None, choice("Each genre, or group, of topics by itself.")]
AlphaOption = Annotated[float, option("P", "Significant up to this p; an interval covers 1 - P.")]
DrawsOption = Annotated[
    int | None, option("N", "Permutations and resamples to draw; by default, 10,000.", min=1)
]
SeedOption = Annotated[int, option("N", "The seed of what is drawn.", min=0)]

# What is written.
TablesOption = Annotated[
    Path | None, output_option("FILE", "Write the tables: .json .csv .tex (LaTeX) .md .txt")
]
PictureOption = Annotated[Path | None, output_option("FILE", "Write a picture here: .svg or .png.")]
ForceOption = Annotated[bool, flag("--force", "Write over what is at -o.")]
JsonOption = Annotated[bool, flag("--json", "Print JSON for programs.")]


@dataclass(frozen=True)
class MetricOptions:
    """The options that say which metrics are computed."""

    metric: MetricOption = None
    _: KW_ONLY
    rouge: RougeOption = None
    stem: StemOption = False

    def requested(self) -> list[Requested]:
        """The metrics that are named, with the words that are asked for."""
        return self.with_words(build_metrics(self.metric)) if self.metric else []

    def with_words(self, requested: Sequence[Requested]) -> list[Requested]:
        return [
            request._replace(metric=with_words(request.metric, request.name, self.rouge, self.stem))
            for request in requested
        ]


@dataclass(frozen=True)
class CorpusOptions:
    """The options by which a corpus is read, and ``--json``."""

    _: KW_ONLY
    as_json: JsonOption = False
    format: FormatOption = None
    language: LanguageOption = ""
    on_error: OnErrorOption = "stop"

    def reading(self) -> ReadOptions:
        return ReadOptions(self.on_error, self.language)

    def read(self, path: str | Path, queries: Path | None = None) -> tuple[Corpus, list[str]]:
        """The corpus with the queries of a table, if one is given, and notes on what does not fit.

        Records that were skipped are reported at once.
        """
        how = self.reading()
        corpus = load(path, self.format, on_error=how.on_error, language=how.language,
                      columns=how.columns)  # fmt: skip
        echo_skipped(corpus.problems)
        return with_queries(corpus, queries) if queries else (corpus, [])


@dataclass(frozen=True)
class TableOptions(CorpusOptions):
    """The options by which a corpus is read that may be a table with columns of other names."""

    _: KW_ONLY
    columns: ColumnsOption = ""

    def reading(self) -> ReadOptions:
        return ReadOptions(self.on_error, self.language, parse_columns(self.columns))


def parse_columns(text: str) -> dict[str, str]:
    """``candidate=summary,reference=gold`` as a mapping."""
    pairs = [part.partition("=") for part in text.split(",") if part.strip()]
    for name, sign, column in pairs:
        if not (name.strip() and sign and column.strip()):
            raise SummetryError(f"--columns: write role=NAME,role=NAME, got {text!r}")
    roles = [name.strip() for name, _, _ in pairs]
    twice = next((role for role in roles if roles.count(role) > 1), None)
    if twice:
        raise SummetryError(f"--columns: each role once, got {twice!r} more than once")
    return {name.strip(): column.strip() for name, _, column in pairs}


def shared(options: type) -> Callable[[Command], Command]:
    """Give a command the fields of a dataclass as options, each with its type and default.

    The command has one parameter of the type ``options``. The fields take its place, keyword-only
    ones follow the command's own parameters, those of a base class last, and the command gets an
    object of their values.

    >>> from dataclasses import make_dataclass
    >>> Shared = make_dataclass("Shared", [("metric", str, "lcs"), ("seed", int, 0)])
    >>> @shared(Shared)
    ... def command(scores: str, options: Shared, test: str = "t") -> None:
    ...     print(scores, options, test)
    >>> list(inspect.signature(command).parameters)
    ['scores', 'metric', 'seed', 'test']
    >>> command(scores="scores.csv", seed=3)
    scores.csv Shared(metric='lcs', seed=3) t
    """
    kinds = get_type_hints(options, include_extras=True)
    first: list[inspect.Parameter] = []
    last: list[inspect.Parameter] = []
    for field in fields(options):
        default = inspect.Parameter.empty if field.default is MISSING else field.default
        keyword = inspect.Parameter(field.name, inspect.Parameter.KEYWORD_ONLY, default=default)
        (last if field.kw_only else first).append(keyword.replace(annotation=kinds[field.name]))
    declared = [inspect.get_annotations(kind) for kind in options.__mro__]
    last.sort(key=lambda p: next(i for i, names in enumerate(declared) if p.name in names))

    def decorate(command: Command) -> Command:
        hints = get_type_hints(command, include_extras=True)
        (place,) = (name for name, kind in hints.items() if kind is options)
        parameters: list[inspect.Parameter] = []
        for own in inspect.signature(command).parameters.values():
            keyword = own.replace(kind=own.KEYWORD_ONLY, annotation=hints[own.name])
            parameters += first if own.name == place else [keyword]
        parameters += last

        @wraps(command)
        def call(**values: Any) -> None:
            mine = {f.name: values.pop(f.name) for f in fields(options) if f.name in values}
            command(**values, **{place: options(**mine)})

        call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        call.__annotations__ = {p.name: p.annotation for p in parameters}
        return call

    return decorate
