"""Stems as NLTK's ``PorterStemmer`` makes them in its default mode.

Porter's five steps (1980) with the departures that NLTK documents, which make it neither the
published algorithm nor the one of ROUGE-1.5.5:

- a few words have a fixed stem (``dying``, ``news``, ``innings``, ``succeed``);
- ``ies`` and ``ied`` of a word of four letters become ``ie``: dies, die;
- a final ``y`` becomes ``i`` after a consonant that is not the first letter: happy, but enjoy;
- step 2 has ``bli``, ``fulli`` and ``logi``, and goes on after ``alli``;
- a vowel and a consonant alone also end as a short syllable does.

Equal to NLTK on every word that it was tried on (see ``tests/compat/test_rouge_score.py``).

Source: M. Porter, An algorithm for suffix stripping (1980); the behaviour of NLTK 3.10.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from summetry.metrics.rouge.endings import Endings, by_last_two, longest_ending

_FIXED = {
    "skies": "sky", "sky": "sky", "dying": "die", "lying": "lie", "tying": "tie", "news": "news",
    "innings": "inning", "inning": "inning", "outings": "outing", "outing": "outing",
    "cannings": "canning", "canning": "canning", "howe": "howe", "proceed": "proceed",
    "exceed": "exceed", "succeed": "succeed",
}  # fmt: skip
_STEP_2 = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize",
    "bli": "ble", "alli": "al", "entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize",
    "ation": "ate", "ator": "ate", "alism": "al", "iveness": "ive", "fulness": "ful",
    "ousness": "ous", "aliti": "al", "iviti": "ive", "biliti": "ble", "fulli": "ful",
}  # fmt: skip
_STEP_3 = {
    "icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": "",
}  # fmt: skip
_STEP_4 = dict.fromkeys(
    ("al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou",
     "ism", "ate", "iti", "ous", "ive", "ize"),
    "",
)  # fmt: skip
_ENDINGS_2, _ENDINGS_3, _ENDINGS_4 = map(by_last_two, (_STEP_2, _STEP_3, _STEP_4))
# What is no letter counts as a consonant.
_KINDS = defaultdict(lambda: "c", {ord(vowel): "v" for vowel in "aeiou"})


def stem_like_nltk(word: str) -> str:
    """The stem of one word in lower case.

    >>> [stem_like_nltk(w) for w in ("summaries", "dying", "happy", "enjoy", "generally")]
    ['summari', 'die', 'happi', 'enjoy', 'gener']
    """
    if word in _FIXED:
        return _FIXED[word]
    if len(word) <= 2:
        return word
    word = _step_1c(_step_1b(_step_1a(word)))
    word = _step_3(_step_2(word))
    return _step_5(_step_4(word))


def _kinds(word: str) -> str:
    """``c`` and ``v`` for each letter; y is a vowel only after a consonant."""
    kinds = word.translate(_KINDS)
    place = word.find("y", 1)
    while place > 0:
        if kinds[place - 1] == "c":
            kinds = f"{kinds[:place]}v{kinds[place + 1 :]}"
        place = word.find("y", place + 1)
    return kinds


def _measure(stem: str) -> int:
    """How often vowels are followed by a consonant."""
    return _kinds(stem).count("vc")


def _ends_short(word: str) -> bool:
    """Consonant, vowel, consonant at the end, the last none of w, x, y; or just two letters."""
    kinds = _kinds(word)
    return kinds == "vc" or (kinds.endswith("cvc") and word[-1] not in "wxy")


def _step_1a(word: str) -> str:
    if word.endswith("ies"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("sses"):
        return word[:-2]
    is_plural = len(word) > 1 and word[-1] == "s" != word[-2]
    return word[:-1] if is_plural else word


def _step_1b(word: str) -> str:
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    if not word.endswith(("ed", "ing")):
        return word
    stem = word[:-2] if word[-1] == "d" else word[:-3]
    if "v" not in _kinds(stem):
        return word
    if stem.endswith(("at", "bl", "iz")):
        return stem + "e"
    kinds = _kinds(stem)
    if len(stem) > 1 and stem[-1] == stem[-2] and kinds[-1] == "c":
        return stem if stem[-1] in "lsz" else stem[:-1]
    return stem + "e" if _measure(stem) == 1 and _ends_short(stem) else stem


def _step_1c(word: str) -> str:
    turns = word.endswith("y") and len(word) > 2 and _kinds(word)[-2] == "c"
    return word[:-1] + "i" if turns else word


def _step_2(word: str) -> str:
    if word.endswith("alli") and _measure(word[:-4]) > 0:
        return _step_2(word[:-2])
    if word.endswith("logi"):
        # The l belongs to the stem that is measured.
        return word[:-1] if _measure(word[:-3]) > 0 else word
    return _replace(word, _ENDINGS_2, _STEP_2)


def _step_3(word: str) -> str:
    return _replace(word, _ENDINGS_3, _STEP_3)


def _replace(word: str, endings: Endings, others: Mapping[str, str]) -> str:
    """The longest ending is the only one that is tried; it must leave a measure above 0."""
    ending = longest_ending(word, endings)
    if not ending:
        return word
    stem = word[: -len(ending)]
    return stem + others[ending] if _measure(stem) > 0 else word


def _step_4(word: str) -> str:
    ending = longest_ending(word, _ENDINGS_4)
    if not ending:
        return word
    stem = word[: -len(ending)]
    if _measure(stem) <= 1 or (ending == "ion" and stem[-1] not in "st"):
        return word
    return stem


def _step_5(word: str) -> str:
    if word.endswith("e"):
        stem = word[:-1]
        measure = _measure(stem)
        if measure > 1 or (measure == 1 and not _ends_short(stem)):
            word = stem
    if word.endswith("ll") and _measure(word[:-1]) > 1:
        word = word[:-1]
    return word
