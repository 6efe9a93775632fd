"""The settings of a study as a form: every field as text, and what is wrong beside each."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, get_args

import msgspec
from starlette.datastructures import FormData

from summetry.engine.chunks import build_metrics
from summetry.errors import SummetryError
from summetry.records.corpus import Corpus
from summetry.records.judgments import Condition
from summetry.signature import fingerprint
from summetry.web.catalogues import Catalogue, catalogues
from summetry.web.settings import Asked, StudySettings
from summetry.web.store.answers import Given
from summetry.web.store.studies import Study, check_name, json_text
from summetry.web.tasks import Task

LONGEST = {"title": 200, "contact": 200, "welcome": 5_000, "consent": 5_000}
NUMBERS = {
    "per_text": 100_000,
    "per_informant": 100_000,
    "return_after": 100_000,
    "seed": 2**31 - 1,
    "highest": 100,
    "drawn": 100_000,
}
PERCENTS = ("shortest", "longest")
FLAGS = ("repeat", "notes", "abstract", "with_source", "with_references", "several_categories")
CONDITIONS: tuple[str, ...] = get_args(Condition)
MOST_QUESTIONS = 30
# The answer can be the informant's group, which a column of the database holds.
LONGEST_CHOICE = 80
# Settings that are said as they are; of the others only the name.
TOLD = {"name", *LONGEST, *NUMBERS, *PERCENTS, "metric", "scales", "categories"}
# What fields are called on the page.
LABELS = {
    "name": "Name of the study",
    "title": "Title",
    "welcome": "Welcome text",
    "consent": "Consent",
    "contact": "Contact",
    "language": "Language of the page",
    "questions": "Questions about the informant",
    "group": "Questions about the informant",
    "entry": "Entry",
    "per_text": "Informants per text",
    "per_informant": "Texts per informant",
    "return_after": "Unfinished work goes back after",
    "practice": "Practice text",
    "repeat": "Repeat one text at the end",
    "notes": "Informants can leave notes to you",
    "seed": "Seed",
    "shortest": "Shortest extract",
    "longest": "Longest extract",
    "abstract": "Ask for a summary in the informant's own words too",
    "scales": "Scales",
    "with_source": "Show the source text beside the summary",
    "with_references": "People judge the references too",
    "drawn": "Texts to judge, drawn at random",
    "metric": "Metric that helps to estimate",
    "highest": "Highest utility",
    "categories": "Categories",
    "several_categories": "Informants can choose several categories",
    "conditions": "What informants read before they answer",
}
# Settings that mean something only with one another: of two windows one saves both.
_TOGETHER = (("questions", "group"), PERCENTS)
_NAME = re.compile(r"[\w-]{1,40}")


@dataclass
class QuestionRow:
    """A background question as it is typed: the answers are lines."""

    name: str = ""
    question: str = ""
    choices: str = ""


@dataclass
class SettingsForm:
    """What the fields hold, and what is wrong with them."""

    values: dict[str, Any]
    questions: list[QuestionRow]
    problems: dict[str, str] = field(default_factory=dict)


def filled_form(study: Study) -> SettingsForm:
    """The form as it shows the settings of a study."""
    settings = study.settings
    values: dict[str, Any] = {"name": study.name, **msgspec.structs.asdict(settings)}
    values |= {name: f"{values[name]:.8g}" for name in PERCENTS}
    described = settings.categories.items()
    values["categories"] = "\n".join(
        f"{name}: {said}" if said else name for name, said in described
    )
    values["scales"] = "\n".join(f"{name}: {', '.join(s)}" for name, s in settings.scales.items())
    names = [asked.name for asked in settings.questions]
    values["group"] = str(names.index(settings.group)) if settings.group else ""
    rows = [QuestionRow(a.name, a.question, "\n".join(a.choices)) for a in settings.questions]
    return SettingsForm(values, rows)


def sent_form(form: FormData) -> SettingsForm:
    """The form as it was sent, right or wrong."""
    values: dict[str, Any] = {name: _text(form, name) for name in _TEXTS}
    values |= {name: form.get(name) == "yes" for name in FLAGS}
    values["conditions"] = [c for c in CONDITIONS if c in form.getlist("conditions")]
    rows = []
    for number in range(MOST_QUESTIONS):
        if f"question-{number}" in form:
            parts = (_text(form, f"{part}-{number}") for part in ("name", "question", "choices"))
            rows.append(QuestionRow(*parts))
    return SettingsForm(values, rows)


def settings_seen(study: Study) -> str:
    """What a form shows of every setting, as short digests: what changes meanwhile can be named."""
    return json_text(_digests(study.name, study.settings))


def _digests(name: str, settings: StudySettings) -> dict[str, str]:
    values: dict[str, Any] = {"name": name, **msgspec.structs.asdict(settings)}
    values |= {percent: float(values[percent]) for percent in PERCENTS}
    return {key: fingerprint([json_text(value).encode()]) for key, value in values.items()}


def changed_meanwhile(
    seen: str, study: Study, name: str, settings: StudySettings
) -> tuple[list[str], list[str]]:
    """The settings that another window has changed since a form was shown.

    Those that the form left as it showed them, and those that it changes otherwise; none if it
    does not say what it showed.
    """
    try:
        before = msgspec.json.decode(seen, type=dict[str, str])
    except msgspec.DecodeError:
        return [], []
    now, sent = _digests(study.name, study.settings), _digests(name, settings)
    left: list[str] = []
    clashing: list[str] = []
    alone = [(key,) for key in now if not any(key in together for together in _TOGETHER)]
    for keys in (*alone, *_TOGETHER):
        changed = [key for key in keys if key in before and before[key] != now[key]]
        if changed and all(sent[key] == before.get(key) for key in keys):
            left += keys
        elif changed and any(sent[key] != now[key] for key in keys):
            clashing += changed
    return left, clashing


def changed_words(names: Sequence[str], study: Study, words: Catalogue) -> str:
    """Which settings somebody else has changed meanwhile, each with what it is now."""
    filled = filled_form(study).values
    told = []
    for name in names:
        label = words.gettext(LABELS.get(name, name))
        text = " ".join(str(filled[name]).split()) if name in TOLD else ""
        told.append(f"{label} (“{text[:60]}{'…' if text[60:] else ''}”)" if text else label)
    return words.gettext(
        "Nothing was saved: other settings were saved meanwhile, in another window: {settings}. "
        "The fields below are as you typed them. Save again to keep yours, or load the page to see "
        "theirs."
    ).format(settings=", ".join(dict.fromkeys(told)))


def unreadable_words(
    task: Task,
    before: Study,
    after: Study,
    corpus: Corpus,
    given: Sequence[Given],
    words: Catalogue,
) -> dict[str, str]:
    """What is wrong with settings that would make submitted answers unreadable, by field."""
    found: dict[str, dict[str, list[str]]] = {}
    for setting, what, person in task.unreadable(before, after, corpus, given):
        found.setdefault(setting, {}).setdefault(what, []).append(person)
    problems = {}
    for setting, lacking in found.items():
        told = []
        for what, people in lacking.items():
            names = list(dict.fromkeys(people))
            listed = ", ".join(names[:3]) + (", …" if names[3:] else "")
            count = words.ngettext("{n} answer by {names}", "{n} answers by {names}", len(people))
            told.append(f"“{what}” ({count.format(n=len(people), names=listed)})")
        problems[setting] = words.gettext(
            "Answers were given that need what is missing here: {what}. Put it back as it was; you "
            "can add others."
        ).format(what="; ".join(told))
    return problems


def without_question(sent: SettingsForm, number: int) -> None:
    """Take a question out of the form; the one that decides the group stays the same one."""
    if not 0 <= number < len(sent.questions):
        return
    del sent.questions[number]
    group = sent.values["group"]
    if group.isdigit():
        at = int(group)
        sent.values["group"] = "" if at == number else str(at - (at > number))


def read_settings(
    sent: SettingsForm,
    study: Study,
    concern: Sequence[str],
    topics: Sequence[str],
    words: Catalogue,
) -> tuple[str, StudySettings] | None:
    """The name and the settings that were sent, or None and the problems in ``sent``.

    Fields of other tasks than ``concern`` names stay as they are.
    """
    reader = _Reader(sent, words)
    name = reader.name()
    values: dict[str, Any] = {}
    for text, longest in LONGEST.items():
        values[text] = reader.text(text, longest)
    values["language"] = reader.choice("language", ("", *catalogues()))
    values["entry"] = reader.choice("entry", ("link", "invited"))
    values["practice"] = reader.choice("practice", ("", *topics))
    values |= {flag: sent.values[flag] for flag in ("repeat", "notes")}
    for number in ("per_text", "per_informant", "return_after", "seed"):
        values[number] = reader.whole(number, 0, NUMBERS[number])
    values["questions"], values["group"] = reader.questions()
    own: dict[str, Callable[[], Any]] = {
        "shortest": lambda: reader.percent("shortest"),
        "longest": lambda: reader.percent("longest"),
        "abstract": lambda: sent.values["abstract"],
        "with_source": lambda: sent.values["with_source"],
        "with_references": lambda: sent.values["with_references"],
        "drawn": lambda: reader.whole("drawn", 0, NUMBERS["drawn"]),
        "metric": reader.metric,
        "highest": lambda: reader.whole("highest", 1, NUMBERS["highest"]),
        "scales": reader.scales,
        "categories": reader.categories,
        "several_categories": lambda: sent.values["several_categories"],
        "conditions": reader.conditions,
    }
    values |= {setting: read() for setting, read in own.items() if setting in concern}
    if "longest" in concern and not sent.problems and values["shortest"] >= values["longest"]:
        reader.wrong("longest", words.gettext("The longest must be longer than the shortest."))
    if sent.problems:
        return None
    settings = {**msgspec.structs.asdict(study.settings), **values}
    return name, StudySettings(**settings)


_TEXTS = (
    "name", *LONGEST, "language", "entry", "practice", "group", *NUMBERS, *PERCENTS, "scales",
    "metric", "categories",
)  # fmt: skip


@dataclass
class _Reader:
    sent: SettingsForm
    words: Catalogue

    def wrong(self, name: str, message: str) -> None:
        self.sent.problems.setdefault(name, message)

    def name(self) -> str:
        try:
            return check_name(self.sent.values["name"], "name", 200)
        except SummetryError:
            say = self.words.gettext("Expected a name of 1 to {most} characters.")
            self.wrong("name", say.format(most=200))
            return ""

    def text(self, name: str, longest: int) -> str:
        value = str(self.sent.values[name]).strip()
        if len(value) > longest:
            say = self.words.gettext("Expected at most {most} characters, found {n}.")
            self.wrong(name, say.format(most=longest, n=len(value)))
        return value

    def choice(self, name: str, known: Sequence[str]) -> str:
        value = str(self.sent.values[name])
        if value not in known:
            self.wrong(name, self.words.gettext("Choose one of the list."))
        return value

    def whole(self, name: str, least: int, most: int) -> int:
        value = str(self.sent.values[name]).strip()
        if value.isascii() and value.isdigit() and len(value) < 12 and least <= int(value) <= most:
            return int(value)
        say = self.words.gettext("Expected a whole number from {least} to {most}.")
        self.wrong(name, say.format(least=least, most=most))
        return least

    def percent(self, name: str) -> float:
        value = str(self.sent.values[name]).strip().removesuffix("%").replace(",", ".")
        if re.fullmatch(r"\d{1,3}(\.\d{1,6})?\s*", value, re.ASCII) and float(value) <= 100:
            return float(value)
        self.wrong(name, self.words.gettext("Expected a number from 0 to 100."))
        return 0.0

    def metric(self) -> str:
        value = str(self.sent.values["metric"]).strip()
        try:
            if len(build_metrics(value)) == 1:
                return value
        except SummetryError:
            pass
        say = self.words.gettext("Expected one metric, such as {example}.")
        self.wrong("metric", say.format(example=StudySettings().metric))
        return value

    def questions(self) -> tuple[tuple[Asked, ...], str]:
        asked: list[Asked] = []
        group = ""
        for number, row in enumerate(self.sent.questions):
            question, choices = row.question.strip(), _lines(row.choices)
            if not question and not choices:
                continue
            if not 0 < len(question) <= 500:
                self.wrong(f"question-{number}", self.words.gettext("Write the question."))
            elif len(choices) < 2 or len(set(choices)) != len(choices):
                say = self.words.gettext("Write two or more different answers, one per line.")
                self.wrong(f"choices-{number}", say)
            elif max(map(len, choices)) > LONGEST_CHOICE:
                say = self.words.gettext("Expected answers of at most {most} characters.")
                self.wrong(f"choices-{number}", say.format(most=LONGEST_CHOICE))
            name = row.name if _NAME.fullmatch(row.name) else ""
            taken = {one.name for one in asked} | {one.name for one in self.sent.questions}
            if not name or name in {one.name for one in asked}:
                name = next(n for i in range(1000) if (n := f"question{i + 1}") not in taken)
            if self.sent.values["group"] == str(number):
                group = name
            asked.append(Asked(name, question, tuple(choices)))
        return tuple(asked), group

    def scales(self) -> dict[str, tuple[str, ...]]:
        scales: dict[str, tuple[str, ...]] = {}
        for line in _lines(self.sent.values["scales"]):
            name, _, rest = line.partition(":")
            marks = tuple(mark for part in rest.split(",") if (mark := part.strip()))
            if not name.strip() or len(marks) < 2 or len(set(marks)) != len(marks):
                say = self.words.gettext(
                    "Expected a name, a colon and two or more different marks, found {line}."
                )
                self.wrong("scales", say.format(line=repr(line[:60])))
            scales[name.strip()] = marks
        if not scales:
            self.wrong("scales", self.words.gettext("Write one scale or more, one per line."))
        return scales

    def categories(self) -> dict[str, str]:
        categories: dict[str, str] = {}
        for line in _lines(self.sent.values["categories"]):
            name, _, description = f"{line} ".partition(": ")
            if not name.strip() or name.strip() in categories:
                say = self.words.gettext("Expected another category on each line, found {line}.")
                self.wrong("categories", say.format(line=repr(line[:60])))
            categories[name.strip()] = description.strip()
        return categories

    def conditions(self) -> tuple[str, ...]:
        if not self.sent.values["conditions"]:
            self.wrong("conditions", self.words.gettext("Choose one or more."))
        return tuple(self.sent.values["conditions"])


def _text(form: FormData, name: str) -> str:
    value = form.get(name, "")
    return value.replace("\r\n", "\n").replace("\0", "") if isinstance(value, str) else ""


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]
