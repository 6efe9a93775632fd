"""The configuration of ROUGE-1.5.5: which candidates are compared with which references.

    <ROUGE-EVAL version="1.5.5">
    <EVAL ID="t1">
    <PEER-ROOT>systems</PEER-ROOT>
    <MODEL-ROOT>models</MODEL-ROOT>
    <INPUT-FORMAT TYPE="SPL"/>
    <PEERS><P ID="lead">lead/t1.txt</P></PEERS>
    <MODELS><M ID="anna">anna/t1.txt</M></MODELS>
    </EVAL>
    </ROUGE-EVAL>

An EVAL is a topic, P (peer) a candidate and M (model) a reference; the texts are files in SPL, SEE
or ISI, read as the script reads them, below the folder of the configuration; elsewhere only with
``rouge_xml(outside=true)``. Written are a folder with settings.xml, systems/ and models/,
in SPL or, with ``rouge_xml(texts=SEE)``, in SEE.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal

from summetry.errors import FormatError, counted
from summetry.files import decoded_text
from summetry.formats._base import FORMATS, Format, ReadOptions, first_bytes
from summetry.formats._writing import (
    file_name,
    losses,
    must_be_folder,
    nothing_to_write,
    warn_not_written,
    write_files,
)
from summetry.formats._xml import attribute, opening_names
from summetry.formats.rouge_xml.settings import Listed, find_file, read_settings, sentences_in
from summetry.formats.rouge_xml.texts import join_as_rouge155
from summetry.formats.texts import warn_at
from summetry.records.corpus import Corpus
from summetry.records.summaries import Role, Summary
from summetry.records.topics import Topic
from summetry.text.pipeline import LanguagePipeline

SETTINGS = "settings.xml"
# What of a corpus a configuration and its texts can hold.
HELD = {"topics": {"id"}, "summaries": {"topic", "author", "role", "text", "sentences"}}
# The elements and the folder of each role, as ROUGE-1.5.5 calls them.
_ELEMENTS: dict[Role, str] = {"candidate": "PEER", "reference": "MODEL"}
_FOLDERS: dict[Role, str] = {"candidate": "systems", "reference": "models"}
_Texts = Literal["SPL", "SEE"]
_BREAKS = re.compile(r"[\r\n]+")


@FORMATS.register
@dataclass(frozen=True)
class RougeXml(Format):
    """The configuration of ROUGE-1.5.5 with the texts that it names."""

    texts: _Texts = "SPL"
    # Whether files are read that are not below the folder of the configuration.
    outside: bool = False

    name: ClassVar[str] = "rouge_xml"
    title: ClassVar[str] = "the configuration of ROUGE-1.5.5, with its texts in SPL, SEE or ISI"
    can_write: ClassVar[bool] = True

    def recognise(self, path: Path) -> bool:
        names = [name.lower() for name in opening_names(first_bytes(_settings_file(path)))]
        return bool(names) and (names[0] in ("rouge-eval", "rouge_eval") or names[1:] == ["eval"])

    def read(self, path: Path, options: ReadOptions) -> Corpus:
        settings = _settings_file(path)
        builder = options.builder(path.stem)
        seen: set[str] = set()
        for evaluation in read_settings(settings):
            if evaluation.id not in seen:
                seen.add(evaluation.id)
                builder.add("topics", Topic(evaluation.id), evaluation.place)
            for role in _ELEMENTS:
                for entry in evaluation.peers if role == "candidate" else evaluation.models:
                    with builder.reporting():
                        sentences = _read_sentences(entry, settings.parent, self.outside)
                        summary = Summary(evaluation.id, entry.id, role, sentences=sentences)
                        builder.add("summaries", summary, entry.place)
        return builder.build()

    def write(self, corpus: Corpus, path: Path) -> None:
        must_be_folder(path, (".xml",), f"it will hold {SETTINGS}")
        if not corpus.summaries:
            raise nothing_to_write(path)
        lines = [*_settings_lines(corpus, self.texts)]
        sentences = {id(s): _sentences(corpus, s) for s in corpus.summaries}
        _note_cut(corpus, sentences, path)
        fitting = {key: _fitting(known, self.texts) for key, known in sentences.items()}
        changed = sum(fitting[key] != known for key, known in sentences.items())
        warn_not_written(corpus, HELD, path, self.name, _lost(corpus, changed, self.texts))
        files = {
            f"{_FOLDERS[summary.role]}/{_file_of(summary, self.texts)}": join_as_rouge155(
                fitting[id(summary)], self.texts
            )
            for summary in corpus.summaries
        }
        write_files(files | {SETTINGS: "".join(lines)}, path)


def _settings_file(path: Path) -> Path:
    return path / SETTINGS if path.is_dir() else path


def _read_sentences(entry: Listed, home: Path, outside: bool) -> tuple[str, ...]:
    if not outside and not (home / entry.path).resolve().is_relative_to(home.resolve()):
        raise FormatError(
            entry.place, "a file below the folder of the configuration", entry.path,
            "--format 'rouge_xml(outside=true)' reads others, too",
        )  # fmt: skip
    path = find_file(entry, (home, Path()) if outside else (home,))
    text = decoded_text(path.read_bytes(), str(path))
    sentences = sentences_in(path, text, entry.kind)
    return tuple(sentence.rstrip("\n") for sentence in sentences)


def _settings_lines(corpus: Corpus, texts: _Texts) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<ROUGE-EVAL version="1.5.5">\n'
    for topic in corpus.topics:
        summaries: tuple[Summary, ...] = corpus.of_topic("summaries", topic.id)
        if not summaries:
            continue
        yield f"<EVAL ID={attribute(topic.id)}>\n"
        for role, part in _ELEMENTS.items():
            yield f"<{part}-ROOT>{_FOLDERS[role]}</{part}-ROOT>\n"
        yield f'<INPUT-FORMAT TYPE="{texts}"/>\n'
        for role, part in _ELEMENTS.items():
            yield f"<{part}S>\n"
            for summary in summaries:
                if summary.role == role:
                    name = f"<{part[0]} ID={attribute(summary.author)}>"
                    yield f"{name}{_file_of(summary, texts)}</{part[0]}>\n"
            yield f"</{part}S>\n"
        yield "</EVAL>\n"
    yield "</ROUGE-EVAL>\n"


def _file_of(summary: Summary, texts: _Texts) -> str:
    ending = "txt" if texts == "SPL" else "html"
    return f"{file_name(summary.author)}/{file_name(summary.topic)}.{ending}"


def _sentences(corpus: Corpus, summary: Summary) -> list[str]:
    known = corpus.sentences_of(summary)
    if known is not None:
        return list(known)
    language = corpus.language_of(corpus.topic(summary.topic))
    return LanguagePipeline().sentences(corpus.text_of(summary), language)


def _note_cut(corpus: Corpus, sentences: dict[int, list[str]], path: Path) -> None:
    """Say that texts on one line become several lines: some values depend on where they end."""
    cut = sum(
        len(sentences[id(summary)]) > 1
        and corpus.sentences_of(summary) is None
        and "\n" not in corpus.text_of(summary).strip()
        for summary in corpus.summaries
    )
    if cut:
        texts = f"{counted(cut, 'summary')} on one line {'was' if cut == 1 else 'were'}"
        warn_at(path, f"{texts} cut into sentences; ROUGE-L and ROUGE-W depend on where they end")


def _fitting(sentences: list[str], texts: _Texts) -> list[str]:
    """Sentences without what would end them; a blank separates words as well."""
    lines = [_BREAKS.sub(" ", sentence) for sentence in sentences]
    if texts == "SPL" and lines:
        # At the beginning of a file it says how the file is written.
        lines[0] = lines[0].removeprefix("\ufeff")
    if texts == "SEE":
        lines = [line.replace("<", " ") for line in lines]
    return [line for line in lines if line]


def _lost(corpus: Corpus, changed: int, texts: _Texts) -> list[str]:
    bare = sum(not corpus.of_topic("summaries", topic.id) for topic in corpus.topics)
    lost = losses({("topic", "without summaries"): bare})
    marks = "line breaks or byte order marks" if texts == "SPL" else "line breaks or '<'"
    whose = counted(changed, "summary")
    return lost + ([f"the {marks} and empty sentences of {whose}"] if changed else [])
