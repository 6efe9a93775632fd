"""The parameters of commands: each declared beside its type, and made into one of Click's.

A command is a function. The type of a parameter says what may be typed for it, ``list`` that it may
be repeated, its default what holds without it; what stands beside the type says the rest.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin

import click

from summetry.errors import SummetryError


class Declared(NamedTuple):
    """What is said about a parameter beside its type; ``names`` are those that are typed."""

    help: str
    metavar: str | None = None
    names: tuple[str, ...] = ()
    is_argument: bool = False
    min: float | None = None
    max: float | None = None
    checked_by: Callable[[str], str] | None = None


def argument(metavar: str, help: str) -> Declared:
    return Declared(help, metavar, is_argument=True)


def option(metavar: str, help: str, *names: str, **limits: Any) -> Declared:
    """An option with a value; its name is that of the parameter unless ``names`` are given."""
    return Declared(help, metavar, names, **limits)


def flag(name: str, help: str) -> Declared:
    """An option without a value."""
    return Declared(help, names=(name,))


def choice(help: str) -> Declared:
    """An option whose type lists what may be typed."""
    return Declared(help)


class Number(click.ParamType[Any]):
    """A number within limits, which are told in words."""

    def __init__(self, kind: type, declared: Declared) -> None:
        self.kind, self.min, self.max = kind, declared.min, declared.max
        self.name = "a whole number" if kind is int else "a number"

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        try:
            number = self.kind(value)
        except ValueError:
            self.fail(f"expected {self.name}, found {value!r}", param, ctx)
        # Turned round, so that what is not a number is refused too.
        if self.min is not None and not number >= self.min:
            self.fail(f"expected {self.min} or more, found {value}", param, ctx)
        if self.max is not None and not number <= self.max:
            self.fail(f"expected {self.max} or less, found {value}", param, ctx)
        return number


class _Argument(click.Argument):
    """An argument; only usage shows whether it may be left out or repeated."""

    def get_usage_pieces(self, ctx: click.Context) -> list[str]:
        shown = str(self.metavar) if self.required else f"[{self.metavar}]"
        return [f"{shown}..." if self.nargs == -1 else shown]


class _Option(click.Option):
    """An option whose help tells the limits of a number in words."""

    def get_help_extra(self, ctx: click.Context) -> Any:
        extra = super().get_help_extra(ctx)
        if isinstance(self.type, Number) and self.type.min is not None:
            upper = "" if self.type.max is None else f", at most {self.type.max}"
            extra["range"] = f"{self.type.min} or more{upper}"
        return extra


def as_click(own: inspect.Parameter, annotation: Any) -> click.Parameter:
    """Click's parameter for one of a command, with its type as ``Annotated`` has it."""
    kind, declared = get_args(annotation)
    if get_origin(kind) in (Union, UnionType):
        (kind,) = (part for part in get_args(kind) if part is not NoneType)
    is_list = get_origin(kind) is list
    settings: dict[str, Any] = {"help": declared.help, "metavar": declared.metavar}
    settings["required"] = own.default is own.empty
    settings["type"] = _type(get_args(kind)[0] if is_list else kind, declared)

    def finish(context: click.Context, parameter: click.Parameter, value: Any) -> Any:
        if declared.is_argument and "" in (value if is_list else [value]):
            name = declared.metavar or own.name.upper()
            raise SummetryError(
                f"{name}: expected a name, found an empty one; is a variable of the shell not set?"
            )
        if is_list:
            return list(value) or None
        return declared.checked_by(value) if declared.checked_by else value

    settings["callback"] = finish
    if declared.is_argument:
        return _Argument([own.name], nargs=-1 if is_list else 1, **settings)
    if not (is_list or settings["required"]):
        settings["default"] = own.default
    settings["multiple"] = is_list
    if kind is bool:
        settings["is_flag"] = True
    settings["show_default"] = own.default is not False and own.default not in (None, "")
    names = declared.names or (f"--{own.name.replace('_', '-')}",)
    return _Option([own.name, *names], **settings)


def _type(kind: Any, declared: Declared) -> Any:
    """What Click makes of what is typed."""
    if get_origin(kind) is Literal:
        return click.Choice(get_args(kind))
    if get_origin(kind) is tuple:
        return get_args(kind)
    if kind in (int, float):
        return Number(kind, declared)
    return click.Path(path_type=Path) if kind is Path else kind
