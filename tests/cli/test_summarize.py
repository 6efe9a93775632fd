"""``summetry summarize`` and ``summetry summarizers``."""

import csv
import json
import shutil

import pytest

import summetry
from summetry.formats.cells import read_cells
from summetry.summarizers import SUMMARIZERS

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


@pytest.fixture
def article(here):
    (here / "article.txt").write_text(TEXT)
    return here / "article.txt"


@pytest.fixture
def tiny(here):
    """A corpus of two topics, one of them with extracts."""
    (here / "tiny").mkdir()
    topics = [{"id": "t1", "text": "One two. Three."}, {"id": "t2", "text": "Four. Five six. Ten."}]
    lines = "".join(json.dumps(topic) + "\n" for topic in topics)
    (here / "tiny" / "topics.jsonl").write_text(lines)
    (here / "tiny" / "corpus.json").write_text('{"name": "tiny", "language": "en"}')
    return here / "tiny"


# --- a text -----------------------------------------------------------------------------------


def test_a_text_gives_its_summary_and_nothing_else_on_standard_output(scored, article):
    done = scored("summarize", article, "-s", "lead", "--length", "2")
    assert done.lines == SENTENCES[:2]
    assert done.err == GUESSED


def test_a_language_that_is_given_is_not_guessed(scored, article):
    done = scored("summarize", article, "-s", "lead", "--length", "1", "--language", "sv")
    assert (done.lines, done.err) == (SENTENCES[:1], "")


@pytest.mark.parametrize(
    ("options", "lines"),
    [
        (["--length", "12 words"], [SENTENCES[0], SENTENCES[1]]),
        (["--length", "16 words", "--fit", "skip"], [SENTENCES[0], SENTENCES[1], SENTENCES[3]]),
        (
            ["--length", "12 words", "--fit", "overshoot"],
            [SENTENCES[0], SENTENCES[1], SENTENCES[2]],
        ),
        (["--length", "13 words", "--fit", "cut"], [SENTENCES[0], SENTENCES[1], "Nobody of"]),
        (["--length", "52 characters"], [SENTENCES[0], SENTENCES[1]]),
        (["--length", "51 bytes"], [SENTENCES[0]]),
        (["--length", "29.17%"], [SENTENCES[0]]),
        (["--length", "45.84%"], [SENTENCES[0], SENTENCES[1]]),
    ],
)
def test_lengths_and_fit_rules(scored, article, options, lines):
    # The sentences have 7, 4, 8 and 5 words: 24.
    assert scored("summarize", article, "-s", "lead", *options).lines == lines


def test_several_summarizers_stand_under_their_names(scored, article):
    done = scored("summarize", article, "-s", "length", "-s", "lead", "--length", "1")
    assert done.lines == ["length:", SENTENCES[2], "", "lead:", SENTENCES[0]]


def test_json_has_units_text_and_scores(scored, article):
    (output,) = scored("summarize", article, "-s", "length", "--length", "2", "--json").json
    assert list(output) == ["summarizer", "language", "text", "units"]
    assert (output["summarizer"], output["language"]) == ("length", "en")
    assert [(u["unit"], u["rank"], u["score"]) for u in output["units"]] == [
        (0, 2, 7.0),
        (2, 1, 8.0),
    ]
    assert [u["text"].replace("\n", " ") for u in output["units"]] == [SENTENCES[0], SENTENCES[2]]
    (output,) = scored(
        "summarize", article, "-s", "lead", "--length", "2 words", "--fit", "cut", "--json"
    ).json
    assert (output["units"], output["cut"], output["text"]) == ([], "The ferry", "The ferry")
    (output,) = scored("summarize", article, "-s", "lead", "--length", "1", "--json").json
    assert output["units"][0]["score"] is None


def test_markdown_is_read_as_prose(scored, here):
    blocks = ["# A ferry", "The ferry was *old* and it [sank](x.md).", "```\ncode\n```"]
    (here / "page.md").write_text("\n\n".join([*blocks, "- And so was the pier."]))
    done = scored("summarize", "page.md", "-s", "lead", "--length", "2")
    assert done.lines == ["The ferry was old and it sank.", "And so was the pier."]
    assert done.err == f"note: left out of the text: 1 code block\n{GUESSED}"


