"""What commands advise to type is there to be typed.

Every message that a test provokes is looked through: an option that it names is one of the command
that printed it, and a command in backticks exists and has the options that stand behind it.
"""

import functools
import re

import click

from summetry.cli._commands import make_command
from summetry.cli.main import app

COMMAND = re.compile(r"`summetry ([^`]*)`")
OPTION = re.compile(r"(?<![\w-])--?[a-z][a-z-]*")


@functools.cache
def options_of(*words):
    """The command that such words name, and what may be typed for its options."""
    command, path = app, []
    for word in words:
        if not isinstance(command, click.Group) or word not in command.commands:
            break
        command = command.commands[word]
        path.append(word)
        # One that is only listed is made when it is called.
        command = command if isinstance(command, click.Group) else make_command(word)
    opts = [o for p in command.params for o in (*p.opts, *p.secondary_opts)]
    # The command `rouge155` reads its options itself, as the script does.
    own = () if path == ["rouge155"] else (*opts, "--help", "-h")
    return tuple(path), frozenset(own)


def wrong_advice(arguments, message):
    """What a message names and nobody can type."""
    typed = [str(argument) for argument in arguments]
    path, known = options_of(*(word for word in typed if not word.startswith("-")))
    for advised in COMMAND.findall(message):
        words = advised.split()
        own, options = options_of(*(word for word in words if not word.startswith("-")))
        if not own and words[0] != "COMMAND" and not words[0].startswith("-"):
            yield advised
        yield from set(OPTION.findall(advised)) - options if options else ()
    rest = re.sub("`[^`]*`", "", message)
    for option in set(OPTION.findall(rest)) - known if known else ():
        if option not in " ".join(typed):
            yield f"{' '.join(path)} {option}"
