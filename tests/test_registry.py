"""Things by name: what is found, what is built from a spelling, what is refused and how."""

import inspect
import sys
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Literal, Protocol

import pytest

from summetry import spec
from summetry.errors import SummetryError, UnknownNameError
from summetry.formats import FORMATS
from summetry.metrics import METRICS
from summetry.registry import Registry, configure
from summetry.spec import Spec
from summetry.summarizers import SUMMARIZERS


class Pipeline:
    """Stands for an option that reads its own spelling."""

    def __init__(self, spelling: Any) -> None:
        self.spelling = spelling

    @staticmethod
    def from_spec(value: Any) -> "Pipeline":
        return Pipeline(value)


@dataclass(frozen=True)
class Thing:
    """A thing with an option of every type."""

    n: int = 1
    beta: float = 1.0
    stem: bool = False
    label: str = ""
    over: Literal["mean", "best"] = "mean"
    limit: int | None = None
    level: Literal[0, 1] = 0
    ratio: float | int = 0.5
    stop: bool | str = False
    weights: tuple[float, ...] = ()
    text: Pipeline = field(default_factory=lambda: Pipeline("auto"))

    name: ClassVar[str] = "thing"
    aliases: ClassVar[dict[str, str]] = {"thing-2": "thing(n=2,beta=3)", "t": "thing"}


@dataclass(frozen=True)
class Needy:
    model: str
    size: int
    depth: int = 1

    name: ClassVar[str] = "needy"


@dataclass(frozen=True)
class Bare:
    name: ClassVar[str] = "bare"


@pytest.fixture
def things(tmp_path, monkeypatch):
    """A registry over a package of our own that holds nothing."""
    package = tmp_path / "things_of_a_test"
    package.mkdir()
    (package / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    registry = Registry("thing", "things_of_a_test")
    yield registry
    for name in [name for name in sys.modules if name.partition(".")[0] == "things_of_a_test"]:
        del sys.modules[name]


@pytest.fixture
def full(things):
    for cls in (Thing, Needy, Bare):
        things.register(cls)
    return things


def test_names_and_aliases_are_listed_found_and_built(full):
    assert full.names() == ["bare", "needy", "thing"]
    assert list(full.aliases()) == ["t", "thing-2"]
    assert full.get("thing") is full.get("thing-2") is full.get("t") is Thing
    # An alias stands for its spelling, whose options can be changed.
    for spelling, n in (("thing-2", 2), ("thing-2(n=5)", 5)):
        assert (full.build(spelling).n, full.build(spelling).beta) == (n, 3.0)
    needy = Spec("needy", {"model": "x", "size": 3})
    assert full.build("needy(model=x,size=3)") == full.build(needy) == Needy("x", 3)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("n=2.0", 2), ("beta=2", 2.0), ("beta=inf", float("inf")), ("stem=true", True),
        ("label=x", "x"), ('label="2"', "2"), ("over=best", "best"), ("limit=none", None),
        ("limit=4", 4), ("stop=true", True), ("ratio=2", 2), ("level=1", 1), ("stop=en", "en"),
        ("weights=[1,0.5]", (1.0, 0.5)), ("weights=2", (2.0,)), ("weights=[]", ()),
    ],
)  # fmt: skip
def test_an_option_takes_the_type_of_its_field(full, option, value):
    built_value = getattr(full.build(f"thing({option})"), option.partition("=")[0])
    assert built_value == value
    assert type(built_value) is type(value)


def test_an_option_that_reads_its_own_spelling_is_given_it(full):
    assert full.build("thing(text=en)").text.spelling == "en"
    assert full.build("thing(text=en(stem=true))").text.spelling == Spec("en", {"stem": True})


OPTIONS = "Its options: n, beta, stem, label, over, limit, level, ratio, stop, weights, text."