def test_standard_input_is_a_text_or_markdown(call):
    done = call("summarize", "-", "-s", "lead", "--length", "1", stdin=TEXT.encode())
    assert (done.code, done.lines, done.err) == (0, SENTENCES[:1], GUESSED)
    page = b"# Title\n\nIt was the *fog* of the sea."
    options = ["--format", "markdown", "--length", "1"]
    done = call("summarize", "-", "-s", "lead", *options, stdin=page)
    assert (done.code, done.lines) == (0, ["It was the fog of the sea."])


def test_a_query_is_handed_on(scored, article):
    line = ["summarize", article, "-s", "tf_isf", "--length", "1"]
    assert scored(*line, "--query", "who was hurt of the crew").lines == [SENTENCES[2]]
    assert scored(*line, "--query", "repaired").lines == [SENTENCES[3]]


def test_broken_lines_are_joined_as_the_language_writes(scored, here):
    (here / "zh.txt").write_text("渡轮在星期一\n撞上了码头。没有人受伤。", encoding="utf-8")
    done = scored("summarize", "zh.txt", "-s", "lead", "--length", "1")
    assert done.lines == ["渡轮在星期一撞上了码头。"]
    assert done.err == "note: the language is guessed to be Chinese; --language names another\n"


# In each text one sentence shares words with all others, which share none with one another: the
# middle one, so that taking sentences in their order would not find it.
STARS = {
    "English": ["Rain fell on the town.", "Lisa had bought an umbrella.",
                "Because of the rain Lisa missed her bus to school.",
                "A bus was late again.", "Our school closed early."],
    "Swedish": ["Det kom ett regn i natt.", "Lisa hade köpt ett paraply.",
                "På grund av regn missade Lisa sin buss till en skola.",
                "Ännu en buss var försenad.", "Och en skola stängde tidigt."],
    "German": ["In der Nacht kam ein Sturm.", "Anna hatte einen Schirm.",
               "Wegen Sturm verpasste Anna den Zug und die Schule.",
               "Ein Zug war wieder zu spät.", "Die Schule schloss früh."],
    "Chinese": ["昨夜下了大雨。", "小王买了新伞。", "因为大雨，小王没有赶上公交去学校。",
                "公交又晚点了。", "学校提前关门了。"],
}  # fmt: skip


@pytest.mark.parametrize("language", STARS)
def test_lexrank_finds_what_all_sentences_are_about_in_any_language(scored, here, language):
    sentences = STARS[language]
    blank = "" if language == "Chinese" else " "
    (here / "article.txt").write_text(blank.join(sentences), encoding="utf-8")
    done = scored("summarize", "article.txt", "-s", "lexrank", "--length", "1")
    assert done.lines == [sentences[2]]
    assert done.err == f"note: the language is guessed to be {language}; --language names another\n"
    several = ["-s", "lexrank", "-s", "lsa", "-s", "textrank", "-s", "tf_idf"]
    done = scored("summarize", "article.txt", *several, "--length", "3")
    assert [line for line in done.lines if line.endswith(":")] == [
        "lexrank:", "lsa:", "textrank:", "tf_idf:",
    ]  # fmt: skip
    assert len([line for line in done.lines if line]) == 4 * 4


def test_three_sentences_are_the_default_length(scored, article):
    assert scored("summarize", article, "-s", "lead").lines == SENTENCES[:3]


def test_an_empty_summary_is_told(scored, article):
    done = scored("summarize", article, "-s", "lead", "--length", "3 words")
    assert done.out == ""
    assert done.err == f"{GUESSED}note: lead: nothing fits into 3 words, by the fit rule stop\n"


def test_a_text_shorter_than_the_budget_is_its_own_summary(scored, article):
    done = scored("summarize", article, "-s", "length", "--length", "1000 words")
    assert done.lines == SENTENCES
    assert done.err.endswith(
        "note: length: less than 1000 words, as no more sentences were ranked\n"
    )


