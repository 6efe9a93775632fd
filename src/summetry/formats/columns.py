"""Which column of a table is meant: the candidate, a reference, the source, the system, the id.

A column has the name of its role, or the user says which one it is (``--columns``), or it has a
name that other people use (``summary``, ``gold``, ``article``, ...); that is then said in a note.
``summary`` is the candidate, but the reference beside another candidate; ``text`` is the source,
but a summary where there is no other. Where nothing is known as a candidate, the other columns of
texts are systems: the name of the column is the name of the system.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

import msgspec

from summetry.arguments import kind_of
from summetry.errors import FormatError, Place, SummetryError, did_you_mean, first_names, shorten

Cells = dict[str, Any]

ROLES = ("candidate", "reference", "references", "source", "system", "id")
# What a row of outputs, and a row of references for them, is asked for.
OUTPUT_ROLES = ("candidate", "system", "id")
REFERENCE_ROLES = ("reference", "references", "source", "id")
# How many names a message lists, and how long a name can be.
_MOST_NAMES, _LONGEST_NAME = 20, 60
# No name of a topic or a system that is looked for in cells is longer: a hash may be.
_LONGEST_KEY = 100
NUMBERED = re.compile(r"reference[_ ]?(\d+)")

# Other names of each role. ``summary`` and ``text`` can have several and are in none of them.
OTHER_NAMES = {
    "candidate": (
        "prediction", "predictions", "pred", "output", "hypothesis", "hyp", "hypo", "generated",
        "generated_summary", "generated_text", "predicted", "predicted_summary", "decoded",
        "system_summary", "system_output", "model_output", "model_summary", "candidate_summary",
        "candidates", "response", "completion",
    ),
    "reference": (
        "gold", "target", "highlights", "ref", "reference_summary", "gold_summary", "ideal",
        "ideal_summary", "target_summary", "human_summary", "ground_truth", "gold_reference",
        "golden", "abstract", "tgt",
    ),
    "references": (
        "refs", "targets", "golds", "reference_summaries", "gold_summaries", "ideal_summaries",
        "human_summaries", "ground_truths",
    ),
    "source": (
        "article", "document", "dialogue", "dialog", "source_text", "src", "input", "input_text",
        "story", "passage", "transcript", "full_text", "content", "body", "source_document",
    ),
    "system": ("model", "author", "system_name", "system_id", "model_name", "model_id",
               "summarizer", "summarizer_id"),
    "id": ("topic", "doc_id", "example_id", "topic_id", "document_id", "article_id", "docid",
           "guid", "uid", "idx", "index", "instance_id"),
}  # fmt: skip
# What stands for an id where nothing else does.
_LAST_ID = "hash"
# Other names of what tables of scores and of judgments have beside these.
_OF_NUMBERS = {
    "metric": ("metric_name", "measure"),
    "score": ("value",),
    "judge": ("annotator", "rater", "worker", "evaluator", "assessor", "judge_id", "annotator_id",
              "rater_id", "worker_id"),
    "dimension": ("criterion", "aspect"),
    "value": ("score", "rating", "mark"),
}  # fmt: skip
# Names of columns that are no system, whatever they hold.
NO_SYSTEMS = {
    "title", "headline", "url", "link", "split", "dataset", "category", "date", "time", "genre",
    "lang", "language", "domain", "query", "question", "prompt", "instruction", "name", "note",
    "notes", "comment", "section", "subject", "meta", "metadata", "group", "informant",
    "annotator", "judge", "dimension", "value", "metric", "score", "documents", "units", "role",
    "label",
}  # fmt: skip
# Columns of the files of a corpus folder, which has texts of several kinds in one file.
_CORPUS_FILES = {"role", "documents", "informant"}
# What names of columns of ids and of systems have in them.
_LIKE_ID = re.compile(r"doc|topic|article|item|text|key|no$|(^|[^a-z])id|id$", re.IGNORECASE)
_LIKE_SYSTEM = re.compile(r"system|model|engine|method|summari[sz]er|author|team", re.IGNORECASE)
# What may stand between cells that are not cut, and what to do about it.
_BETWEEN = {
    "\t": "tabs: give the file the ending .tsv",
    "|": "'|': put commas between them",
    ",": "commas: give the file the ending .csv",
}
# A single word, and what looks like one and stands for a number or for nothing.
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*[.,;:!?]?")
_NO_WORDS = {"nan", "inf", "infinity", "none", "null", "na", "true", "false", "yes", "no"}
# How many rows are looked at before it is decided which column is which.
LOOKED_AT = 100


class TableColumns(msgspec.Struct, frozen=True, dict=True):
    """The columns of each role, and what was ``taken`` for a role without its name, in words."""

    candidate: tuple[str, ...]
    reference: tuple[str, ...]
    references: tuple[str, ...]
    source: str
    system: str
    id: str
    # Whether each candidate is that of a system with the name of the column.
    is_per_system: bool = False
    taken: str = ""
    # The columns of ids and systems that there are.
    naming: tuple[str, ...] = ()
    # The columns of texts that stand for nothing.
    unused: tuple[str, ...] = ()

    @property
    def has_ids(self) -> bool:
        return self.id in self.naming

    def id_of(self, cell: Any, number: int) -> str:
        """The id in a cell; where it is empty, a name made of the number of the row."""
        if cell not in (None, ""):
            return str(cell)
        return f"row {number}" if self.has_ids else str(number)

    @cached_property
    def used(self) -> frozenset[str]:
        lists = (*self.candidate, *self.reference, *self.references)
        return frozenset((*lists, self.source, self.system, self.id))


def asked_columns(columns: Mapping[str, str]) -> dict[str, str]:
    """What the user says of the columns, by role; ``summary=candidate`` is turned round.

    >>> asked_columns({"gold": "reference", "candidate": "bart+t5"})
    {'reference': 'gold', 'candidate': 'bart+t5'}
    """
    asked = columns_of_roles(columns, ROLES)
    for role, column in columns.items():
        if role not in ROLES and column not in ROLES:
            raise no_role(role, ROLES)
    for role, column in asked.items():
        if "+" in column and role in ("source", "system", "id"):
            raise SummetryError(f"--columns: {role} is one column, got {column!r}")
    if "+" in asked.get("candidate", "") and "system" in asked:
        raise SummetryError(
            f"--columns: each column of candidate={asked['candidate']} is a system of its own; "
            "leave system= out"
        )
    return asked


def no_role(role: str, known: Collection[str]) -> SummetryError:
    """That a role that the user names is none of those that are ``known``."""
    return SummetryError(
        f"--columns: no column is called {role!r}.{did_you_mean(role, known)} "
        f"Known: {', '.join(known)}."
    )


def columns_of_roles(columns: Mapping[str, str], roles: Collection[str]) -> dict[str, str]:
    """What the user says of the columns that have one of these roles.

    >>> columns_of_roles({"who": "judge", "candidate": "text"}, ["judge", "id"])
    {'judge': 'who'}
    """
    if not isinstance(columns, Mapping):
        raise SummetryError(f"columns must map a role to a name, got {kind_of(columns)}")
    asked: dict[str, str] = {}
    for role, column in columns.items():
        if role not in roles:
            role, column = column, role
        if role in roles:
            asked[role] = f"{asked[role]}+{column}" if role in asked else column
    return asked


def column_for(
    role: str, names: Sequence[str], asked: Mapping[str, str], place: Place
) -> str | None:
    """The column of a role, as the user says or by its name; None where there is none.

    A column that the user names may be that of another file, so that a known name is enough.

    >>> column_for("id", ["doc_id", "system"], {}, Place("scores.csv"))
    'doc_id'
    """
    if asked.get(role) in names:
        return asked[role]
    plain = {_plain(name): name for name in reversed(names)}
    # The names that files of a corpus have come before those of other people.
    for own in (role, {"id": "topic", "system": "author"}.get(role, role)):
        if own in plain:
            return plain[own]
    others = OTHER_NAMES.get(role) or _OF_NUMBERS[role]
    there = [plain[name] for name in others if name in plain]
    if len(there) > 1:
        advice = f"say --columns {role}={there[0]}"
        raise FormatError(place, f"one column for the {role}", listed(there), advice)
    return there[0] if there else plain.get(_LAST_ID) if role == "id" else None


def naming_advice(rows: Sequence[Cells], fallback: str = "") -> str:
    """The ``--columns`` of ids and systems, if the cells show which these are, or ``fallback``.

    Both have short cells that repeat, and no pair of an id and a system is there twice.

    >>> rows = [{"key": key, "model": name, "n": 5} for key in ("a1", "b2") for name in "xyz"]
    >>> naming_advice(rows)
    '--columns id=key,system=model'
    """
    names = list(dict.fromkeys(name for row in rows for name in row))
    if all(any(known_role(name) == role for name in names) for role in ("id", "system")):
        return fallback
    cells = {name: [row.get(name) for row in rows] for name in names}
    many = {
        name: len(set(values))
        for name, values in cells.items()
        if known_role(name) not in ("candidate", "reference", "references", "source")
        and _plain(name) not in NO_SYSTEMS
        and all(type(cell) in (str, int) and _is_key(str(cell)) for cell in values)
    }
    keys = [name for name in many if many[name] < len(rows)]
    systems = [name for name in keys if known_role(name) == "system"]
    pairs = [
        (name, system)
        for name in keys
        for system in systems or keys
        if many[name] > 1 and many[system] > 1 and known_role(name) != "system" and name != system
        if len(set(zip(cells[name], cells[system], strict=True))) == len(rows)
    ]
    if not systems:
        # Either of two columns may be the id: all rows of a topic have the same source.
        shared = [c for n, c in cells.items() if known_role(n) == "source" and are_texts(c)]
        if shared:
            pairs = [p for p in pairs if any(_is_same_within(cells[p[0]], c) for c in shared)]
        else:
            pairs = sorted((p for p in pairs if _likeness(*p) > 0), key=lambda p: -_likeness(*p))
    return f"--columns id={pairs[0][0]},system={pairs[0][1]}" if pairs else fallback


def _likeness(topic: str, system: str) -> int:
    """How much two names of columns look like those of an id and a system."""
    names = ((topic, system), (system, topic))
    right, wrong = (
        bool(_LIKE_ID.search(one)) + bool(_LIKE_SYSTEM.search(other)) for one, other in names
    )
    return right - wrong


def _is_same_within(keys: Sequence[Any], texts: Sequence[Any]) -> bool:
    """Whether all rows with one key have one text, and there are several."""
    return len(set(zip(keys, texts, strict=True))) == len(set(keys)) and len(set(texts)) > 1


def _is_key(cell: str) -> bool:
    return 0 < len(cell) <= _LONGEST_KEY and len(cell.split()) == 1


def choose_columns(
    rows: Sequence[Cells],
    columns: Mapping[str, str],
    place: Place,
    wanted: Sequence[str] = ROLES,
) -> TableColumns:
    """The columns of the roles that are ``wanted``, by the first ``rows`` of the table."""
    return _Choice(rows, asked_columns(columns), place, wanted).made()


def known_role(name: str) -> str:
    """The role that a name of a column stands for; nothing where it stands for none.

    >>> known_role("Doc-ID"), known_role("Candidate"), known_role("bart")
    ('id', 'candidate', '')
    """
    name = _plain(name)
    if name in ("summary", "text"):
        return "candidate"
    roles = (role for role in ROLES if name == role or name in OTHER_NAMES.get(role, ()))
    return next(roles, "id" if name == _LAST_ID else "")


def not_cut(names: Sequence[str]) -> str:
    """What seems to stand between cells that were not cut, going by the only name there is."""
    mark = next((mark for mark in _BETWEEN if len(names) == 1 and mark in names[0]), "")
    return mark and f"seem to be separated by {_BETWEEN[mark]}"


def no_column(name: str, names: Iterable[str], place: Place) -> FormatError:
    """That a column of candidates is not among the columns."""
    names = list(names)
    hint = did_you_mean(name, names)
    advice = f"name it with --columns candidate=NAME{hint and '.'}{hint}"
    if uncut := not_cut(names):
        found, advice = f"one column {shorten(names[0])}", f"its cells {uncut}"
        return FormatError(place, f"a column {name!r}", found, advice)
    if _is_without_headings(names):
        advice = "write the names of the columns above it, such as id,system,candidate,reference"
    return FormatError(place, f"a column {name!r}", columns_in_words(names), advice)


def columns_in_words(names: Sequence[str]) -> str:
    """Which columns a table has, or that its first line is no line of names.

    >>> columns_in_words(["id", "output"]), columns_in_words(["1", "lead", "A ferry sank."])
    ('the columns id, output', "no names of columns but the line '1,lead,A ferry sank.'")
    """
    if not names:
        return "no columns"
    if _is_without_headings(names):
        return f"no names of columns but the line {shorten(','.join(names))}"
    return f"the columns {first_columns(names)}"


def first_columns(names: Sequence[str]) -> str:
    """The names of columns, or the first of very many."""
    return first_names(names, _MOST_NAMES)


def _is_without_headings(names: Sequence[str]) -> bool:
    """Whether what should be names are cells: numbers, sentences, long texts, nothing known."""
    return not any(map(known_role, names)) and any(
        len(name) > _LONGEST_NAME or re.fullmatch(r"[\d.]+|.*\s.*[.!?]\s*", name, re.DOTALL)
        for name in names
    )


def listed(names: Iterable[str]) -> str:
    """Names in words.

    >>> listed(["a", "b", "c"])
    "'a', 'b' and 'c'"
    """
    words = [repr(name) for name in names]
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def taken_in_words(taken: Sequence[tuple[Sequence[str], str]]) -> str:
    """What was taken for what.

    >>> taken_in_words([(["a", "b"], "the systems"), (["c"], "the id")])
    "'a' and 'b' are taken for the systems, 'c' for the id"
    """
    if not taken:
        return ""
    verb = "are" if len(taken[0][0]) > 1 else "is"
    first, *rest = (f"for {what}" for _, what in taken)
    words = [f"{listed(taken[0][0])} {verb} taken {first}"]
    words += [f"{listed(names)} {what}" for (names, _), what in zip(taken[1:], rest, strict=True)]
    return ", ".join(words)


class _Choice:
    """Roles and the columns that are left to be chosen for them."""

    def __init__(
        self, rows: Sequence[Cells], asked: Mapping[str, str], place: Place, wanted: Sequence[str]
    ) -> None:
        self.rows, self.asked, self.place, self.wanted = rows, asked, place, wanted
        self.names = list(dict.fromkeys(name for row in rows for name in row))
        self.chosen = {role: tuple(names.split("+")) for role, names in asked.items()}
        self.taken: list[tuple[tuple[str, ...], str]] = []
        # What is said of columns that could have been taken for systems.
        self.aside = ""
        if self.names == [""]:
            # A bare list of texts, or of lists of references.
            role = "candidate" if "candidate" in wanted else "references"
            self.chosen.setdefault(role, ("",))
        named = {name for names in self.chosen.values() for name in names}
        # The columns that are left, by their plain names; one that is spelt so comes first.
        free = sorted((n for n in self.names if n not in named), key=lambda n: n != _plain(n))
        self.left = {_plain(name): name for name in reversed(free)}
        for role in ROLES:
            if role not in self.chosen and role in self.left:
                self.chosen[role] = (self.left.pop(role),)
        self.has_reference = bool({"reference", "references"} & self.chosen.keys()) or any(
            NUMBERED.fullmatch(name) for name in self.left
        )

    def made(self) -> TableColumns:
        for name in self.chosen.get("candidate", ()):
            if self.rows and name not in self.names:
                raise no_column(name, self.names, self.place)
        is_per_system = "+" in self.asked.get("candidate", "") or self._is_named_system()
        if "candidate" in self.wanted and "candidate" not in self.chosen and self.rows:
            is_per_system = self._choose_candidate()
        if "reference" in self.wanted and not self.has_reference:
            self._choose_reference()
        for role in ("source", "system"):
            if role in self.wanted and not (role == "system" and is_per_system):
                _ = self._take(role) or (role == "source" and self._take(role, "text"))
        notes = self._choose_id()
        if "candidate" not in self.wanted and self.rows:
            self._must_have_reference()
        one = {role: self.chosen.get(role, (role,)) for role in ROLES}
        (source,), (system,), (name,) = one["source"], one["system"], one["id"]
        lists = (one["candidate"], one["reference"], one["references"])
        taken = "; ".join(filter(None, (taken_in_words(self.taken), self.aside, notes)))
        ids_and_systems = (name,) if is_per_system else (name, system)
        naming = tuple(column for column in ids_and_systems if column in self.names)
        used = {name for names in lists for name in names}
        unused = tuple(name for name in self._text_columns() if name not in used)
        return TableColumns(*lists, source, system, name, is_per_system, taken, naming, unused)

    def _is_named_system(self) -> bool:
        """Whether the one column that the user names is that of a system with its name."""
        name = self.asked.get("candidate", "")
        has_system = "system" in self.chosen or bool(self._there("system"))
        return bool(name) and "system" in self.wanted and not (known_role(name) or has_system)

    def _choose_candidate(self) -> bool:
        """Choose the candidate; whether there is one column for each system."""
        if self._take("candidate"):
            return False
        if _CORPUS_FILES & set(self.names) and "summary" not in self.left:
            raise self._no_candidate()
        systems = self._text_columns() if "system" not in self.chosen else ()
        knows_rest = self.has_reference or any(
            name in self.left for role in ("reference", "references") for name in OTHER_NAMES[role]
        )
        if "summary" in self.left and systems and "system" in self.wanted and not knows_rest:
            summary = self.left["summary"]
            condition = "the others are systems" if systems[1:] else f"{systems[0]!r} is a system"
            source = "" if systems[1:] or "source" in self.chosen else f",source={systems[0]}"
            raise FormatError(
                self.place, "one column for the candidate", listed((summary, *systems)),
                f"say --columns candidate={summary}{source}, or --columns reference={summary} if "
                f"{condition}",
            )  # fmt: skip
        if self._take("candidate", "summary"):
            return False
        knows_rest = knows_rest or "source" in self.chosen or "text" in self.left
        knows_rest = knows_rest or any(name in self.left for name in OTHER_NAMES["source"])
        if systems and knows_rest and "system" in self.wanted:
            self.chosen["candidate"] = systems
            what = "the candidates of systems with these names"
            one = "the candidate of a system with this name"
            self.taken.append((systems, what if len(systems) > 1 else one))
            self.left = {plain: n for plain, n in self.left.items() if n not in systems}
            if others := self._words():
                verb, whose = ("are", "their") if len(others) > 1 else ("is", "its")
                self.aside = (
                    f"{listed(others)} {verb} left aside, since {whose} first cells are single "
                    f"words (--columns candidate={'+'.join([*systems, *others])} takes all)"
                )
            return True
        if not self._take("candidate", "text"):
            raise self._no_candidate()
        return False

    def _choose_reference(self) -> None:
        # A list of references and a single one are the same role.
        there = [name for role in ("reference", "references") for name in self._there(role)]
        if len(there) > 1:
            raise self._doubt("reference", there)
        is_lone = "candidate" not in self.wanted and "source" not in self.chosen
        self.has_reference = (
            self._take("reference")
            or self._take("references")
            or self._take("reference", "summary")
            or (is_lone and self._take("reference", "text"))
        )

    def _choose_id(self) -> str:
        """Choose the id, and say why a topic is none: many texts may be on one subject."""
        topic, note = self.left.get("topic"), ""
        if "id" not in self.chosen and topic is not None:
            (system,) = self.chosen.get("system", ("system",))
            rows = [(row.get(topic), row.get(system)) for row in self.rows]
            if len({tuple(map(str, row)) for row in rows}) < len(rows):
                del self.left["topic"]
                note = f"{topic!r} is not taken for the id, since it repeats"
        _ = self._take("id") or self._take("id", _LAST_ID)
        is_system_known = "system" in self.chosen and "id" in self.wanted
        if "id" not in self.chosen and is_system_known and (advice := naming_advice(self.rows)):
            more = f"no column is known to be the id, so each row is a topic of its own ({advice})"
            note = "; ".join(filter(None, (note, more)))
        return note

    def _there(self, role: str) -> list[str]:
        return [self.left[name] for name in OTHER_NAMES[role] if name in self.left]

    def _take(self, role: str, name: str = "") -> bool:
        """Take the only column that has another name of a role, or this ``name``, for the role."""
        if role in self.chosen:
            return True
        there = self._there(role) if not name else [self.left[name]] if name in self.left else []
        if len(there) > 1:
            raise self._doubt(role, there)
        for column in there:
            self.chosen[role] = (column,)
            self.taken.append(((column,), f"the {role}"))
            del self.left[_plain(column)]
        return bool(there)

    def _doubt(self, role: str, names: Sequence[str]) -> FormatError:
        also = {"candidate": " if they are systems", "reference": " for several references"}
        together = f", or --columns {role}={'+'.join(names)}{also[role]}" if role in also else ""
        advice = f"say --columns {role}={names[0]}{together}"
        return FormatError(self.place, f"one column for the {role}", listed(names), advice)

    def _text_columns(self) -> tuple[str, ...]:
        """The columns that nothing is known of and that hold texts."""
        return tuple(name for name in self._unknown() if are_texts(self._cells(name)))

    def _words(self) -> list[str]:
        """The columns that nothing is known of and that hold single words."""
        return [name for name in self._unknown() if are_words(self._cells(name))]

    def _unknown(self) -> list[str]:
        """The columns of which nothing is known by their names."""
        return [
            name
            for name in self.names
            if self.left.get(_plain(name)) == name
            and not known_role(name)
            and _plain(name) not in NO_SYSTEMS
            and not NUMBERED.fullmatch(name)
        ]

    def _cells(self, name: str) -> list[Any]:
        return [row.get(name) for row in self.rows]

    def _no_candidate(self) -> FormatError:
        if {"metric", "score"} <= set(self.names):
            advice = "these are scores: `summetry compare` and `summetry correlate` read them"
        elif set(self.names) & {"topic", *_CORPUS_FILES}:
            advice = "this looks like a file of a corpus folder: give the folder instead"
        elif len(words := [n for n in self._words() if len(n) <= _LONGEST_NAME]) > 1:
            advice = (
                "name it with --columns candidate=NAME; columns of single words are taken with "
                f"--columns candidate={'+'.join(words)}"
            )
        else:
            return no_column("candidate", self.names, self.place)
        found = columns_in_words(self.names)
        return FormatError(self.place, "a column 'candidate'", found, advice)

    def _must_have_reference(self) -> None:
        if not self.has_reference and "source" not in self.chosen:
            names = ", ".join(("summary", *OTHER_NAMES["reference"][:3], "text"))
            raise FormatError(
                self.place, f"a column 'reference', or one of {names}",
                columns_in_words(self.names), "name it with --columns reference=NAME",
            )  # fmt: skip


def _plain(name: str) -> str:
    return re.sub(r"[\s-]+", "_", name.strip().lower())


def are_words(values: Iterable[Any]) -> bool:
    """Whether cells are single words, as summaries may be; not numbers, names, links or nothing."""
    words = [value for value in values if value not in (None, "")]
    return bool(words) and all(
        isinstance(word, str) and _WORD.fullmatch(word) and word.lower() not in _NO_WORDS
        for word in words
    )


def are_texts(values: Iterable[Any]) -> bool:
    """Whether cells look like texts, not like numbers, dates, names, links or nothing."""
    texts = [value for value in values if value not in (None, "")]
    return (
        bool(texts) and all(isinstance(text, str) for text in texts) and any(map(_has_words, texts))
    )


def _has_words(text: str) -> bool:
    """Whether there are several words, or one with letters outside ASCII, which may be a whole
    text; a date or a number with its unit has one at most."""
    words = [word for word in text.split() if any(map(str.isalpha, word))]
    return len(words) > 1 or not "".join(words).isascii()
