"""Porter's stemmer (1980) in the two variants that ROUGE programs use.

ROUGE-1.5.5 with ``-m`` (:func:`stem_like_rouge`): tokens of three letters or fewer stay. A token
in its table of irregular forms (WordNet's) becomes its base form and is not stemmed further.
Otherwise Porter's steps apply with the changes of the script: ``bli`` and ``logi`` in step 2, and
a step 4 that tries ``ment``, then ``ent`` or ``ion``, on whatever the first round left, so that
two suffixes can fall (accidental, accid). Equal to the script on every word that it was tried on
(133,653 words).

NLTK's ``PorterStemmer`` in its default mode, which rouge-score uses (:func:`stem_like_nltk`):

- a few words have a fixed stem (``dying``, ``news``, ``innings``, ``succeed``);
- ``ies`` and ``ied`` of a word of four letters become ``ie``: dies, die;
- a final ``y`` becomes ``i`` after a consonant that is not the first letter: happy, but enjoy;
- step 2 has ``bli``, ``fulli`` and ``logi``, and goes on after ``alli``;
- a vowel and a consonant alone also end as a short syllable does.

Equal to NLTK 3.10 on every word that it was tried on (see ``tests/compat/test_rouge_score.py``).

Source: M. Porter, An algorithm for suffix stripping (1980).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path

# Whether a stem has a property.
Test = Callable[[str], object]

# Runs of consonants and of vowels; y is a vowel only after a consonant, and what is no letter
# counts as a consonant.
_C, _V = "[^aeiou][^aeiouy]*", "[aeiouy][aeiou]*"
# A first run of consonants is never given back: a y that starts the word is none of its vowels.
# The measure of a stem is how often a run of vowels is followed by a run of consonants.
_ONE_OR_MORE = re.compile(f"(?:{_C})?+{_V}{_C}").match
_EXACTLY_ONE = re.compile(f"(?:{_C})?+{_V}{_C}(?:{_V})?$").match
_TWO_OR_MORE = re.compile(f"(?:{_C})?+{_V}{_C}{_V}{_C}").match
_HAS_VOWEL = re.compile(f"(?:{_C})?+[aeiouy]").match
_ENDS_IN_CONSONANT = re.compile(f"(?:{_C})?+(?:{_V}{_C})*$").match
# Consonants, one vowel, and one last consonant that is not w, x or y.
_SHORT = re.compile(f"{_C}[aeiouy][^aeiouwxy]$").match
_SHORT_TO_NLTK = re.compile(f"(?:{_C}[aeiouy][^aeiouwxy]|[aeiou][^aeiou])$").match


class _Endings:
    """Endings of two letters or more, each with what takes its place."""

    def __init__(self, others: Mapping[str, str]) -> None:
        self.others = others
        # By their last two letters, so that few are tried; the longest first.
        self.by_last_two: dict[str, tuple[str, ...]] = {}
        for ending in sorted(others, key=len, reverse=True):
            same = self.by_last_two.get(ending[-2:], ())
            self.by_last_two[ending[-2:]] = (*same, ending)

    def longest(self, word: str) -> str:
        """The longest of the endings that the word has, or nothing."""
        for ending in self.by_last_two.get(word[-2:], ()):
            if word.endswith(ending):
                return ending
        return ""

    def replace(self, word: str) -> str:
        """The longest ending is the only one that is tried; it must leave a measure above 0."""
        ending = self.longest(word)
        if ending and _ONE_OR_MORE(word[: -len(ending)]):
            return word[: -len(ending)] + self.others[ending]
        return word


_STEP_2 = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize",
    "bli": "ble", "alli": "al", "entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize",
    "ation": "ate", "ator": "ate", "alism": "al", "iveness": "ive", "fulness": "ful",
    "ousness": "ous", "aliti": "al", "iviti": "ive", "biliti": "ble",
}  # fmt: skip
_STEP_4 = (
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ou", "ism", "ate", "iti",
    "ous", "ive", "ize",
)  # fmt: skip
_ROUGE_2 = _Endings(_STEP_2 | {"logi": "log"})
_NLTK_2 = _Endings(_STEP_2 | {"fulli": "ful"})
_BOTH_3 = _Endings({
    "icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": "",
})  # fmt: skip
_ROUGE_4 = _Endings(dict.fromkeys(_STEP_4, ""))
_NLTK_4 = _Endings(dict.fromkeys((*_STEP_4, "ment", "ent", "ion"), ""))
# Most words end in other letters, and steps 2 to 4 leave them as they are.
_ROUGE_LAST_TWO, _NLTK_LAST_TWO = (
    frozenset([*two.by_last_two, *_BOTH_3.by_last_two, *four.by_last_two, *more])
    for two, four, more in ((_ROUGE_2, _ROUGE_4, ("nt", "on")), (_NLTK_2, _NLTK_4, ("gi",)))
)
_FIXED_BY_NLTK = {
    "skies": "sky", "sky": "sky", "dying": "die", "lying": "lie", "tying": "tie", "news": "news",
    "innings": "inning", "inning": "inning", "outings": "outing", "outing": "outing",
    "cannings": "canning", "canning": "canning", "howe": "howe", "proceed": "proceed",
    "exceed": "exceed", "succeed": "succeed",
}  # fmt: skip
_LONGEST_KEPT_BY_ROUGE = 3


def stem_like_rouge(words: Sequence[str]) -> list[str]:
    """The stem of each token (lower-case letters and digits).

    >>> stem_like_rouge(["accidental", "better", "was", "summaries"])
    ['accid', 'well', 'was', 'summari']
    """
    irregular = irregular_forms()
    return [
        word if len(word) <= _LONGEST_KEPT_BY_ROUGE else irregular.get(word) or porter(word)
        for word in words
    ]


@cache
def irregular_forms() -> dict[str, str]:
    """WordNet's irregular forms and their base forms, as the original's table has them."""
    text = Path(__file__).with_name("rouge155_data").joinpath("irregular.tsv").read_text("utf-8")
    # Forms and base forms in turn, after the lines that say where they are from.
    _, _, table = text[text.rindex("\n#") + 1 :].partition("\n")
    cells = table.split()
    return dict(zip(cells[::2], cells[1::2], strict=True))


def porter(word: str) -> str:
    """The Porter variant of the original script.

    >>> porter("agreement"), porter("relational")
    ('agreem', 'relat')
    """
    if word[-1] in "sdgy":
        word = _step_1a(word)
        if word[-1:] in ("d", "g"):
            word = _step_1b(word, _SHORT, _is_doubled_for_rouge)
        if word[-1:] == "y" and _HAS_VOWEL(word[:-1]):
            word = word[:-1] + "i"
    if word[-2:] in _ROUGE_LAST_TWO:
        word = _rouge_step_4(_BOTH_3.replace(_ROUGE_2.replace(word)))
    return _step_5(word, _SHORT) if word[-1:] in ("e", "l") else word


def stem_like_nltk(word: str) -> str:
    """The stem of one word in lower case.

    >>> [stem_like_nltk(w) for w in ("summaries", "dying", "happy", "enjoy", "generally")]
    ['summari', 'die', 'happi', 'enjoy', 'gener']
    """
    if word in _FIXED_BY_NLTK:
        return _FIXED_BY_NLTK[word]
    if len(word) <= 2:
        return word
    if word[-1] in "sdgy":
        word = _nltk_step_1(word)
    if word[-2:] in _NLTK_LAST_TWO:
        word = _nltk_step_4(_BOTH_3.replace(_nltk_step_2(word)))
    return _step_5(word, _SHORT_TO_NLTK) if word[-1:] in ("e", "l") else word


def _step_1a(word: str) -> str:
    if word[-1] != "s" or word.endswith("ss"):
        return word
    return word[:-2] if word.endswith(("sses", "ies")) else word[:-1]


def _step_1b(word: str, is_short: Test, is_doubled: Test) -> str:
    if word.endswith("eed"):
        return word[:-1] if _ONE_OR_MORE(word[:-3]) else word
    if not word.endswith(("ed", "ing")):
        return word
    stem = word[:-2] if word[-1] == "d" else word[:-3]
    if not _HAS_VOWEL(stem):
        return word
    if stem.endswith(("at", "bl", "iz")):
        return stem + "e"
    if len(stem) > 1 and stem[-1] == stem[-2] and is_doubled(stem):
        return stem[:-1]
    return stem + "e" if is_short(stem) else stem


def _is_doubled_for_rouge(stem: str) -> bool:
    """Whether the second of two equal letters at the end falls."""
    return stem[-1] not in "aeiouylsz"


def _is_doubled_for_nltk(stem: str) -> bool:
    return stem[-1] not in "aeioulsz" and _ENDS_IN_CONSONANT(stem) is not None


def _nltk_step_1(word: str) -> str:
    word = word[:-1] if len(word) == 4 and word.endswith("ies") else _step_1a(word)
    if word.endswith("ied"):
        word = word[:-1] if len(word) == 4 else word[:-2]
    else:
        word = _step_1b(word, _SHORT_TO_NLTK, _is_doubled_for_nltk)
    turns = word.endswith("y") and len(word) > 2 and _ENDS_IN_CONSONANT(word[:-1])
    return word[:-1] + "i" if turns else word


def _nltk_step_2(word: str) -> str:
    if word.endswith("alli") and _ONE_OR_MORE(word[:-4]):
        return _nltk_step_2(word[:-2])
    if word.endswith("logi"):
        # The l belongs to the stem that is measured.
        return word[:-1] if _ONE_OR_MORE(word[:-3]) else word
    return _NLTK_2.replace(word)


def _rouge_step_4(word: str) -> str:
    ending = _ROUGE_4.longest(word)
    if ending:
        word = _drop(word, ending)
    if word[-1:] not in ("t", "n"):
        return word
    word = _drop(word, "ment") if word.endswith("ment") else word
    if word.endswith("ent"):
        return _drop(word, "ent")
    return _drop(word, "ion") if word.endswith(("sion", "tion")) else word


def _nltk_step_4(word: str) -> str:
    ending = _NLTK_4.longest(word)
    if not ending or (ending == "ion" and not word.endswith(("sion", "tion"))):
        return word
    return _drop(word, ending)


def _drop(word: str, ending: str) -> str:
    stem = word[: -len(ending)]
    return stem if _TWO_OR_MORE(stem) else word


def _step_5(word: str, is_short: Test) -> str:
    if word.endswith("e"):
        stem = word[:-1]
        if _TWO_OR_MORE(stem) or (_EXACTLY_ONE(stem) and not is_short(stem)):
            word = stem
    if word.endswith("ll") and _TWO_OR_MORE(word):
        word = word[:-1]
    return word