def test_without_a_summarizer_lexrank_is_taken(scored, article):
    done = scored("summarize", article, "--length", "1")
    assert done.err.splitlines()[0] == (
        "note: the language is guessed to be English, the summarizer is lexrank; "
        "--language and -s name others"
    )
    assert done.out == scored("summarize", article, "--length", "1", "-s", "lexrank").out


def test_all_summarizers_that_can_are_taken(scored, article):
    done = scored("summarize", article, "--length", "1", "--all")
    assert {"lead:", "length:", "random:", "ordered:"} <= set(done.lines)
    # It learns from extracts, and a single text has none.
    assert "trainable:" not in done.lines
    assert "note: trainable is left out: topic 'article': " in done.err


def test_the_summary_of_a_text_is_written(scored, call, article, here):
    done = scored("summarize", article, "-s", "lead", "--length", "2", "-o", "out.txt")
    assert done.lines == ["wrote out.txt"]
    assert (here / "out.txt").read_text().splitlines() == SENTENCES[:2]
    done = call("summarize", article, "-s", "lead", "-o", "out.txt")
    assert (done.code, done.err) == (2, "error: out.txt: exists already; --force writes over it\n")
    done = call("summarize", article, "-s", "lead", "-o", "out.csv")
    assert done.code == 2 and "is written as text, as in -o out.txt" in done.err


def test_summarizers_may_stand_in_one_list(scored, article):
    done = scored("summarize", article, "-s", "lead,random(seed=2)", "--length", "1")
    assert [line for line in done.lines if line.endswith(":")] == ["lead:", "random(seed=2):"]


# --- a corpus ---------------------------------------------------------------------------------


def test_a_corpus_gets_new_peers_and_keeps_all_else(scored, demo, demo_folder, here):
    options = ["-s", "lead(documents=turns)", "-s", "length", "--length", "60 words", "-o", "out"]
    done = scored("summarize", demo_folder, *options)
    assert done.out == "wrote out: 9 topics, new: lead(documents=turns), length\n"
    found = summetry.load(here / "out")
    assert found.summaries[: len(demo.summaries)] == demo.summaries
    new = found.summaries[len(demo.summaries) :]
    assert [s.author for s in new[:2]] == ["lead(documents=turns)", "length"] and len(new) == 18
    assert {s.role for s in new} == {"candidate"}
    for kind in ("topics", "extracts", "judgments", "utilities", "pyramids", "people"):
        assert getattr(found, kind) == getattr(demo, kind)
    again = scored("summarize", demo_folder, *options[:-1], "again")
    assert again.code == 0
    for file in sorted((here / "out").iterdir()):
        assert file.read_bytes() == (here / "again" / file.name).read_bytes()


def test_names_for_the_new_peers(scored, demo_folder, here):
    line = ["summarize", demo_folder, "-s", "lead", "-s", "random", "--length", "mean", "-o", "out"]
    done = scored(*line, "--name", "our *", "--json")
    assert done.json == {"wrote": "out", "topics": 9, "authors": ["our lead", "our random"]}
    scored(*line, "--name", "a", "--name", "b", "--force")
    authors = {summary.author for summary in summetry.load(here / "out").summaries}
    assert {"a", "b"} <= authors and not {"our lead"} & authors


def test_the_new_peers_can_be_scored(scored, demo_folder, here):
    scored("summarize", demo_folder, "-s", "length", "--length", "20%", "-o", "out")
    done = scored("score", "out", "-m", "coselection", "--json")
    (mine,) = [s for s in done.json["systems"] if s["system"] == "length"]
    assert mine["topics"] == 9 and 0 <= mine["means"]["coselection"]["f"] <= 1


def test_a_table_becomes_a_corpus_with_peers(scored, here):
    (here / "t.csv").write_text("source,candidate\nOne two. Three.,x\n")
    scored("summarize", "t.csv", "-s", "lead", "--length", "1", "-o", "out", "--language", "en")
    found = summetry.load(here / "out")
    assert [(s.author, s.units) for s in found.summaries] == [("candidate", None), ("lead", (0,))]


