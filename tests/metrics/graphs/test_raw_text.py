"""Text as it stands: characters of Unicode or of Java, lines as they are or as in a file."""

import graph_oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st

from summetry.metrics.graphs.raw_text import RawText, as_file
from summetry.records.batches import Batch, Comparison, Material, Side
from summetry.text.pipeline import TextPipeline

everything = st.text(st.sampled_from("ab \r\n\tώ北😀\ud83d\ude00\x00"), max_size=15)
pipelines = st.sampled_from(
    [RawText(c, f) for c in ("codepoints", "utf16") for f in (False, True)]  # type: ignore[arg-type]
)


@given(st.lists(everything, max_size=4), pipelines)
def test_tokens_are_the_characters_of_each_text(texts, pipeline):
    table = pipeline.encode(texts, [""] * len(texts))
    assert len(table) == len(texts)
    assert list(table.words) == sorted(table.words)
    for row, text in enumerate(texts):
        whole = as_file(text) if pipeline.file else text
        expected = list(graph_oracle.units(whole, pipeline.characters))
        assert table.text(row) == expected
        assert [token for token, _ in pipeline.locate(text, "")] == expected


@given(everything, pipelines)
def test_places_cover_the_text_without_gaps(text, pipeline):
    spans = [span for _, span in pipeline.locate(text, "")]
    assert [span for span in spans if span[0] > span[1]] == []
    assert {place for start, end in spans for place in range(start, end)} == set(range(len(text)))


@given(everything)
def test_a_file_is_read_line_by_line(text):
    lines, rest = [], text
    while rest:
        ends = [place for mark in "\r\n" if (place := rest.find(mark)) >= 0]
        place = min(ends, default=len(rest))
        lines.append(rest[:place])
        rest = (
            rest[place:].removeprefix("\r\n") if rest[place:][:2] == "\r\n" else rest[place + 1 :]
        )
    assert as_file(text) == "".join(f"{line}\n" for line in lines)


def test_it_is_spelt_like_any_pipeline():
    assert TextPipeline.from_spec("raw(characters=utf16,file=true)") == RawText("utf16", True)
    assert RawText().describe() == "raw,codepoints"
    assert RawText("utf16", True).describe() == "raw,utf16,file"


@pytest.mark.parametrize("by_sentence", [False, True])
def test_blanks_between_sentences_stay_when_others_read_sentences(by_sentence):
    side = Side("candidate", "A b. C d.", sentences=("A b.", "C d."))
    batch = Batch([Comparison(Material("t"), side)], sentences=by_sentence)
    assert "".join(batch.tokens(RawText()).text(0)) == "A b. C d."
