"""Options that several commands share, declared once as the fields of a dataclass."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import MISSING, fields
from functools import wraps
from typing import Any, TypeAlias, get_type_hints

Command: TypeAlias = Callable[..., None]


def shared(options: type) -> Callable[[Command], Command]:
    """Give a command the fields of a dataclass as options, each with its type and default.

    The command has one parameter of the type ``options``. The fields take its place, keyword-only
    ones follow the command's own parameters, and the command gets an object of their values.

    >>> from dataclasses import make_dataclass
    >>> Shared = make_dataclass("Shared", [("metric", str, "lcs"), ("seed", int, 0)])
    >>> @shared(Shared)
    ... def command(scores: str, given: Shared, test: str = "t") -> None:
    ...     print(scores, given, test)
    >>> list(inspect.signature(command).parameters)
    ['scores', 'metric', 'seed', 'test']
    >>> command(scores="scores.csv", seed=3)
    scores.csv Shared(metric='lcs', seed=3) t
    """
    kinds = get_type_hints(options, include_extras=True)
    first: list[inspect.Parameter] = []
    last: list[inspect.Parameter] = []
    for field in fields(options):
        default = inspect.Parameter.empty if field.default is MISSING else field.default
        keyword = inspect.Parameter(field.name, inspect.Parameter.KEYWORD_ONLY, default=default)
        (last if field.kw_only else first).append(keyword.replace(annotation=kinds[field.name]))

    def decorate(command: Command) -> Command:
        hints = get_type_hints(command, include_extras=True)
        (place,) = (name for name, kind in hints.items() if kind is options)
        parameters: list[inspect.Parameter] = []
        for own in inspect.signature(command).parameters.values():
            keyword = own.replace(kind=own.KEYWORD_ONLY, annotation=hints[own.name])
            parameters += first if own.name == place else [keyword]
        parameters += last

        @wraps(command)
        def call(**values: Any) -> None:
            mine = {f.name: values.pop(f.name) for f in fields(options) if f.name in values}
            command(**values, **{place: options(**mine)})

        call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        call.__annotations__ = {p.name: p.annotation for p in parameters}
        return call

    return decorate