@pytest.mark.parametrize(
    ("spelling", "message"),
    [
        ("thing(n=1.5)", "thing: n must be a whole number, got 1.5"),
        ("thing(n=true)", "thing: n must be a whole number, got True"),
        ("thing(n=en(stem=true))", "thing: n must be a whole number, got en(stem=true)"),
        ("thing(beta=high)", "thing: beta must be a number, got 'high'"),
        (f"thing(beta={'9' * 400})", "thing: beta must be a number, got one that is too large"),
        ("thing(stem=1)", "thing: stem must be true or false, got 1"),
        ("thing(label=2)", 'thing: label must be a word, got 2; "2" in quotation marks is one'),
        ("thing(over=bset)",
         "thing: over must be one of mean, best, got 'bset'. Did you mean 'best'?"),
        ("thing(level=true)", "thing: level must be one of 0, 1, got True"),
        ("thing(limit=x)", "thing: limit must be a whole number or none, got 'x'"),
        ("thing(stop=2)", "thing: stop must be true or false or a word, got 2"),
        ("thing(weights=[1,x])", "thing: weights must be a number, got 'x'"),
        ("thing(bata=2)", f"thing has no option 'bata'. Did you mean 'beta'? {OPTIONS}"),
        ("thing(name=x)", f"thing has no option 'name'. {OPTIONS}"),
        ("bare(n=1)", "bare has no option 'n'. Its options: none."),
        ("needy", "needy needs a value for model, size"),
    ],
)  # fmt: skip
def test_a_wrong_option_is_refused_with_what_it_must_be(full, spelling, message):
    with pytest.raises(SummetryError) as caught:
        full.build(spelling)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    "spelling", ["lead.f", "mmr(ranker=lead.f)", "mmr(ranker=lsa(sentences=2).f)"]
)
def test_only_metrics_have_values_to_pick(spelling):
    with pytest.raises(SummetryError, match=r"a summarizer has none, leave out \.f"):
        SUMMARIZERS.build(spelling)


KNOWN = "Known: bare, needy, t, thing, thing-2."
UNKNOWN = {
    "tihng": f"no thing is named 'tihng'. Did you mean 'thing'? {KNOWN}",
    "thing2": f"no thing is named 'thing2'. Did you mean 'thing-2'? {KNOWN}",
    # The real registries say which command lists all.
    "coselction": "no metric is named 'coselction'. Did you mean 'coselection'? "
                  "`summetry metrics` lists all.",
    "foldr": "no format is named 'foldr'. Did you mean 'folder'? `summetry formats` lists all.",
    "qqqq": "no summarizer is named 'qqqq'. `summetry summarizers` lists all.",
}  # fmt: skip


@pytest.mark.parametrize("name", UNKNOWN)
def test_an_unknown_name_is_answered_with_a_near_one(full, name):
    kind = UNKNOWN[name].split()[1]
    registry = {"thing": full, "metric": METRICS, "format": FORMATS, "summarizer": SUMMARIZERS}
    for ask in (registry[kind].get, registry[kind].build):
        with pytest.raises(UnknownNameError) as caught:
            ask(name)
        assert str(caught.value) == UNKNOWN[name]


@pytest.mark.parametrize(
    ("name", "aliases", "words"),
    [
        ("thing", {}, "thing': <.*Other'> and <.*Thing"),
        ("thing-2", {}, "thing-2'"),
        ("other", {"bare": "other"}, "bare'"),
        ("other", {"t": "other"}, "t'"),
    ],
)
def test_a_name_or_alias_that_is_taken_is_refused_and_nothing_is_registered(
    full, name, aliases, words
):
    other = dataclass(type("Other", (), {"name": name, "aliases": aliases}))
    with pytest.raises(SummetryError, match=f"^two things are named '{words}"):
        full.register(other)
    assert full.names() == ["bare", "needy", "thing"] and full.get("thing") is Thing


def test_what_is_no_dataclass_is_refused(things):
    with pytest.raises(SummetryError, match="must be a dataclass: its fields are its options"):
        things.register(type("Other", (), {"name": "other"}))


