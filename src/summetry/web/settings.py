"""What the people who run a study can choose."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

Percent = Annotated[float, msgspec.Meta(ge=0, le=100)]
Count = Annotated[int, msgspec.Meta(ge=0, le=100_000)]

# The five questions on the quality of a summary of paper 000, as people answer them: A is best.
QUALITY = (
    "grammaticality",
    "non-redundancy",
    "reference clarity",
    "focus",
    "structure and coherence",
)
LETTERS = ("E", "D", "C", "B", "A")


class Asked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A question about the informant, with the answers to choose from."""

    name: str
    question: str
    choices: tuple[str, ...]


class StudySettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """All settings of a study; a task looks at those that concern it."""

    # What an informant reads first. Empty texts are filled from the catalogues.
    title: str = ""
    welcome: str = ""
    consent: str = ""
    contact: str = ""
    language: str = ""
    questions: tuple[Asked, ...] = ()
    # Of which question the answer is the informant's group.
    group: str = ""
    # Who may join: everybody with the link or the code, or only those with a personal link.
    entry: Literal["link", "invited"] = "link"
    # How many informants each text needs, and how many texts one gets at most; 0: all.
    per_text: Count = 0
    per_informant: Count = 0
    # After how many minutes without a change an item goes back to the others; 0: never.
    return_after: Count = 30
    # A text to practise on, by its id, and whether one text comes twice.
    practice: str = ""
    repeat: bool = False
    notes: bool = True
    seed: Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)] = 0
    # Extracts: the shortest and the longest, in per cent of the words.
    shortest: Percent = 5
    longest: Percent = 60
    abstract: bool = False
    # Judgments: dimensions with their scales, worst first; whether the source is shown.
    scales: dict[str, tuple[str, ...]] = msgspec.field(
        default_factory=lambda: dict.fromkeys(QUALITY, LETTERS)
    )
    with_source: bool = False
    # Judgments and pairs: whether references are judged beside the candidates.
    with_references: bool = False
    # Judgments: of how many texts, drawn at random, the summaries are judged (0: of all), and the
    # metric that is computed of all and helps to estimate the rest.
    drawn: Count = 0
    metric: str = "rouge-1.recall"
    # Utilities: the highest value of a unit.
    highest: Annotated[int, msgspec.Meta(ge=1, le=100)] = 10
    # Categories to choose from, each with a description or nothing; empty: those of the topics. And
    # whether a person can choose several.
    categories: dict[str, str] = msgspec.field(default_factory=dict)
    several_categories: bool = False
    # Questions: what judges read before they answer.
    conditions: tuple[Literal["source", "summary", "abstract", "nothing"], ...] = (
        "source",
        "summary",
        "abstract",
        "nothing",
    )

    def as_data(self) -> dict[str, Any]:
        """All settings as JSON holds them, also those that nobody has changed."""
        data: dict[str, Any] = msgspec.to_builtins(msgspec.structs.asdict(self))
        return data

    def __post_init__(self) -> None:
        if self.shortest >= self.longest:
            raise ValueError(
                f"the shortest extract must be shorter than the longest, got {self.shortest:g} "
                f"and {self.longest:g} per cent"
            )
        for dimension, scale in self.scales.items():
            if len(set(scale)) != len(scale) or len(scale) < 2:
                raise ValueError(f"{dimension}: a scale needs two or more different marks")
        for name in self.categories:
            if not name.strip() or ": " in f"{name} ":
                raise ValueError(f"categories: expected a name without ': ', got {name!r}")
        if self.group and self.group not in {asked.name for asked in self.questions}:
            raise ValueError(f"group: there is no question {self.group!r}")
