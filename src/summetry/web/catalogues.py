"""The words of the page in other languages: one ``.po`` file for each, in ``locale``.

A new language is one new file ``locale/CODE.po``; nothing else names the languages. The files are
read as they are, so that there is no compiled copy which could be older than its source.
"""

from __future__ import annotations

import gettext
import json
import re
from functools import cache
from pathlib import Path

from summetry.text.languages import language

LOCALE = Path(__file__).parent / "locale"
SOURCE = "en"
_LINE = re.compile(r'(?:(msgctxt|msgid|msgid_plural|msgstr|msgstr\[\d+\])\s+)?(".*")')


class Catalogue(gettext.NullTranslations):
    """The messages of one ``.po`` file; a message that is not in it stays English."""

    def __init__(self, messages: dict[str, list[str]], code: str) -> None:
        super().__init__()
        self.code = code
        head = messages.pop("", [""])[0]
        rule = re.search(r"plural=([^;\n]+)", head)
        # The standard library's own reader of the rule in a catalogue.
        self._form = gettext.c2py(rule[1] if rule else "n != 1")
        own = re.search(r"X-Language-Name: (.*)", head)
        self.name = own[1].strip() if own else code
        self.messages = messages

    def gettext(self, message: str) -> str:
        return next(iter(self.messages.get(message, ())), "") or message

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        forms = self.messages.get(msgid1, [])
        form = self._form(n)
        if form < len(forms) and forms[form]:
            return forms[form]
        return msgid1 if n == 1 else msgid2


def read_catalogue(path: Path) -> dict[str, list[str]]:
    """The messages of a ``.po`` file by their English words; fuzzy ones are left out."""
    messages: dict[str, list[str]] = {}
    for entry in re.split(r"\n\s*\n", path.read_text("utf-8")):
        lines = entry.strip().splitlines()
        if any(line.startswith("#,") and "fuzzy" in line for line in lines):
            continue
        fields: dict[str, str] = {}
        field = ""
        for line in lines:
            if not line.startswith("#") and (match := _LINE.fullmatch(line.strip())):
                field = match[1] or field
                # Quoted and escaped as in JSON. Python's own reader of literals fails now and then
                # where several threads use it, as after the start of a busy page (Python 3.11).
                fields[field] = fields.get(field, "") + json.loads(match[2], strict=False)
        if "msgid" in fields:
            forms = [text for name, text in fields.items() if name.startswith("msgstr")]
            messages[fields["msgid"]] = forms
    return messages


@cache
def catalogues() -> dict[str, Catalogue]:
    """All languages of the page, English first."""
    found = {SOURCE: Catalogue({"": ["X-Language-Name: English\n"]}, SOURCE)}
    for path in sorted(LOCALE.glob("*.po")):
        found[path.stem] = Catalogue(read_catalogue(path), path.stem)
    return found


def choose_language(*wanted: str) -> Catalogue:
    """The first of these languages that the page has; a header of a browser may be among them."""
    known = catalogues()
    for codes in wanted:
        for code in codes.split(","):
            short = code.partition(";")[0].strip().lower().partition("-")[0]
            if short in known:
                return known[short]
    return known[SOURCE]


def language_name(code: str) -> str:
    """The English name of the language of a text."""
    return language(code).name if code else ""