def test_where_names_the_file_and_line_of_a_class(full):
    file, _, line = full.where("thing-2").rpartition(":")
    assert (Path(file), int(line)) == (Path(__file__), inspect.getsourcelines(Thing)[1])
    file, _, line = METRICS.where("unit_overlap").rpartition(":")
    assert Path(file).name == "unit_overlap.py"
    around = Path(file).read_text(encoding="utf-8").splitlines()[int(line) - 1 : int(line) + 2]
    assert any("class UnitOverlap" in text for text in around)


def test_a_folder_is_its_own_list(things, tmp_path):
    source = """
from dataclasses import dataclass
from typing import ClassVar
import things_of_a_test

@things_of_a_test.REGISTRY.register
@dataclass(frozen=True)
class Found:
    name: ClassVar[str] = "found"
"""
    package = tmp_path / "things_of_a_test"
    (package / "found.py").write_text(source)
    (package / "_private.py").write_text("raise RuntimeError('private modules are not imported')")
    import things_of_a_test

    things_of_a_test.REGISTRY = things
    assert things.names() == ["found"]
    assert things.where("found").startswith(str(package / "found.py"))


def test_an_option_may_have_the_name_of_a_method():
    @dataclass(frozen=True)
    class Judge:
        score_: Literal["kind", "strict"] = "kind"
        name: ClassVar[str] = "judge"

        def score(self):
            return self.score_

    built = configure(Judge, "judge", {"score": "strict"})
    assert built.score() == "strict"
    assert spec.show(built) == "judge(score=strict)"
    with pytest.raises(SummetryError, match="judge has no option 'score_'"):
        configure(Judge, "judge", {"score_": "strict"})
    with pytest.raises(SummetryError, match="judge: score must be one of kind, strict"):
        configure(Judge, "judge", {"score": "mild"})


@pytest.mark.parametrize("registry", [METRICS, FORMATS, SUMMARIZERS], ids=lambda r: r.kind)
def test_every_alias_can_be_typed(registry):
    """`rouge-w-1.2` and `rouge-s*` are no names in the grammar of other things."""
    for alias, meant in registry.aliases().items():
        assert spec.parse(alias) == Spec(alias)
        assert registry.build(alias) == registry.build(meant)


def test_an_alias_with_a_star_takes_options_and_a_value():
    assert spec.parse("rouge-s*(n=2).f") == Spec("rouge-s*", {"n": 2}, "f")
    assert spec.parse("rouge-w-1.2.f") == Spec("rouge-w-1.2", {}, "f")
    assert spec.parse("x(of=rouge-s*(n=2))") == Spec("x", {"of": Spec("rouge-s*", {"n": 2})})


@pytest.mark.parametrize("name", ["two words", "a.b", "a(b)", "", "2nd"])
def test_a_name_that_nobody_can_spell_is_refused(name):
    registry: Registry[Any] = Registry("thing", "no_such_package")
    unspeakable = dataclass(type("Odd", (), {"name": name}))
    with pytest.raises(SummetryError, match=r"which nobody can spell|cannot read"):
        registry.register(unspeakable)
    assert name not in registry._classes


class Ranker(ABC):
    name: ClassVar[str]
    scale: ClassVar[float]

    @abstractmethod
    def rank(self) -> None: ...


class Weighing(Protocol):
    name: ClassVar[str]

    @abstractmethod
    def weigh(self) -> None: ...


@dataclass
class Half(Ranker):
    name: ClassVar[str] = "half"


@dataclass
class Whole(Half):
    scale: ClassVar[float] = 1.0

    def rank(self) -> None: ...


@pytest.mark.parametrize(
    ("base", "cls", "words"),
    [
        (Ranker, Bare, r"Bare'> must derive from .*\.Ranker, as every thing"),
        (Ranker, Half, "'> has no rank, scale, which a thing needs"),
        (Weighing, Bare, "'> has no weigh, which a thing needs"),
    ],
)
def test_a_class_must_derive_from_the_base_of_its_kind_and_have_what_it_needs(base, cls, words):
    registry: Registry[Any] = Registry("thing", "no_such_package", base)
    with pytest.raises(SummetryError, match=words):
        registry.register(cls)
    if base is Ranker:
        assert registry.register(Whole) is Whole
