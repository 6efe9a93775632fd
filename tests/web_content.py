"""A small corpus with references, candidates and questions, and what a study on it comes to."""

import csv
import io
import re

from click.testing import CliRunner

from summetry.cli.main import app
from summetry.formats.folder import Folder
from summetry.records.corpus import Corpus
from summetry.records.judgments import Question
from summetry.records.pyramids import Pyramid, Scu
from summetry.records.summaries import Summary
from summetry.records.topics import Document, Topic
from summetry.web.corpora import Corpora
from summetry.web.database import Database
from summetry.web.store.studies import find_study

# Names that would break a page, or give away who wrote a summary.
FERRY, STORM = 'zz/ferry "1"', "<zz>storm"
ANN, BOB = "zz-ann", "<zz>bob"
LEAD, ECHO = "zz/lead", "zz-echo"
REFERENCES = {
    ANN: "A ferry sank in fog. Two people died.",
    BOB: "The ferry went down. Two <b>died</b>.",
}
CANDIDATES = {LEAD: "A ferry sank in thick fog. It was Monday.", ECHO: "Two died, two died."}
QUESTIONS = (
    Question(FERRY, "zz-q1", "What sank?", ("A boat", "A ferry <i>", "A car"), 1),
    Question(FERRY, "zz-q2", "Who died?", ("Nobody", "Two people"), 1),
    Question(FERRY, "zz-open", "What do you think?"),
)


def content_corpus(*topics, candidates=CANDIDATES, **more):
    """A corpus of these topics, or of both, with the summaries of these systems."""
    names = topics or (FERRY, STORM)
    return Corpus(
        "content",
        "en",
        topics=tuple(
            Topic(
                id=name,
                title=f"Title of {len(name)}",
                language="en",
                documents=(
                    Document(f"d{n}", units=("A ferry sank in fog.", "Two died.", "It was May.")),
                ),
            )
            for n, name in enumerate(names)
        ),
        summaries=tuple(
            Summary(topic, author, role, text)
            for topic in names
            for role, texts in (("reference", REFERENCES), ("candidate", candidates))
            for author, text in texts.items()
        ),
        **more,
    )


def flat_units(*labels):
    """Content units of equal weight on the first topic."""
    return (Pyramid(FERRY, tuple(Scu(f"zz{n}", label) for n, label in enumerate(labels))),)


def send(visitor, study, place=1, version=None, *, script=True, **data):
    """Send a task's form, as a script does or as a browser without one."""
    path = f"/s/{study}/{place}"
    version = visitor.version(path) if version is None else version
    headers = {"hx-request": "true"} if script else {}
    return visitor.post(path, {"version": str(version), **data}, headers=headers)


def whole(web, study):
    with web.database.reading() as connection:
        return web.site.corpora.whole(connection, find_study(connection, study))


def read_whole(database, study):
    """The corpus of a study that another process serves."""
    opened = Database(database)
    try:
        with opened.reading() as connection:
            return Corpora().whole(connection, find_study(connection, study))
    finally:
        opened.close()


def scores_by_command(corpus, folder, *metrics):
    """What ``summetry score`` says of a corpus that was written: value by topic, system, metric."""
    Folder().write(corpus, folder / "corpus")
    out = folder / "scores.csv"
    options = [part for metric in metrics for part in ("-m", metric)]
    result = CliRunner().invoke(
        app, ["score", str(folder / "corpus"), *options, "--no-cache", "-o", str(out)]
    )
    assert result.exit_code == 0, result.output
    rows = csv.DictReader(io.StringIO(out.read_text()))
    return {
        (row["id"], row["system"], name): float(value)
        for row in rows
        for name, value in row.items()
        if name not in ("id", "system") and re.fullmatch(r"[\d.]+", value)
    }
