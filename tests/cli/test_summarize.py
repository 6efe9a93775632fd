"""``summetry summarize``."""

import json
import shlex

import pytest
from command_line import succeed

import summetry
from summetry.formats.cells import read_cells

TEXT = """The ferry struck the pier
on Monday. It was the fog. Nobody of the crew was hurt in it.

The pier must be repaired.
"""
SENTENCES = [
    "The ferry struck the pier on Monday.",
    "It was the fog.",
    "Nobody of the crew was hurt in it.",
    "The pier must be repaired.",
]
GUESSED = "note: the language is guessed to be English; --language names another\n"


def summarize(typed, **options):
    return succeed("summarize", *shlex.split(typed), **options)


def write_jsonl(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


@pytest.fixture(autouse=True)
def files(here, corpus):
    """A text, a corpus of two topics without extracts, and three topics of the demo."""
    (here / "article.txt").write_text(TEXT)
    (here / "tiny").mkdir()
    topics = [{"id": "t1", "text": "One two. Three."}, {"id": "t2", "text": "Four. Five six. Ten."}]
    write_jsonl(here / "tiny" / "topics.jsonl", topics)
    (here / "tiny" / "corpus.json").write_text('{"name": "tiny", "language": "en"}')
    return here


# --- a text -----------------------------------------------------------------------------------


def test_a_text_gives_its_summary_and_nothing_else_on_standard_output(files, shows):
    """The sentences have 7, 4, 8 and 5 words: 24; a language that is given is not guessed."""
    blocks = ["# A ferry", "The ferry was *old* and it [sank](x.md).", "```\ncode\n```"]
    (files / "page.md").write_text("\n\n".join([*blocks, "- And so was the pier."]))
    (files / "zh.txt").write_text("渡轮在星期一\n撞上了码头。没有人受伤。", encoding="utf-8")
    shows(
        "summarize article.txt -s lead",
        "summarize article.txt --length 1",
        "summarize article.txt -s lead --length '16 words' --fit skip",
        "summarize article.txt -s lead --length '13 words' --fit cut",
        "summarize article.txt -s lead --length 29.17%",
        "summarize article.txt -s lead --length '3 words'",
        "summarize article.txt -s length --length '1000 words'",
        "summarize article.txt -s lead,random(seed=2) -s length --length 1 --language sv",
        "summarize article.txt -s tf_isf --length 1 --query repaired",
        "summarize page.md -s lead --length 2",
        "summarize zh.txt -s lead --length 1",
        "summarize tiny -s lead -s length --length 1",
    )
    done = summarize("- -s lead --length 1", stdin=TEXT.encode())
    assert (done.lines, done.err) == (SENTENCES[:1], GUESSED)
    page = b"# Title\n\nIt was the *fog* of the sea."
    done = summarize("- -s lead --format markdown --length 1", stdin=page)
    assert done.lines == ["It was the fog of the sea."]
    first, *_ = summarize("tiny -s lead --length 1 --json").json
    assert (first["id"], first["summarizer"], first["text"]) == ("t1", "lead", "One two.")


def test_with_all_those_that_can_are_taken():
    done = summarize("article.txt --length 1 --all")
    assert {"lead:", "length:", "random:", "ordered:"} <= set(done.lines)
    # It learns from extracts, and a single text has none.
    assert "trainable:" not in done.lines
    assert "note: trainable is left out: topic 'article': " in done.err


def test_the_summary_of_a_text_is_written(files):
    assert summarize("article.txt -s lead --length 2 -o out.txt").lines == ["wrote out.txt"]
    assert (files / "out.txt").read_text().splitlines() == SENTENCES[:2]


# --- a corpus ---------------------------------------------------------------------------------


def test_a_corpus_gets_new_peers_and_keeps_all_else(files):
    line = "corpus -s lead(documents=turns) -s length --length '60 words' -o"
    done = summarize(f"{line} out")
    assert done.out == "wrote out: 3 topics, new: lead(documents=turns), length\n"
    before, after = summetry.load(files / "corpus"), summetry.load(files / "out")
    assert after.summaries[: len(before.summaries)] == before.summaries
    new = after.summaries[len(before.summaries) :]
    assert [s.author for s in new] == ["lead(documents=turns)", "length"] * 3
    assert {s.role for s in new} == {"candidate"}
    for kind in ("topics", "extracts", "judgments", "utilities", "pyramids", "people"):
        assert getattr(after, kind) == getattr(before, kind)
    # They have names, and can be scored.
    line = "corpus -s lead -s random --length mean -o out --force"
    done = summarize(f"{line} --name 'our *' --json")
    assert done.json == {"wrote": "out", "topics": 3, "authors": ["our lead", "our random"]}
    summarize(f"{line} --name a --name b")
    authors = {summary.author for summary in summetry.load(files / "out").summaries}
    assert {"a", "b"} <= authors and not {"our lead"} & authors


def test_a_table_becomes_a_corpus_or_a_table_with_peers(files):
    (files / "t.csv").write_text("id,source,candidate\na,One two. Three.,x\n")
    line = "t.csv -s lead --length 1 --language en -o"
    summarize(f"{line} out")
    corpus = summetry.load(files / "out")
    assert [(s.author, s.units) for s in corpus.summaries] == [("candidate", None), ("lead", (0,))]
    assert summarize(f"{line} out.csv").lines == ["wrote out.csv: 1 topic, new: lead"]
    rows = [("a", "candidate", "x"), ("a", "lead", "One two.")]
    assert cells_of(files / "out.csv", "id", "system", "candidate") == rows


ARTICLES = [("a1", TEXT), ("a2", "It was the fog. The pier was old. The ferry was not.")]
FIRST = ["The ferry struck the pier\non Monday.", "It was the fog."]


def write_articles(path, **rest):
    rows = [{"id": topic, "article": text, **rest} for topic, text in ARTICLES]
    lines = map(json.dumps, rows)
    path.write_text(json.dumps(rows) if path.suffix == ".json" else "\n".join(lines))


def cells_of(path, *names):
    """The rows of a table; with names, those cells of each."""
    rows = [cells for _, cells in read_cells(path)]
    return [tuple(row[name] for name in names) for row in rows] if names else rows


@pytest.mark.parametrize("ending", ["json", "jsonl"])
def test_a_table_of_articles_gets_a_column_of_summaries_and_keeps_its_names(files, ending):
    write_articles(files / f"articles.{ending}")
    done = summarize(f"articles.{ending} -s lead --length 1 -o out.{ending}")
    assert done.err == (
        "note: the text is 'article', the language is guessed to be English; --columns and "
        "--language name others\n"
    )
    assert done.lines == [f"wrote out.{ending}: 2 topics, new: lead"]
    assert cells_of(files / f"out.{ending}") == [
        {"id": topic, "article": text, "system": "lead", "candidate": first}
        for (topic, text), first in zip(ARTICLES, FIRST, strict=True)
    ]


ROWS = {
    "article\nThe fog came.\nThe pier sank.\n": (["1", "2"], ""),
    "id,article\na,The fog came.\n,The pier sank.\n":
        (["a", "row 2"], "t.csv:3: this row has no 'id', so 'row 2' is taken"),
    "id,article\na,The fog came.\nb,\n":
        (["a", "b"], "no source, so no summary for 1 of 2 topics (b)"),
}  # fmt: skip


@pytest.mark.parametrize("table", ROWS)
def test_every_row_is_kept_with_an_id_and_its_summaries(files, table):
    (files / "t.csv").write_text(table)
    ids, note = ROWS[table]
    assert note in summarize("t.csv -s lead,length --language en -o out.csv").err
    texts = [line.rpartition(",")[2] for line in table.splitlines()[1:]]
    rows = [(i, s, text) for i, text in zip(ids, texts, strict=True) for s in ("lead", "length")]
    assert cells_of(files / "out.csv", "id", "system", "candidate") == rows


def test_a_table_with_summaries_gets_rows_below_them_in_its_own_columns(files):
    write_articles(files / "t.jsonl", gold="Fog.", summary="The fog.", model="bart", stars=3)
    summarize("t.jsonl -s lead --length 1 -o out.jsonl")
    old, new = cells_of(files / "out.jsonl")[:2], cells_of(files / "out.jsonl")[2:]
    assert old == cells_of(files / "t.jsonl")
    assert new == [
        {"id": topic, "article": text, "gold": "Fog.", "summary": first, "model": "lead"}
        for (topic, text), first in zip(ARTICLES, FIRST, strict=True)
    ]


def test_a_table_with_a_column_for_each_system_gets_a_column(files):
    write_articles(files / "t.jsonl", gold="The fog.", bart="Fog came.", t5="A ferry sank.")
    summarize("t.jsonl -s lead --length 1 -o out.csv")
    rows = cells_of(files / "out.csv")
    assert list(rows[0]) == ["id", "article", "gold", "bart", "t5", "lead"]
    assert [row["lead"] for row in rows] == FIRST


@pytest.mark.parametrize("source", ["t.jsonl", "c"])
def test_the_language_of_a_corpus_is_guessed_as_that_of_a_text(files, source):
    (files / "c").mkdir()
    (files / "c" / "a.txt").write_text(TEXT)
    write_jsonl(files / "t.jsonl", [{"id": "a", "source": TEXT, "candidate": "x"}])
    done = summarize(f"{source} -s lsa --length 1 -o out")
    assert done.err == GUESSED
    corpus = summetry.load(files / "out")
    assert corpus.language == "en"
    made = corpus.text_of(corpus.summaries[-1])
    assert made == str(summetry.summarize(TEXT, "lsa", 1, language="en"))


def test_topics_that_got_less_are_told_in_one_line_and_another_corpus_is_learnt_from():
    done = summarize("tiny -s lead -s ordered --length 3 -o out")
    assert done.err == (
        "note: lead, ordered: less than 3 sentences for 1 of 2 topics (t1), "
        "as no more sentences were ranked\n"
    )
    summarize("tiny -s trainable --length 1 -o learnt --train corpus")


def test_a_corpus_may_be_written_over_if_told_and_keeps_what_is_not_ours(files):
    (files / "out").mkdir()
    (files / "out" / "precious").write_text("x")
    summarize("tiny -s lead --length 1 -o out --force")
    assert (files / "out" / "precious").exists()
    assert len(summetry.load(files / "out").summaries) == 2
    summarize("out -s length --length 1 -o out --force")
    assert {s.author for s in summetry.load(files / "out").summaries} == {"lead", "length"}


def test_bad_records_are_skipped_and_named(files):
    with (files / "tiny" / "topics.jsonl").open("a") as file:
        file.write("rubbish\n")
    done = summarize("tiny -s lead --length 1 -o out --on-error skip")
    assert done.err.startswith("skipped: tiny/topics.jsonl:3: expected one JSON object a line")


def test_queries_from_a_table_are_asked_of_the_topics(files):
    (files / "q.csv").write_text("topic,query\nt1,three\nt2,six\nt9,x\n")
    done = summarize("tiny -s tf_isf --length 1 -o out --queries q.csv")
    assert done.err == (
        "note: q.csv: 1 of 3 queries are for topics that the corpus does not have, such as 't9'\n"
    )
    corpus = summetry.load(files / "out")
    assert [(peer.topic, peer.units) for peer in corpus.summaries] == [("t1", (1,)), ("t2", (1,))]
    assert [topic.query for topic in corpus.topics] == ["three", "six"]


def test_a_row_in_another_language_than_the_table_is_read_in_its_own(files):
    swedish = "Mötet är kl. 12. Ingen visste varför det hade hänt, t.ex. Dr. Lind och jag."
    texts = {"en": TEXT, "sv": swedish, "few": "Färjan kl. 12."}
    write_jsonl(files / "t.jsonl", [{"id": name, "article": text} for name, text in texts.items()])
    done = summarize("t.jsonl -s lead --length 1 -o out")
    assert "the language is guessed to be English (1 text: Swedish)" in done.err
    corpus = summetry.load(files / "out")
    # A few words follow the table.
    languages = {topic.id: corpus.language_of(topic) for topic in corpus.topics}
    assert languages == {"en": "en", "sv": "sv", "few": "en"}
    # Its units are those that the rules of Swedish give, which know its abbreviations.
    assert corpus.topic("sv").units[0] == "Mötet är kl. 12."


# --- mistakes ---------------------------------------------------------------------------------


def test_a_mistake_gives_one_line_and_leaves_nothing(files, refuses):
    (files / "blank.txt").write_text(" \n ")
    (files / "names.txt").write_text("Anna Berg, Carl Dahl")
    (files / "names.csv").write_text("id,name\na1,Anna\n")
    (files / "rows.csv").write_text("id,article\n")
    for folder, name, text in [
        ("bare", "topics.jsonl", '{"id": "t1"}\n'),
        # The words of this one say nothing about the language.
        ("few", "n.txt", "Anna Berg. Carl Dahl."),
    ]:
        (files / folder).mkdir()
        (files / folder / name).write_text(text)
    refuses("""
        summarize article.txt -s lead --length 0.3
        summarize article.txt -s lead --words 9
        summarize article.txt -s laed --length 3words
        summarize article.txt -s lead --length mean
        summarize article.txt -s lead --length 9 --fit squeeze
        summarize article.txt -s lead --length 9 --name x
        summarize article.txt -s lead --length 9 --queries q.csv
        summarize article.txt -s lead -o out.csv
        summarize article.txt -o names.txt
        summarize artikle.txt -s lead --length 9
        summarize blank.txt -s lead --length 9
        summarize few -s lsa -o other
        summarize names.csv -s lead
        summarize names.csv -s lead --columns source=nome
        summarize rows.csv -s lead
        summarize tiny -s lead -s lead --length 9
        summarize tiny -s lead --length 1 -o bare
        summarize tiny -s lead --length 9 -o article.txt
        summarize tiny -s lead --length 9 -o out --query x
        summarize tiny -s lead --length 9 -o out --queries q.csv
        summarize tiny -s tf_isf --length 1 -o out
        summarize tiny -s trainable --length 1 -o out
        summarize tiny -s lead --length mean -o out
        summarize tiny -s lead --length 9 -o out --train nowhere
        summarize tiny -s lead --length 9 -o out --train corpus
        summarize - -s lead --length 9 --format table
        summarize corpus -s lead --length 9 -o out
        summarize bare -s lead --length 9 -o out
    """)