def test_a_table_is_written_by_its_ending(scored, here):
    (here / "t.csv").write_text("id,source,candidate\na,One two. Three.,x\n")
    options = ["-s", "lead", "--length", "1", "--language", "en", "-o", "out.csv"]
    done = scored("summarize", "t.csv", *options)
    assert done.lines == ["wrote out.csv: 1 topic, new: lead"]
    with (here / "out.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [(row["id"], row["system"], row["candidate"]) for row in rows] == [
        ("a", "candidate", "x"), ("a", "lead", "One two."),
    ]  # fmt: skip


ARTICLES = [("a1", TEXT), ("a2", "It was the fog. The pier was old. The ferry was not.")]
FIRST = ["The ferry struck the pier\non Monday.", "It was the fog."]


def write_articles(path, name="article", **rest):
    rows = [{"id": topic, name: text, **rest} for topic, text in ARTICLES]
    if path.suffix == ".parquet":
        pyarrow = pytest.importorskip("pyarrow")
        pytest.importorskip("pyarrow.parquet").write_table(pyarrow.Table.from_pylist(rows), path)
    elif path.suffix in (".csv", ".tsv"):
        with path.open("w", newline="") as file:
            writer = csv.DictWriter(file, rows[0], delimiter="\t" if path.suffix == ".tsv" else ",")
            writer.writeheader()
            writer.writerows(rows)
    else:
        lines = map(json.dumps, rows)
        path.write_text(json.dumps(rows) if path.suffix == ".json" else "\n".join(lines))


def cells_of(path):
    return [cells for _, cells in read_cells(path)]


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "json", "parquet"])
def test_a_table_of_articles_gets_a_column_of_summaries_and_keeps_its_names(scored, here, ending):
    write_articles(here / f"articles.{ending}")
    line = ("summarize", f"articles.{ending}", "-s", "lead", "--length", "1", "-o", f"out.{ending}")
    done = scored(*line)
    assert done.err == (
        "note: the text is 'article', the language is guessed to be English; --columns and "
        "--language name others\n"
    )
    assert done.lines == [f"wrote out.{ending}: 2 topics, new: lead"]
    assert cells_of(here / f"out.{ending}") == [
        {"id": topic, "article": text, "system": "lead", "candidate": first}
        for (topic, text), first in zip(ARTICLES, FIRST, strict=True)
    ]


@pytest.mark.parametrize("name", ["text", "Document", "inhalt"])
def test_the_only_column_of_texts_is_summarized(scored, here, name):
    write_articles(here / "articles.csv", name)
    done = scored("summarize", "articles.csv", "-s", "lead", "--length", "1", "--language", "en")
    assert done.lines == ["a1:", SENTENCES[0], "", "a2:", "It was the fog."]
    assert done.err == f"note: the text is {name!r}; --columns names another\n"


def test_the_summaries_of_a_corpus_are_printed_under_their_topics_and_summarizers(scored, tiny):
    done = scored("summarize", tiny, "-s", "lead", "-s", "length", "--length", "1")
    assert done.lines == [
        "t1, lead:", "One two.", "", "t1, length:", "One two.", "",
        "t2, lead:", "Four.", "", "t2, length:", "Five six.",
    ]  # fmt: skip
    first, *_ = scored("summarize", tiny, "-s", "lead", "--length", "1", "--json").json
    assert (first["id"], first["summarizer"], first["text"]) == ("t1", "lead", "One two.")


def test_a_table_of_articles_can_be_scored_when_it_has_been_summarized(scored, here):
    write_articles(here / "articles.csv", gold="It was the fog.")
    line = ("summarize", "articles.csv", "-s", "lead,length", "--length", "1", "--language", "en")
    scored(*line, "-o", "out.csv")
    assert list(cells_of(here / "out.csv")[0]) == ["id", "article", "gold", "system", "candidate"]
    systems = scored("score", "out.csv", "-m", "rouge1", "--json").json["systems"]
    assert {(one["system"], one["topics"]) for one in systems} == {("lead", 2), ("length", 2)}


def test_rows_without_an_id_get_the_number_of_their_row(scored, here):
    (here / "articles.csv").write_text("article\nThe fog came.\nThe pier sank.\n")
    line = ("summarize", "articles.csv", "-s", "lead,length", "--language", "en", "-o", "out.csv")
    scored(*line)
    assert [(c["id"], c["system"]) for c in cells_of(here / "out.csv")] == [
        ("1", "lead"), ("1", "length"), ("2", "lead"), ("2", "length"),
    ]  # fmt: skip


