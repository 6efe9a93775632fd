"""The commands: each is listed in one sentence, and its module is imported when it is called."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from itertools import zip_longest
from typing import Any, get_type_hints

import click

from summetry.cli._parameters import as_click

# Every command with the sentence by which its help begins, in the order of the list: to ask all
# modules for theirs would take longer than most commands do.
COMMANDS = {
    "demo": "Show a short tour on the built-in corpus.",
    "score": "Score the summaries of a corpus or of systems, or one text.",
    "explain": "Show why a summary has its score.",
    "report": "Write all that was found as one page, with pictures.",
    "graph": "Show the n-gram graph of a text, as a table or a picture.",
    "network": "Show the network of a topic's extracts.",
    "summarize": "Summarize a text, a table of texts, or a corpus.",
    "rank": "Judge sentence rankers by labelled sentences.",
    "reference": "Make references from extracts by majority vote.",
    "agreement": "Show how far informants agree, or judges.",
    "compare": "Say which system is better, and whether it may be chance.",
    "correlate": "Say which metric follows the judgments of people.",
    "estimate": "Estimate what people would say from a few judgments.",
    "alt-test": "Test whether a judge may stand in for one of the people.",
    "judge": "Let a language model judge summaries, and keep every answer.",
    "pyramid": "Make pyramids and labels, and compare marks of units.",
    "discriminate": "Count pairs of systems on which a metric and people agree.",
    "audit": "Show whether metrics and judges see that a text is worse.",
    "combine": "Find the sum of metrics that follows judgments best.",
    "serve": "Serve a web page on which people make references.",
    "convert": "Read IN and write it to OUT in another format.",
    "download": "Fetch data that others publish, into the user's cache.",
    "rouge155": "Print what the script ROUGE-1.5.5 prints.",
    "metrics": "List all metrics, with what each needs; or show one.",
    "formats": "List all formats that are read and written.",
    "summarizers": "List all summarizers, with their options.",
    "where": "Print the file and line where NAME is defined.",
}
TASKS = {
    "categorization": "See whether summaries say what a text is about.",
    "retrieval": "See whether a search in summaries finds the same.",
    "questions": "See what people can answer after reading.",
}
# The module of a command is called like it, but for these.
_HOMES = dict.fromkeys(("metrics", "formats", "summarizers"), "listings")
_HOMES |= dict.fromkeys(TASKS, "task")
# Options whose number may be left out, and what it is then.
_NUMBERS = {"--fail-if-worse": "0"}


def list_commands(group: click.Group, sentences: Mapping[str, str]) -> None:
    """Give a group the commands of ``sentences``, none of which is made before it is called."""
    for name, sentence in sentences.items():
        group.add_command(_Listed(name, help=sentence))


def make_command(name: str) -> click.Command:
    """The command of a name, with its options."""
    written = name.replace("-", "_")
    module = import_module(f"summetry.cli.{_HOMES.get(name, written)}")
    return as_command(name, getattr(module, written), **getattr(module, "SETTINGS", {}))


def as_command(name: str, function: Callable[..., None], **settings: Any) -> click.Command:
    """A function as a command; the example in its docstring ends the help."""
    words, mark, example = inspect.cleandoc(str(function.__doc__)).rpartition("\b\n")
    kinds = get_type_hints(function, include_extras=True)
    parameters = inspect.signature(function).parameters.values()
    return _Command(
        name,
        callback=function,
        params=[as_click(own, kinds[own.name]) for own in parameters],
        help=words or example,
        epilog=f"{mark}{example}" if mark else None,
        **settings,
    )


class _Listed(click.Command):
    """A command as help and completion list it; one that is called, or asked for its help, is made.

    Either begins with a context.
    """

    def make_context(self, *arguments: Any, **settings: Any) -> click.Context:
        return make_command(str(self.name)).make_context(*arguments, **settings)


class _Command(click.Command):
    """A command that refuses an option given twice: the first value would be dropped silently."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        args = with_numbers(args)
        ctx.meta["typed"] = list(args)
        try:
            _, _, order = self.make_parser(ctx).parse_args(args=list(args))
        except click.UsageError as error:
            # The parser does not say whose options it reads.
            error.ctx = ctx
            raise
        for parameter in order:
            is_single = not parameter.multiple and not getattr(parameter, "is_flag", True)
            if is_single and order.count(parameter) > 1:
                name = max(parameter.opts, key=len)
                ctx.fail(f"{name} takes one value and is given more than once")
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as stop:
            # Click would print an empty line first.
            raise click.Abort from stop


def with_numbers(arguments: Sequence[str]) -> list[str]:
    """The arguments of a command, each option that may stand without its number with one.

    >>> with_numbers(["--fail-if-worse", "old.jsonl", "--fail-if-worse", "0.005"])
    ['--fail-if-worse', '0', 'old.jsonl', '--fail-if-worse', '0.005']
    """
    complete: list[str] = []
    for name, following in zip_longest(arguments, arguments[1:], fillvalue=""):
        complete.append(name)
        if name in _NUMBERS and not re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", following):
            complete.append(_NUMBERS[name])
    return complete
