"""Uploaded files as a corpus, read by the package's readers; their notes come back with it."""

from __future__ import annotations

import contextlib
import dataclasses
import re
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, get_args

import msgspec

from summetry.errors import SummetryError, SummetryWarning, counted, shorten
from summetry.files import UTF16_MARKS
from summetry.formats import first_bytes, load, visible_files
from summetry.records.builder import OnError
from summetry.records.corpus import KINDS, Corpus
from summetry.records.guessed_languages import free_topics, text_of_topic, with_languages
from summetry.records.topics import UnitKind, cut_anew
from summetry.records.units import first_line_to_title
from summetry.text.guessing import guess_language
from summetry.text.languages import language, language_code
from summetry.web.bounded import Bounded, TooMuchError
from summetry.web.unpacking import EXPECTED, UploadedFile, store

# What readers advise to type on the command line, as what can be done before an upload.
_COMMANDS: dict[str, str | Callable[[re.Match[str]], str]] = {
    r"name it with --columns candidate=NAME": "name the columns as in id,system,candidate,source; "
    "texts without summaries are uploaded as files (.txt)",
    r"name it with --columns (\w+)=NAME": r"rename it to \1",
    r"--columns (\w+)=NAME names (?:it|the column)": r"rename the column to \1",
    r"(?:say )?--columns (\w+=[^\s,;]+(?:,\w+=[^\s,;]+)*)": lambda found: (
        "rename the column "
        + " and ".join("{1} to {0}".format(*pair.split("=")) for pair in found[1].split(","))
    ),
}
# In a process of its own, since a small file can hold much, and so that others can save meanwhile.
_reader = Bounded(300, 2048)
_pack = msgspec.msgpack.Encoder().encode


@dataclass(frozen=True)
class Uploaded:
    """A corpus, and what the researcher should know of how it was read."""

    corpus: Corpus
    notes: tuple[str, ...]


def read_upload(
    files: Sequence[UploadedFile],
    spoken: str = "",
    genre: str = "",
    on_error: OnError = "stop",
    unit: UnitKind = "sentence",
    *,
    titles: bool = False,
) -> Uploaded:
    """The corpus in uploaded files.

    ``spoken``, ``genre`` and ``unit`` hold where the data do not say it. Without ``spoken``, a
    language that the data do not say is guessed. With ``titles``, a first line that looks like a
    title becomes the title. Notes say what was done.
    """
    files = [file for file in files if file.name]
    if not files:
        raise SummetryError("choose one or more files: texts, a table, or a zip of a folder")
    code = language_code(spoken)
    with tempfile.TemporaryDirectory(prefix="summetry-upload-") as name:
        # A reader that finds nothing looks beside the folder for what may have been meant.
        folder = Path(name).resolve() / "upload"
        folder.mkdir()
        path = store(files, folder)
        try:
            uploaded = _reader.run(_read, folder, path, code, on_error, unit, titles).uploaded()
        except TooMuchError as error:
            raise SummetryError(f"reading the upload {error}; upload less at once") from None
    if not uploaded.corpus.topics:
        raise SummetryError("expected texts in the upload, found none")
    return dataclasses.replace(uploaded, corpus=_with_genre(uploaded.corpus, genre))


class _Packed(NamedTuple):
    """What was uploaded, as one process sends it to another.

    Each record is packed by itself: to unpack all of them at once would stop everybody who saves.
    """

    rest: Uploaded
    records: dict[str, list[bytes]]

    @classmethod
    def of(cls, corpus: Corpus, notes: tuple[str, ...]) -> _Packed:
        records = {kind: list(map(_pack, getattr(corpus, kind))) for kind in KINDS}
        nothing: dict[str, Any] = dict.fromkeys(KINDS, ())
        return cls(Uploaded(dataclasses.replace(corpus, **nothing), notes), records)

    def uploaded(self) -> Uploaded:
        records: dict[str, Any] = {
            kind: tuple(msgspec.msgpack.decode(one, type=KINDS[kind]) for one in packed)
            for kind, packed in self.records.items()
        }
        return Uploaded(dataclasses.replace(self.rest.corpus, **records), self.rest.notes)


def _read(
    folder: Path, path: Path, code: str, on_error: OnError, unit: UnitKind, titles: bool
) -> _Packed:
    """The corpus at a path in the folder of an upload."""
    with _readable(folder), _noted() as notes:
        empty = _empty_texts(path)
        first = code or _first_guess(path)
        corpus = load(path, on_error=on_error, language=first)
        if not code and corpus.language == first:
            corpus = _in_guessed_languages(corpus, first, path, on_error, notes)
        if titles:
            corpus = _with_titles(corpus, notes)
        corpus = _in_units(corpus, unit, notes)
        notes += [f"{name} is empty, so nobody is given it." for name in empty]
    told = [*notes, *(f"left out: {problem}" for problem in corpus.problems)]
    if corpus.name == folder.name:
        # The name of our temporary folder.
        corpus = dataclasses.replace(corpus, name="")
    return _Packed.of(corpus, tuple(dict.fromkeys(_without(folder, note) for note in told)))


@contextlib.contextmanager
def _readable(folder: Path) -> Iterator[None]:
    """What a reader finds wrong, in words that do not name our temporary folder."""
    try:
        yield
    except SummetryError as error:
        words = _without(folder, str(error))
        for command, advice in _COMMANDS.items():
            words = re.sub(command, advice, words)
        if "not recognised as any known format" in words:
            what = words.partition(":")[0]
            words = f"{what}: expected {EXPECTED}; found none of them"
            names = {file.name for file in visible_files(folder)}
            if "topics.csv" in names and names & {f"{kind}.csv" for kind in KINDS}:
                words = (
                    f"{what}: expected a corpus, found the tables (CSV) of an export, which are "
                    f"for other programs and lack the language and the scales of the corpus; "
                    f"upload the export “Native corpus” instead, which holds everything"
                )
            elif binary := _first_binary(folder):
                words = (
                    f"{binary}: expected {EXPECTED}; found binary data, such as a picture; upload "
                    f"the other files without it"
                )
        raise SummetryError(words) from None
    except (OSError, RecursionError) as error:
        raise SummetryError(f"the upload cannot be read: {type(error).__name__}") from None