def test_a_row_without_an_id_among_others_is_named_and_gets_one(scored, here):
    (here / "articles.csv").write_text("id,article\na,The fog came.\n,The pier sank.\n")
    line = ("summarize", "articles.csv", "-s", "lead,length", "--language", "en", "-o", "out.csv")
    done = scored(*line)
    assert "articles.csv:3: this row has no 'id', so 'row 2' is taken" in done.err
    assert [(c["id"], c["system"]) for c in cells_of(here / "out.csv")] == [
        ("a", "lead"), ("a", "length"), ("row 2", "lead"), ("row 2", "length"),
    ]  # fmt: skip


def test_a_text_that_is_empty_keeps_its_row(scored, here):
    (here / "articles.csv").write_text("id,article\na,The fog came.\nb,\n")
    done = scored("summarize", "articles.csv", "-s", "lead", "--language", "en", "-o", "out.csv")
    assert [c["candidate"] for c in cells_of(here / "out.csv")] == ["The fog came.", ""]
    assert "no source, so no summary for 1 of 2 topics (b)" in done.err


def test_a_table_with_summaries_gets_rows_below_them_in_its_own_columns(scored, here):
    write_articles(here / "t.jsonl", gold="Fog.", summary="The fog.", model="bart", stars=3)
    scored("summarize", "t.jsonl", "-s", "lead", "--length", "1", "-o", "out.jsonl")
    old, new = cells_of(here / "out.jsonl")[:2], cells_of(here / "out.jsonl")[2:]
    assert old == cells_of(here / "t.jsonl")
    assert [list(row) for row in new] == [["id", "article", "gold", "summary", "model"]] * 2
    assert [(row["model"], row["summary"], row["gold"]) for row in new] == [
        ("lead", first, "Fog.") for first in FIRST
    ]


def test_a_table_with_a_column_for_each_system_gets_a_column(scored, here):
    write_articles(here / "t.csv", gold="The fog.", bart="Fog came.", t5="A ferry sank.")
    scored("summarize", "t.csv", "-s", "lead", "--length", "1", "-o", "out.csv")
    rows = cells_of(here / "out.csv")
    assert list(rows[0]) == ["id", "article", "gold", "bart", "t5", "lead"]
    assert [row["lead"] for row in rows] == FIRST


@pytest.mark.parametrize("kind", ["table", "folder", "texts"])
def test_the_language_of_a_corpus_is_guessed_as_that_of_a_text(scored, call, here, kind):
    if kind == "table":
        source = here / "t.jsonl"
        source.write_text(json.dumps({"id": "a", "source": TEXT, "candidate": "x"}) + "\n")
    else:
        source = here / "c"
        folder = source / "sources" if kind == "folder" else source
        folder.mkdir(parents=True)
        (folder / "a.txt").write_text(TEXT)
    done = scored("summarize", source, "-s", "lsa", "--length", "1", "-o", "out")
    assert done.err == GUESSED
    corpus = summetry.load(here / "out")
    assert corpus.language == "en"
    made = corpus.text_of(corpus.summaries[-1])
    assert made == str(summetry.summarize(TEXT, "lsa", 1, language="en"))
    # The words of this one say nothing about the language.
    (here / "n").mkdir()
    (here / "n" / "n.txt").write_text("Anna Berg. Carl Dahl.")
    done = call("summarize", "n", "-s", "lsa", "-o", "other")
    assert done.code == 2 and "name it with --language en" in done.err


def test_topics_that_got_less_are_told_in_one_line(scored, tiny):
    done = scored("summarize", tiny, "-s", "lead", "-s", "ordered", "--length", "3", "-o", "out")
    assert done.err == (
        "note: lead, ordered: less than 3 sentences for 1 of 2 topics (t1), "
        "as no more sentences were ranked\n"
    )


def test_what_learns_can_learn_from_another_corpus(scored, call, tiny, demo_folder):
    line = ["summarize", tiny, "-s", "trainable", "--length", "1", "-o", "out"]
    refused = call(*line)
    assert (refused.code, refused.out) == (2, "")
    assert refused.err.startswith("error: trainable, topic 't1': ")
    scored(*line, "--train", demo_folder)


