"""What the command prints, whatever the width at which it is folded."""

import re


def in_one_piece(text):
    """Sentences on standard error, each in one line."""
    return re.sub(r"\n  (?=\S)", " ", text)
