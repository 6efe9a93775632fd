"""Signatures: read back as written, known before scoring, changed by any change of input."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summetry import spec
from summetry.errors import SummetryError
from summetry.signature import Signature, fingerprint


@given(st.builds(Signature, *[st.text() | st.text(alphabet="%|:725C")] * 7))
def test_what_is_written_is_read_back(signature):
    assert Signature.parse(str(signature)) == signature


@pytest.mark.parametrize(
    ("signature", "line"),
    [
        (Signature("coselection(beta=2)", refs="4,vote>=2", seed="12345", v="0.1.0"),
         "coselection(beta=2)|refs:4,vote>=2|seed:12345|v:0.1.0"),
        # Marks that mean something in a signature survive.
        (Signature("a|b", text="%7C", refs="%25", data="c:d|v:1"),
         "a%7Cb|text:%257C|refs:%2525|data:c:d%7Cv:1"),
        # The parts come in one order, and empty ones are left out.
        (Signature(v="1", plugin="0", seed="2", data="3", refs="4", text="5", metric="m"),
         "m|text:5|refs:4|data:3|seed:2|plugin:0|v:1"),
        (Signature("m"), "m"),
    ],
)  # fmt: skip
def test_a_signature_reads_like_this(signature, line):
    assert str(signature) == line
    assert Signature.parse(line) == signature


def test_the_first_part_can_be_given_back_as_a_spelling():
    spelling = 'rouge_n(n=2,sep="|")'
    line = str(Signature(spelling, v="0.1.0"))
    assert line.count("|") == 1
    assert spec.parse(Signature.parse(line).metric) == spec.parse(spelling)


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("rouge|stem", "stem"),
        ("rouge|foo:1", "foo:1"),
        ("rouge|v:1|v:2", "v:2"),
        ("rouge|metric:x", "metric:x"),
        ("rouge|", ""),
    ],
)
def test_other_text_is_refused(line, part):
    with pytest.raises(SummetryError) as caught:
        Signature.parse(line)
    assert str(caught.value) == (
        f"not a signature: {line!r}: after the spelling it has each of "
        f"text:, refs:, data:, seed:, plugin:, v: at most once, found {part!r}"
    )


def test_a_fingerprint_is_the_same_on_every_machine():
    # sha256 over (length in 8 bytes, content) of each part, reckoned with hashlib alone.
    assert fingerprint([]) == "e3b0c44298"
    assert fingerprint([b"ab", b"c"]) == "43ee655579"


parts = st.lists(st.binary(max_size=6), max_size=5)


@given(parts, parts)
def test_the_fingerprint_follows_content_and_order_in_a_list_as_in_a_stream(one, two):
    assert (fingerprint(one) == fingerprint(two)) == (one == two)
    assert fingerprint(iter(one)) == fingerprint(one)
