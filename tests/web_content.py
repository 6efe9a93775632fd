"""A small corpus with references, candidates and questions, and what a study on it comes to."""

import html
import re

from summetry.records.corpus import Corpus
from summetry.records.judgments import Question
from summetry.records.pyramids import Pyramid, Scu
from summetry.records.summaries import Summary
from summetry.records.topics import Document, Topic

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


def topic_of(name, units, title="", **more):
    """A topic of one document with these units."""
    return Topic(name, title, documents=(Document("d", units=tuple(units)),), **more)


def corpus_of(*topics, language="en", **more):
    return Corpus("small", language, topics=topics, **more)


def content_corpus(*topics, candidates=CANDIDATES, references=REFERENCES, **more):
    """A corpus of these topics, or of both, with these summaries."""
    names = topics or (FERRY, STORM)
    units = ("A ferry sank in fog.", "Two died.", "It was May.")
    summaries = (
        Summary(name, author, role, text)
        for name in names
        for role, texts in (("reference", references), ("candidate", candidates))
        for author, text in texts.items()
    )
    parts = (topic_of(name, units, f"Title of {len(name)}", language="en") for name in names)
    return corpus_of(*parts, summaries=tuple(summaries), **more)


def flat_units(*labels):
    """Content units of equal weight on the first topic."""
    return (Pyramid(FERRY, tuple(Scu(f"zz{n}", label) for n, label in enumerate(labels))),)


# ── what researchers send, and the small study that they work on ──────────

ODD = "t/1 \"<script>alert('x')</script>"
TEXT = "The ferry sank. Nobody was hurt in it. The captain swam.\n\nIt was a Monday in May."


def small_corpus(**more):
    """Two topics without a text of their own, one of which has an odd id."""
    first = topic_of("one", ("A b c.", "D e.", "F g h i."), "First")
    return corpus_of(first, topic_of(ODD, ("Alpha beta.", "Gamma delta.")), **more)


def upload(visitor, *files, path="/studies/new/upload", **data):
    data = {"name": "Ferries", "task": "extract", "language": "", "genre": "news", **data}
    sent = [("files", (name, content, "application/octet-stream")) for name, content in files]
    return visitor.post(path, data, files=sent)


def settings_data(**more):
    """The form of the settings, with what stands in it before anything is changed."""
    data = {"name": "Study", "entry": "link", "per_text": "0", "per_informant": "0", "seed": "0"}
    data |= {"shortest": "5", "longest": "60", "group": "", "drawn": "0", "return_after": "30"}
    return {**data, "metric": "rouge-1.recall", **more}


def words_of(answer):
    """What is shown of a page, in one line."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", answer.text)).split())


_BLOCKS = "caption d[dlt] div fieldset form h[1-6] legend li p section table tbody thead [ou]l"
_BLOCK = rf"</?(?:{_BLOCKS.replace(' ', '|')})\b[^>]*>"


def read(answer):
    """The main part of a page as lines, each row of a table in one; DAY stands for every date."""
    page = re.search(r"<main.*?</main>", answer.text, re.S)[0]
    hidden = r'<span class="visually-hidden">.*?</span>|<noscript>.*?</noscript>'
    page = re.sub(r"\s+", " ", re.sub(hidden, "", page, flags=re.S))
    page = re.sub(_BLOCK, "\n", re.sub(r"<tr.*?</tr>", _row, page))
    lines = (html.unescape(re.sub(r"<[^>]+>", " ", line)).split() for line in page.splitlines())
    return "\n".join(re.sub(r"\d{4}-\d\d-\d\d", "DAY", " ".join(line)) for line in lines if line)


def _row(row):
    cells = re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row[0])
    return "\n" + " | ".join(re.sub(r"<[^>]+>", " ", cell) for cell in cells) + "\n"
