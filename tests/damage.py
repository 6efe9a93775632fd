"""Files and command lines that are damaged at random, always the same for the same seed."""

from collections.abc import Sequence
from pathlib import Path
from random import Random

# What has broken readers elsewhere: numbers without end, marks that open and never close, bytes
# that are no text, names that lead out of a folder, patterns that never come back.
HOSTILE = [
    b"", b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\r", b"\n\n", b"\t", b",", b";",
    b'"', b"'", b"\\", b"\\u0000", b"\\ud800", b"{", b"}", b"[" * 3000, b"{\"a\":" * 3000, b"]",
    b"<", b">", b"</", b"<!--", b"<![CDATA[", b"]]>", b"&", b"&#0;", b"&x;",
    b'<!DOCTYPE a [<!ENTITY x "x">]>', b"../../etc/passwd", b"/", b"NaN", b"Infinity", b"-inf",
    b"1e999", b"-0", b"9" * 400, b"null", b"true", b"[]", b"(a+)+$", b"(?:a|a)*b", b"%s%n", b"=1+1",
    "\u202e\u2028\u00a0\U0001f469\u200d\U0001f469".encode(), b"a" * 70_000,
]  # fmt: skip


def damaged(content: bytes, random: Random) -> bytes:
    """A file's content with one to four kinds of damage."""
    for _ in range(random.randint(1, 4)):
        content = random.choice(_DAMAGES)(content, random)
    return content


def _place(content: bytes, random: Random) -> tuple[int, int]:
    start = random.randint(0, len(content))
    return start, min(len(content), start + random.choice([1, 2, 8, 64, 1000]))


def _cut_off(content: bytes, random: Random) -> bytes:
    return content[: random.randint(0, len(content))]


def _without_a_part(content: bytes, random: Random) -> bytes:
    start, end = _place(content, random)
    return content[:start] + content[end:]


def _part_twice(content: bytes, random: Random) -> bytes:
    start, end = _place(content, random)
    return content[:end] + content[start:]


def _hostile(content: bytes, random: Random) -> bytes:
    start, end = _place(content, random)
    end = random.choice([start, end])
    return content[:start] + random.choice(HOSTILE) + content[end:]


def _flipped(content: bytes, random: Random) -> bytes:
    flipped = bytearray(content)
    for _ in range(random.randint(1, 8)):
        if flipped:
            flipped[random.randrange(len(flipped))] = random.randrange(256)
    return bytes(flipped)


def _lines_moved(content: bytes, random: Random) -> bytes:
    lines = content.splitlines(keepends=True)
    if len(lines) > 1:
        first, second = random.sample(range(len(lines)), 2)
        lines[first], lines[second] = lines[second], lines[first]
        if random.random() < 0.5:
            del lines[first]
    return b"".join(lines)


def _token_replaced(content: bytes, random: Random) -> bytes:
    """One of the words between quotation marks, separators or angle brackets becomes another."""
    starts = [place for place, byte in enumerate(content) if byte in b'",<>:\t= ']
    if len(starts) < 2:
        return content
    first = random.randrange(len(starts) - 1)
    return content[: starts[first] + 1] + random.choice(HOSTILE) + content[starts[first + 1] :]


_DAMAGES = [
    _cut_off, _without_a_part, _part_twice, _hostile, _flipped, _lines_moved, _token_replaced,
]  # fmt: skip


def damage_a_file(folder: Path, random: Random) -> Path:
    """Damage one file of a corpus, which is a folder or a file; the damaged file."""
    files = [folder] if folder.is_file() else sorted(p for p in folder.rglob("*") if p.is_file())
    path = random.choice(files)
    path.write_bytes(damaged(path.read_bytes(), random))
    return path


# Values that people and scripts give by mistake, and some that are made to harm.
VALUES = [
    "", " ", "-", "--", "0", "-1", "1", "0.5", "2.7", "1e308", "nan", "inf", "9" * 30, "x", "a,b",
    "a=b", "=", "(", ")", "rouge1", "rouge-1(", "rouge_n(n=)", "rouge_n(n=-1)", "rouge_n(n=[1])",
    "lcs(of=lcs(of=lcs))", "all", "none", "30%", "3 sentences", "100 parsecs", "%", "..", "/",
    "nowhere.csv", "nowhere/deep/file.jsonl", ".", "corpus", "scores.csv", "\u202e", "é\n", "*",
    "~", "$HOME", "out.png", "out.csv", "a" * 300,
]  # fmt: skip


def changed_command(command: Sequence[str], options: Sequence[str], random: Random) -> list[str]:
    """A command line with one to three things left out, doubled, replaced or added."""
    name, *rest = command
    for _ in range(random.randint(1, 3)):
        place = random.randint(0, len(rest))
        what = random.randrange(5)
        if what == 0 and rest:
            del rest[place % len(rest)]
        elif what == 1 and rest:
            rest.insert(place, rest[place % len(rest)])
        elif what == 2 and rest:
            rest[place % len(rest)] = random.choice(VALUES)
        elif what == 3:
            rest[place:place] = [random.choice(options), random.choice(VALUES)]
        else:
            rest.insert(place, random.choice(options))
    return [name, *rest]
