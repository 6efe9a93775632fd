"""The commands: each is listed in one sentence, and its module is imported when it is called."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from itertools import zip_longest
from typing import Any

import typer
from typer.core import TyperCommand

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


def list_commands(group: typer.Typer, sentences: Mapping[str, str]) -> None:
    """Give a group the commands of ``sentences``, none of which is made before it is called."""
    for name, sentence in sentences.items():
        group.command(name, cls=_Listed, help=sentence)(lambda: None)


def make_command(name: str) -> Any:
    """The command with its options; the example in its docstring ends the help."""
    written = name.replace("-", "_")
    module = import_module(f"summetry.cli.{_HOMES.get(name, written)}")
    function = getattr(module, written)
    words, mark, example = inspect.cleandoc(function.__doc__).rpartition("\b\n")
    settings = {"help": words, "epilog": f"{mark}{example}", **getattr(module, "SETTINGS", {})}
    alone = typer.Typer(rich_markup_mode=None, add_completion=False)
    alone.command(name, cls=_Command, **settings)(function)
    return typer.main.get_command(alone)


class _Listed(TyperCommand):
    """A command as help and completion list it; one that is called, or asked for its help, is made.

    Either begins with a context.
    """

    def make_context(self, *arguments: Any, **settings: Any) -> Any:
        return make_command(str(self.name)).make_context(*arguments, **settings)


class _Command(TyperCommand):
    """A command whose help is in plain words.

    It refuses an option given twice: the first value would be dropped silently.
    """

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        for parameter in self.params:
            parameter.get_help_record = partial(_record, parameter.get_help_record)  # type: ignore[method-assign]

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        return [piece.strip("{}").replace("}", "") for piece in super().collect_usage_pieces(ctx)]

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        args = with_numbers(args)
        ctx.meta["typed"] = list(args)
        _, _, order = self.make_parser(ctx).parse_args(args=list(args))
        for parameter in order:
            is_single = not parameter.multiple and not getattr(parameter, "is_flag", True)
            if is_single and order.count(parameter) > 1:
                name = max(parameter.opts, key=len)
                ctx.fail(f"{name} takes one value and is given more than once")
        return super().parse_args(ctx, args)


def _record(get: Callable[[Any], tuple[str, str] | None], context: Any) -> tuple[str, str] | None:
    """The help of an option or an argument without types and inequalities."""
    record = get(context)
    if record is None:
        return None
    name, help = record
    return re.sub(r" <[\w\[\]]+>", "", name), re.sub(r"x>=([\d.]+)", r"\1 or more", help)


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