def _empty_texts(path: Path) -> list[str]:
    """The text files that hold nothing; if all do, or one holds no text, that is refused."""
    texts = sorted((path / "sources").glob("*.txt"))
    empty = []
    for text in texts:
        start = first_bytes(text)
        if b"\0" in start and not start.startswith(UTF16_MARKS):
            raise SummetryError(
                f"{shorten(text.name)}: expected text, found binary data, such as a picture; "
                f"upload the text itself"
            )
        if not start.strip() and not text.read_bytes().strip():
            empty.append(shorten(text.name))
    if empty and len(empty) == len(visible_files(path)):
        verb = "is" if len(empty) == 1 else "are"
        raise SummetryError(f"{', '.join(empty[:5])} {verb} empty; choose files that hold text")
    return empty


def _first_binary(folder: Path) -> str:
    """The first file that is no text, if there are others beside it."""
    files = visible_files(folder)
    binary = [file for file in files if b"\0" in first_bytes(file)]
    return shorten(str(binary[0].relative_to(folder))) if binary and len(files) > 1 else ""


def _without(folder: Path, words: str) -> str:
    for whole in (folder, folder.parent):
        words = words.replace(f"{whole}/", "").replace(str(whole), "the upload")
    return words


@contextlib.contextmanager
def _noted() -> Iterator[list[str]]:
    """The notes that readers give."""
    notes: list[str] = []
    with warnings.catch_warnings():
        before = warnings.showwarning

        def show(message, category, filename, lineno, file=None, line=None):  # type: ignore[no-untyped-def]
            if issubclass(category, SummetryWarning):
                notes.append(str(message))
            else:
                before(message, category, filename, lineno, file, line)

        warnings.simplefilter("always", SummetryWarning)
        warnings.showwarning = show
        yield notes


def _first_guess(path: Path) -> str:
    """The language of the first text files, where there are any.

    If it proves right, long texts are cut into units once, not twice.
    """
    texts = sorted((path / "sources").glob("*.txt"))[:5]
    beginnings = []
    for text in texts:
        with text.open("rb") as content:
            beginnings.append(content.read(20_000).decode("utf-8", "ignore"))
    return guess_language("\n".join(beginnings)) if beginnings else ""


def _in_guessed_languages(
    corpus: Corpus, first: str, path: Path, on_error: OnError, notes: list[str]
) -> Corpus:
    """The corpus with the language of each topic that has none, and units cut accordingly.

    ``first`` is the language in which the corpus was read, a guess too.
    """
    guesses = {
        topic.id: guess_language(text_of_topic(corpus, topic)) or first
        for topic in corpus.topics
        if not topic.language
    }
    votes = Counter(guess for guess in guesses.values() if guess)
    if not votes:
        if guesses:
            notes.append("The language of the texts is not known. Choose it for each text.")
        return corpus
    common = min(votes, key=lambda code: (-votes[code], code))
    if common != first:
        notes.clear()
        corpus = load(path, on_error=on_error, language=common)
    others = {name: guess for name, guess in guesses.items() if guess not in ("", common)}
    listed = ", ".join(
        f"{language(code).name} ({counted(number, 'text')})"
        for code, number in sorted(votes.items(), key=lambda pair: (-pair[1], pair[0]))
    )
    notes.append(f"The language is guessed: {listed}. Change it where that is wrong.")
    return with_languages(corpus, others)


def _with_titles(corpus: Corpus, notes: list[str]) -> Corpus:
    """The corpus with first lines that look like titles as titles."""
    free = free_topics(corpus)
    topics = tuple(
        first_line_to_title(topic) if topic.id in free else topic for topic in corpus.topics
    )
    titles = [
        f"“{new.title}”"
        for old, new in zip(corpus.topics, topics, strict=True)
        if new.title != old.title
    ]
    if titles:
        shown = ", ".join(titles[:3]) + (", ..." if titles[3:] else "")
        notes.append(
            f"The first line of {counted(len(titles), 'text')} is taken as the title and is no "
            f"unit: {shown}. The page of a text puts it back."
        )
    return dataclasses.replace(corpus, topics=topics)


def _in_units(corpus: Corpus, unit: UnitKind, notes: list[str]) -> Corpus:
    """The corpus cut into units of the kind that was chosen, where it does not say its own."""
    free = free_topics(corpus)
    topics = tuple(
        cut_anew(topic, unit, corpus.language_of(topic))
        if topic.id in free and topic.unit == "sentence" != unit
        else topic
        for topic in corpus.topics
    )
    for kind in get_args(UnitKind):
        kept = sum(topic.unit == kind != unit and bool(topic.units) for topic in topics)
        if kept:
            verb = "keeps its units" if kept == 1 else "keep their units"
            notes.append(
                f"You chose {unit}s, but {counted(kept, 'text')} {verb}, {kind}s: the upload says "
                f"so, or holds something that refers to them."
            )
    return dataclasses.replace(corpus, topics=topics)


def _with_genre(corpus: Corpus, genre: str) -> Corpus:
    if not genre:
        return corpus
    topics = tuple(t if t.genre else msgspec.structs.replace(t, genre=genre) for t in corpus.topics)
    return dataclasses.replace(corpus, topics=topics)
