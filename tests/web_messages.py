"""The messages of the web page: found in its templates and code, and held against the catalogues.

``make messages`` runs it: a catalogue gets the messages that it lacks, without a translation, and
loses those that are gone. A new language starts with ``python tests/web_messages.py CODE NAME``.
"""

import ast
import json
import sys
from pathlib import Path

from babel.messages.extract import extract

import summetry.web
from summetry.web.catalogues import LOCALE, read_catalogue
from summetry.web.store.studies import STATES
from summetry.web.tasks import TASKS

WEB = Path(summetry.web.__file__).parent
# Functions whose first argument, or first two, are messages.
KEYWORDS = {"gettext": None, "_": None, "say": None, "ngettext": (1, 2), "count": (1, 2)}
JINJA = {"extensions": "jinja2.ext.i18n", "newstyle_gettext": "true", "silent": "false"}


def messages():
    """Every message: its English words, those of the plural or nothing, and where it stands."""
    found = {}
    for path in sorted(WEB.rglob("*")):
        method = {".py": "python", ".html": "jinja2"}.get(path.suffix)
        if method:
            with path.open("rb") as file:
                options = JINJA if method == "jinja2" else None
                for _, words, _, _ in extract(method, file, KEYWORDS, options=options):
                    one, many = words if isinstance(words, tuple) else (words, "")
                    if isinstance(one, str) and one:
                        place = path.relative_to(WEB).as_posix()
                        found.setdefault((one, many or ""), place)
            if method == "python":
                for action in logged_actions(path):
                    found.setdefault((action, ""), path.relative_to(WEB).as_posix())
    for name, task in TASKS.items():
        found.setdefault((task.title, ""), f"tasks/{name}.py")
    for state in STATES:
        found.setdefault((state, ""), "store/studies.py")
    return found


def logged_actions(path):
    """What researchers do, in the words that ``note`` logs and the page of the log translates."""
    tree = ast.parse(path.read_text("utf-8"))
    named = {
        node.targets[0].id: node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }
    for call in ast.walk(tree):
        if isinstance(call, ast.Call):
            name = getattr(call.func, "id", "") or getattr(call.func, "attr", "")
            place = 2 if isinstance(call.func, ast.Name) else 0
            if name == "note" and len(call.args) > place:
                action = call.args[place]
                action = named.get(action.id) if isinstance(action, ast.Name) else action
                choices = (
                    [action.body, action.orelse] if isinstance(action, ast.IfExp) else [action]
                )
                for choice in choices:
                    if isinstance(choice, ast.Constant) and isinstance(choice.value, str):
                        yield choice.value


def entry(one, many, place, forms):
    """A message as a catalogue holds it."""
    quoted = [json.dumps(text, ensure_ascii=False) for text in (one, many, *forms)]
    lines = [f"#: {place}", f"msgid {quoted[0]}"]
    if many:
        lines.append(f"msgid_plural {quoted[1]}")
        lines += [f"msgstr[{n}] {text}" for n, text in enumerate(quoted[2:])]
    else:
        lines.append(f"msgstr {quoted[2]}")
    return "\n".join(lines)


def head(code, name, rule="nplurals=2; plural=(n != 1)"):
    fields = {
        "Project-Id-Version": "Summetry",
        "Language": code,
        "X-Language-Name": name,
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
        "Plural-Forms": f"{rule};",
    }
    lines = [json.dumps(f"{key}: {value}\n", ensure_ascii=False) for key, value in fields.items()]
    return "\n".join(['msgid ""', 'msgstr ""', *lines])


def update(path, name=""):
    """Write a catalogue anew with the messages of today; what was translated stays."""
    known = read_catalogue(path) if path.exists() else {}
    if path.exists():
        begin = path.read_text("utf-8").split("\n\n")[0]
        forms = int(known[""][0].split("nplurals=")[1].split(";")[0])
    else:
        begin, forms = head(path.stem, name), 2
    entries = [
        entry(one, many, place, known.get(one) or [""] * (forms if many else 1))
        for (one, many), place in messages().items()
    ]
    path.write_text("\n\n".join([begin, *entries]) + "\n", "utf-8")


def main():
    if len(sys.argv) == 3:
        update(LOCALE / f"{sys.argv[1]}.po", sys.argv[2])
    for path in sorted(LOCALE.glob("*.po")):
        update(path)
        missing = [one for one, forms in read_catalogue(path).items() if not all(forms)]
        print(f"{path.name}: {len(missing)} of {len(messages())} messages without a translation")


if __name__ == "__main__":
    main()
