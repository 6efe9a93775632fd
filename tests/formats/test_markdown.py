"""The prose of Markdown documents."""

import pytest
from format_checks import noted

import summetry
from summetry.formats.markdown import note_of, read_prose

PAGE = """---
title: not this one
tags: [a, b]
---
# Ferry *hits*
pier #

Setext
======

A **passenger** ferry struck
the [main _pier_](pier.md "title") on <b>Tuesday</b>. See <https://example.org/x>.

## Why

> Nobody knows.
> Fog, perhaps.

1. The captain `slept` &amp; woke.
2. The engine failed.
   - It was old.

```python
print("code")
```

    indented code

| a | b |
|---|---|
| 1 | 2 |

<div>markup</div>

***

![A picture of the pier](pier.png)

The \\*end\\*.
"""


def test_a_page_with_everything():
    prose = read_prose(PAGE)
    assert prose.title == "Ferry hits"
    assert prose.text.split("\n\n") == [
        "pier #",
        "A passenger ferry struck\nthe main pier on Tuesday. See https://example.org/x.",
        "Nobody knows.\nFog, perhaps.",
        "The captain slept & woke.",
        "The engine failed.",
        "It was old.",
        "The *end*.",
    ]
    assert note_of(prose.left_out) == (
        "1 HTML block, 2 code blocks, front matter, 2 headings, 1 picture, 1 table"
    )


@pytest.mark.parametrize(("text", "title", "prose"), [
    ("", "", ""),
    ("No heading.", "", "No heading."),
    ("A title\n=======\nText.", "A title", "Text."),
    ("## Second level first\n\nText.", "Second level first", "Text."),
    ("#no heading", "", "#no heading"),
    ("---\n\nNo front matter.\n\n---\n\nMore.", "", "No front matter.\n\nMore."),
    ("---\nkey: value\nno end", "", "key: value\nno end"),
    ("+++\nkey = 1\n+++\nText.", "", "Text."),
    ("---\nkey: value\n---", "", ""),
    ("一行\n两行", "", "一行\n两行"),
    ("One<br>two<BR/>three \\<br>", "", "One\ntwo\nthree <br>"),
    ("\ufeff# T", "", "\ufeff# T"),
])  # fmt: skip
def test_small_documents(text, title, prose):
    page = read_prose(text)
    assert (page.title, page.text) == (title, prose)


def test_a_file_is_a_topic_with_title_and_units(write):
    text = b"\xef\xbb\xbf# A ferry\r\n\r\nIt sank. Nobody\r\nswam.\r\n\r\n- one\r\n- two\r\n"
    (topic,) = summetry.load(write("ferry.MD", text), language="en").topics
    assert (topic.id, topic.title) == ("ferry", "A ferry")
    assert topic.units == ("It sank.", "Nobody\nswam.", "one", "two")


def test_what_is_left_out_is_told(write):
    _, (note,) = noted(summetry.load, write("page.md", PAGE))
    assert note.startswith("page.md: left out of the text: 1 HTML block, 2 code")