def test_what_is_there_is_not_written_over_unless_told(call, scored, tiny, here):
    (here / "out").mkdir()
    (here / "out" / "precious").write_text("x")
    line = ["summarize", tiny, "-s", "lead", "--length", "1", "-o", "out"]
    refused = call(*line)
    assert (refused.code, refused.out) == (2, "")
    assert refused.err == "error: out: exists already; --force writes over it\n"
    scored(*line, "--force")
    assert (here / "out" / "precious").exists() and len(summetry.load(here / "out").summaries) == 2


def test_a_corpus_may_be_extended_in_its_place(scored, tiny):
    scored("summarize", tiny, "-s", "lead", "--length", "1", "-o", tiny, "--force")
    scored("summarize", tiny, "-s", "length", "--length", "1", "-o", tiny, "--force")
    assert {s.author for s in summetry.load(tiny).summaries} == {"lead", "length"}


def test_bad_records_are_skipped_and_named(scored, tiny, here):
    with (tiny / "topics.jsonl").open("a") as file:
        file.write("rubbish\n")
    line = ["summarize", tiny, "-s", "lead", "--length", "1", "-o", "out", "--on-error", "skip"]
    done = scored(*line)
    assert done.err.startswith(f"skipped: {tiny}/topics.jsonl:3: expected one JSON object a line")


def test_queries_from_a_table_are_asked_of_the_topics(scored, call, tiny, here):
    (here / "q.csv").write_text("topic,query\nt1,three\nt2,six\nt9,x\n")
    line = ("summarize", tiny, "-s", "tf_isf", "--length", "1", "-o", "out")
    refused = call(*line)
    assert "topic 't1': there is neither a query nor a title" in refused.err
    assert "or give a corpus --queries" in refused.err
    done = scored(*line, "--queries", "q.csv")
    message = (
        "note: q.csv: 1 of 3 queries are for topics that the corpus does not have, such as 't9'"
    )
    assert done.err.splitlines() == [message]
    written = summetry.load(here / "out")
    assert [(peer.topic, peer.units) for peer in written.summaries] == [("t1", (1,)), ("t2", (1,))]
    assert [topic.query for topic in written.topics] == ["three", "six"]


# --- mistakes ---------------------------------------------------------------------------------

LENGTH = "write 3 sentences, 100 words, 600 characters, 665 bytes, 30% or mean"
MISTAKES = [
    ("article.txt -s lead --length 0.3", f"cannot read the length '0.3': {LENGTH}"),
    ("article.txt -s lead --words 9", "no such option: --words"),
    ("article.txt -s lead --sentences 9", "no such option: --sentences"),
    ("article.txt -s laed --length 3words", "no summarizer is named 'laed'. Did you mean 'lead'?"),
    (
        "article.txt -s random(seed=x) --length 3words",
        "seed must be a whole number, got 'x'",
    ),
    ("article.txt -s lead --length 0words", "error: a length must be above 0, got 0 words"),
    ("article.txt -s lead --length 120%", "a length is at most 100% of the source, got 120%"),
    ("article.txt -s lead --length ten", f"cannot read the length 'ten': {LENGTH}"),
    ("article.txt -s lead --length 0", "error: a length must be above 0, got 0 units"),
    ("article.txt -s lead --length mean", "topic 'article' has no extracts, whose mean length is"),
    ("article.txt -s lead --length 9 --fit squeeze", "invalid value for '--fit'"),
    (
        "article.txt -s lead --length 9 --name x",
        "--columns, --name and --queries go with a",
    ),
    (
        "article.txt -s lead --length 9 --queries q.csv",
        "--queries go with a table or a corpus; article.txt is a text",
    ),
    (
        "article.txt -s lead -s lead --length 9",
        "another name for each summarizer, found 'lead'",
    ),
    ("artikle.txt -s lead --length 9", "no such file or folder. Did you mean 'article.txt'?"),
    ("blank.txt -s lead --length 9", "blank.txt: the file is empty but for blanks"),
    (
        "names.txt -s lead --length 9",
        "the language cannot be guessed from the words; name it with",
    ),
    (
        "names.csv -s lead",
        "names.csv:2: expected a column of texts (source, article, document, text, ...), found the "
        "columns id, name; name it with --columns source=NAME",
    ),
    ("rows.csv -s lead", "rows.csv: expected a row for each text to summarize, found none"),
    (
        "names.csv -s lead --columns source=nome",
        "expected a column 'nome', found the columns id, name; name it with --columns source=NAME. "
        "Did you mean 'name'?",
    ),
    ("tiny -s lead --length 9 -o article.txt", "article.txt: exists already; --force writes"),
    ("tiny -s lead --length 9 -o out --query x", "or get them from a table by --queries"),
    (
        "tiny -s lead --length 9 -o out --queries q.csv",
        "q.csv: expected a table of queries, found",
    ),
    (
        "tiny -s lead --length mean -o out",
        "topic 't1' has no extracts, whose mean length is the",
    ),
    ("tiny -s lead --length 9 -o out --train nowhere", "nowhere: no such file or folder"),
    (
        "tiny -s lead --length 9 -o out --train demo",
        "(--train), and lead would not look at it",
    ),
    (
        "- -s lead --length 9 --format table",
        "is read as a text: --format plain or markdown, not",
    ),
    (
        "demo -s lead --length 9 -o out",
        "has summaries by 'lead' already; give the new",
    ),
    ("bare -s lead --length 9 -o out", "has no source to summarize"),
]


