"""Spellings and signatures: whatever is written is read back, and equal objects are spelt alike."""

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from summetry import spec
from summetry.errors import SummetryError
from summetry.signature import Signature, fingerprint
from summetry.spec import Spec

FORM = "; write name or name(key=value,key=value)"


@dataclass(frozen=True)
class Thing:
    value: Any = None
    other: Any = None

    name: ClassVar[str] = "thing"


@dataclass(frozen=True)
class Named:
    stem: bool = False
    words: tuple[str, ...] = field(default_factory=lambda: ("a",))

    name: str = "auto"


names = st.from_regex(r"[A-Za-z_][A-Za-z0-9_-]{0,8}", fullmatch=True)
keys = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,8}", fullmatch=True)
plain_values = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False),
    st.text(),
    st.sampled_from(["true", "False", "none", "inf", "-inf", "1e5", "007", "", "é", "a.b", "nan"]),
)


def specs(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Spec]:
    options = st.dictionaries(keys, values, min_size=1, max_size=3)
    return st.builds(Spec, names, options)


nested_values = st.recursive(
    plain_values, lambda inner: specs(inner) | st.lists(inner, max_size=3).map(tuple), max_leaves=10
)
whole_specs = st.builds(
    Spec, names, st.dictionaries(keys, nested_values, max_size=3), st.just("") | keys
)


@given(whole_specs)
def test_what_is_spelt_is_read_back(spelt):
    parsed = spec.parse(str(spelt))
    assert parsed == spelt
    assert str(parsed) == str(spelt)


@given(nested_values)
def test_what_is_shown_of_an_object_is_read_back(value):
    parsed = spec.parse(spec.show(Thing(value)))
    assert parsed.name == "thing"
    assert Thing(**parsed.options) == Thing(value)


@given(st.integers(-(2**53), 2**53))
def test_equal_numbers_are_spelt_alike(number):
    assert spec.show(Thing(number)) == spec.show(Thing(float(number)))


@given(plain_values)
@example("true")
def test_a_value_keeps_its_kind(value):
    read = spec.parse(str(Spec("a", {"b": value}))).options["b"]
    assert isinstance(read, str) == isinstance(value, str)
    assert isinstance(read, bool) == isinstance(value, bool)
    assert (read is None) == (value is None)


def test_equal_lists_and_zeros_are_spelt_alike():
    assert spec.show(Thing(0)) == spec.show(Thing(-0.0)) == "thing(value=0)"
    assert spec.show(Thing([1, 2])) == spec.show(Thing((1.0, 2.0))) == "thing(value=[1,2])"


@pytest.mark.parametrize(
    ("value", "spelling"),
    [
        (True, "true"), (0.5, "0.5"), (1e-7, "1e-07"), (math.inf, "inf"), (-math.inf, "-inf"),
        ("word", "word"), ("two words", '"two words"'), ("rouge-1", "rouge-1"),
        ("None", '"None"'), ("INF", '"INF"'), ("-inf", '"-inf"'), ("2", '"2"'), ("", '""'),
        ('say "hi"', r'"say \"hi\""'), ("älg", r'"\u00e4lg"'),
        ((), "[]"), (("a", ("b", None)), "[a,[b,none]]"),
        (Thing(Thing(1)), "thing(value=thing(value=1))"), (Thing(), "thing"),
    ],
)  # fmt: skip
def test_values_are_spelt_like_this(value, spelling):
    assert spec.show(Thing("x", value)) == f"thing(value=x,other={spelling})"


def test_options_at_their_default_are_not_written_and_a_name_stands_before_the_brackets():
    assert spec.show(Thing()) == "thing"
    assert spec.show(Named()) == "auto"
    assert spec.changed_options(Named()) == {}
    assert spec.show(Named(stem=True, words=(), name="en")) == "en(stem=true,words=[])"


LISTED = (Spec("rouge_n", {"n": 2}, "recall"), "lcs.f", "cosine.value", "npower")


@pytest.mark.parametrize(
    ("text", "parsed"),
    [
        ("rouge-1.f", Spec("rouge-1", {}, "f")),
        ("rouge_n(n=2, text=en(stem=true)).recall",
         Spec("rouge_n", {"n": 2, "text": Spec("en", {"stem": True})}, "recall")),
        ("both(of=[rouge_n(n=2).recall, lcs.f, cosine().value, npower])",
         Spec("both", {"of": LISTED})),
        ("  a ( n = 1 , m = [ 2 , 3 , ] , ) . f ", Spec("a", {"n": 1, "m": (2, 3)}, "f")),
    ],
)  # fmt: skip
def test_a_spelling_nests_picks_values_and_may_have_blanks_and_a_last_comma(text, parsed):
    assert spec.parse(text) == parsed


