"""Options that several commands share, declared once as the fields of a dataclass."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import MISSING, Field, fields
from functools import wraps
from typing import Any, TypeAlias, get_type_hints

Command: TypeAlias = Callable[..., None]


def shared(options: type) -> Callable[[Command], Command]:
    """Give a command the fields of a dataclass as options, each with its type and default.

    The command has one parameter of the type ``options``. The fields take its place, the
    keyword-only ones after the command's own parameters, and the command gets the object that is
    made of their values. So Typer sees one flat list of options, as if all were written there.

    >>> from dataclasses import KW_ONLY, dataclass
    >>> @dataclass
    ... class Shared:
    ...     metric: str = "lcs"
    ...     _: KW_ONLY
    ...     seed: int = 0
    >>> @shared(Shared)
    ... def command(scores: str, given: Shared, test: str = "t") -> None:
    ...     print(scores, given, test)
    >>> list(inspect.signature(command).parameters)
    ['scores', 'metric', 'test', 'seed']
    >>> command(scores="scores.csv", seed=3)
    scores.csv Shared(metric='lcs', seed=3) t
    """
    first = [_parameter(options, field) for field in fields(options) if not field.kw_only]
    last = [_parameter(options, field) for field in fields(options) if field.kw_only]

    def decorate(command: Command) -> Command:
        hints = get_type_hints(command, include_extras=True)
        (place,) = (name for name, kind in hints.items() if kind is options)
        parameters = []
        for own in inspect.signature(command).parameters.values():
            as_keyword = own.replace(kind=own.KEYWORD_ONLY, annotation=hints[own.name])
            parameters += first if own.name == place else [as_keyword]
        parameters += last

        @wraps(command)
        def call(**values: Any) -> None:
            names = [parameter.name for parameter in (*first, *last)]
            given = options(**{name: values.pop(name) for name in names if name in values})
            command(**values, **{place: given})

        call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        call.__annotations__ = {p.name: p.annotation for p in parameters}
        return call

    return decorate


def _parameter(options: type, field: Field[Any]) -> inspect.Parameter:
    default = inspect.Parameter.empty if field.default is MISSING else field.default
    kind = get_type_hints(options, include_extras=True)[field.name]
    return inspect.Parameter(
        field.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind
    )