@pytest.mark.parametrize(("line", "message"), MISTAKES, ids=[line for line, _ in MISTAKES])
def test_a_mistake_gives_one_line_and_leaves_nothing(
    call, article, tiny, demo_folder, here, line, message
):
    (here / "blank.txt").write_text(" \n ")
    (here / "names.txt").write_text("Anna Berg, Carl Dahl")
    (here / "names.csv").write_text("id,name\na1,Anna\n")
    (here / "rows.csv").write_text("id,article\n")
    (here / "bare").mkdir()
    (here / "bare" / "topics.jsonl").write_text('{"id": "t1"}\n')
    shutil.copytree(demo_folder, here / "demo")
    before = sorted(here.rglob("*"))
    done = call("summarize", *line.split())
    assert (done.code, done.out) == (2, ""), done
    told = done.err.removeprefix(GUESSED).splitlines()
    assert len(told) == 1 and told[0].startswith("error: ")
    assert message in told[0]
    assert sorted(here.rglob("*")) == before


# --- the list ---------------------------------------------------------------------------------


def test_every_summarizer_is_listed(scored):
    lines = scored("summarizers").lines
    for name in SUMMARIZERS.names():
        assert [line for line in lines if line.split()[:1] == [name]], name


def test_the_list_as_json(scored):
    output = scored("summarizers", "--json").json
    assert [entry["name"] for entry in output] == SUMMARIZERS.names()
    for entry in output:
        assert list(entry) == ["name", "options", "learns", "what"]
        assert entry["what"] and isinstance(entry["learns"], bool)
    by_name = {entry["name"]: entry for entry in output}
    assert by_name["random"]["options"] == ["seed"]
    assert by_name["trainable"]["learns"] and not by_name["lead"]["learns"]


def test_a_row_in_another_language_than_the_table_is_read_in_its_own(scored, here):
    swedish = "Mötet är kl. 12. Ingen visste varför det hade hänt, t.ex. Dr. Lind och jag."
    rows = [
        {"id": "en", "article": TEXT},
        {"id": "sv", "article": swedish},
        {"id": "few", "article": "Färjan kl. 12."},
    ]
    (here / "articles.json").write_text(json.dumps(rows))
    done = scored("summarize", "articles.json", "-s", "lead", "--length", "1", "-o", "out")
    assert "the language is guessed to be English (1 text: Swedish)" in " ".join(done.err.split())
    corpus = summetry.load(here / "out")
    # A few words follow the table.
    languages = {topic.id: corpus.language_of(topic) for topic in corpus.topics}
    assert languages == {"en": "en", "sv": "sv", "few": "en"}
    # Its units are those that the rules of Swedish give, which know its abbreviations.
    assert corpus.topic("sv").units[0] == "Mötet är kl. 12."