def test_a_value_may_write_its_own_spelling():
    class Picked:
        def to_spec(self):
            return Spec("lcs", {}, "f")

    assert str(Spec("both", {"of": (Picked(),)})) == "both(of=[lcs.f])"


def test_empty_brackets_are_the_bare_name():
    assert spec.parse("a()") == spec.parse("a")
    assert spec.parse("a(text=en())") == spec.parse("a(text=en)")


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("TRUE", True), ("None", None), ("+3", 3), (".5", 0.5), ("1e3", 1000.0), ("Inf", math.inf),
        ("été", "été"), ("a.b/c", "a.b/c"), ("'single'", "single"), (r"'it\'s'", "it's"),
        ("'\"'", '"'), (r"'say \"hi\"'", 'say "hi"'), (r"'back\\slash'", "back\\slash"),
        (r'"é\n"', "é\n"), ('"two\nlines"', "two\nlines"),
    ],
)  # fmt: skip
def test_values_are_read_like_this(written, read):
    assert spec.parse(f"a(b={written})").options["b"] == read


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a name, found the end"),
        ("é", "expected a name, found 'é' at character 1"),
        ("rouge(", "expected key=value, found the end"),
        ("rouge(2)", "expected key=value, found '2)' at character 7"),
        ("rouge(é=1)", "expected key=value, found 'é=1)' at character 7"),
        ("rouge(n)", "expected '=', found ')' at character 8"),
        ("rouge(n=)", "expected a value, found ')' at character 9"),
        ("rouge(n=1 m=2)", "expected ',', found 'm=2)' at character 11"),
        ("rouge(n=1", "expected ',', found the end"),
        ("rouge(n=1)x", "expected a comma or the end, found 'x' at character 11"),
        ("a.b()", "expected a comma or the end, found '()' at character 4"),
        ("a.", "expected the name of a value after the dot, found the end"),
        ("a(b=c(d=1).)", "expected the name of a value after the dot, found ')' at character 12"),
        ('a(s="x', "expected a closing quotation mark, found '\"x' at character 5"),
        ("a(n=1, n=2)", "expected n once, found 'n=2)' at character 8"),
        ("a(n=1x(b=2))", "expected a name before the bracket, found '1x(b=2))' at character 5"),
        (r'a(s= "\x")',
         r"""expected a string with the escapes of JSON, found '"\\x")' at character 6"""),
    ],
)  # fmt: skip
def test_anything_else_is_refused_with_the_place_and_the_form_to_use(text, message):
    with pytest.raises(SummetryError) as caught:
        spec.parse(text)
    assert str(caught.value) == f"cannot read {text!r}: {message}{FORM}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rouge155-1(alpha=1,length=12 bytes)",
         'a value with blanks needs quotation marks: length="12 bytes"'),
        # More digits than Python reads.
        (f"a(n={'9' * 5000})", "expected a number of fewer digits, found"),
        ("a(n=" + "[" * 20_000, r"^cannot read 'a\(n=\[.*\[': it is nested too deep$"),
    ],
    ids=["blanks", "digits", "depth"],
)  # fmt: skip
def test_some_mistakes_have_a_message_of_their_own(text, message):
    with pytest.raises(SummetryError, match=message):
        spec.parse(text)


@given(st.text(alphabet="a1.(,)=[]\"'\\ -é", max_size=25))
def test_no_text_raises_anything_but_an_error_of_ours(text):
    try:
        parsed = spec.parse(text)
    except SummetryError:
        return
    assert spec.parse(str(parsed)) == parsed


# --- signatures, which begin with a spelling ----------------------------------------------------


@given(st.builds(Signature, *[st.text() | st.text(alphabet="%|:725C")] * 7))
def test_a_signature_that_is_written_is_read_back(signature):
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


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("rouge|stem", "stem"),
        ("rouge|v:1|v:2", "v:2"),
        ("rouge|metric:x", "metric:x"),
        ("rouge|", ""),
    ],
)
def test_what_is_no_signature_is_refused(line, part):
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
