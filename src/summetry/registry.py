"""Finding things by name: metrics, formats, summarizers, text pipelines.

A folder is its own list: each public module of the package is imported on first use, then
the entry points of installed plug-ins, which register in exactly the same way. A class is
registered under its ``name``; its dataclass fields are its options.
"""

from __future__ import annotations

import contextlib
import dataclasses
import importlib
import inspect
import pkgutil
import types
import typing
from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar, Union

from summetry import spec
from summetry.errors import SummetryError, UnknownNameError, did_you_mean
from summetry.spec import Spec

T = TypeVar("T")

# Text pipelines that live with the family of metrics for which they are made.
_WITH_THEIR_FAMILY = {
    "text pipeline": (
        "summetry.metrics.graphs.raw_text",
        "summetry.metrics.rouge.rouge155_text",
        "summetry.metrics.rouge.rouge_score_text",
    )
}


class Registry(Generic[T]):
    """Named classes of one kind, found in one package and in its plug-ins."""

    def __init__(self, kind: str, package: str, members: tuple[str, ...] = ()) -> None:
        self.kind = kind
        self.package = package
        # What a class of this kind must have beside a name.
        self.members = members
        self._classes: dict[str, type[T]] = {}
        self._aliases: dict[str, str] = {}
        self._loaded = False

    def register(self, cls: type[T]) -> type[T]:
        """Class decorator: make ``cls`` available under ``cls.name`` and ``cls.aliases``."""
        made: Any = cls
        if not dataclasses.is_dataclass(cls):
            raise SummetryError(f"{cls} must be a dataclass: its fields are its options")
        for name in (made.name, *getattr(made, "aliases", {})):
            if spec.parse(name).name != name:
                raise SummetryError(f"{cls} is named {name!r}, which nobody can spell")
            taken = self._classes.get(name) or self._aliases.get(name)
            if taken:
                raise SummetryError(f"two {self.kind}s are named {name!r}: {cls} and {taken}")
        missing = [member for member in self.members if not hasattr(cls, member)]
        if missing:
            raise SummetryError(f"{cls} has no {', '.join(missing)}, which a {self.kind} needs")
        self._classes[made.name] = cls
        self._aliases.update(getattr(made, "aliases", {}))
        return cls

    def names(self) -> list[str]:
        self._load()
        return sorted(self._classes)

    def aliases(self) -> dict[str, str]:
        """Other spellings people type, and what each stands for."""
        self._load()
        return dict(sorted(self._aliases.items()))

    def get(self, name: str) -> type[T]:
        if not self._loaded and not self._found_at_home(name):
            self._load()
        if name in self._aliases:
            name = spec.parse(self._aliases[name]).name
        if name not in self._classes:
            raise UnknownNameError(self.kind, name, [*self._classes, *self._aliases])
        return self._classes[name]

    def build(self, text: str | Spec) -> T:
        """Make the object that ``text`` spells, e.g. ``coselection(beta=2)``."""
        wanted = spec.parse(text) if isinstance(text, str) else text
        cls = self.get(wanted.name)
        if wanted.pick and not hasattr(cls, "values"):
            raise SummetryError(
                f"{wanted}: a dot picks a value of a metric; a {self.kind} has none, "
                f"leave out .{wanted.pick}"
            )
        if wanted.name in self._aliases:
            meant = spec.parse(self._aliases[wanted.name])
            wanted = Spec(meant.name, {**meant.options, **wanted.options})
        return configure(cls, wanted.name, wanted.options)

    def where(self, name: str) -> str:
        """The file and line that define ``name``."""
        cls = self.get(name)
        return f"{Path(inspect.getfile(cls))}:{inspect.getsourcelines(cls)[1]}"

    def _found_at_home(self, name: str) -> bool:
        """Whether the module that is called like ``name``, or like its beginning, defines it.

        Most calls want one thing or two, and to import all there are takes a while.
        """
        home = name
        while name not in self._classes and home.isidentifier() and home[0] != "_":
            with contextlib.suppress(ModuleNotFoundError):
                _import_family(f"{self.package}.{home}")
            home = home.rpartition("_")[0]
        if name not in self._classes:
            self._load_from_families()
        return name in self._classes

    def _load_from_families(self) -> None:
        for module in _WITH_THEIR_FAMILY.get(self.kind, ()):
            importlib.import_module(module)

    def _load(self) -> None:
        if self._loaded:
            return
        self._loaded = True
        try:
            _import_family(self.package)
            self._load_from_families()
            for point in entry_points(group=self.package):
                self._plug_in(point)
        except BaseException:
            # Half a list must not pass for the whole one when somebody asks again.
            self._loaded = False
            raise

    def _plug_in(self, point: EntryPoint) -> None:
        try:
            found = point.load()
            if not isinstance(found, type | types.ModuleType):
                raise TypeError(f"expected a class or a module, found {found!r}")
            if isinstance(found, type) and found not in self._classes.values():
                self.register(found)
        except Exception as error:
            # A plug-in is somebody else's code: name it, whatever went wrong in it.
            home = point.dist.name if point.dist else point.value
            reason = (str(error).strip() or "no reason given").splitlines()[0]
            raise SummetryError(
                f"the {self.kind} plug-in {point.name!r} of {home} cannot be loaded: "
                f"{type(error).__name__}: {reason}; repair or uninstall {home}"
            ) from error


def _import_family(name: str) -> None:
    """Import a module, and all public modules of it and below it if it is a package."""
    found = importlib.import_module(name)
    for module in pkgutil.iter_modules(getattr(found, "__path__", ()), f"{name}."):
        if not module.name.rpartition(".")[2].startswith("_"):
            _import_family(module.name)


@cache
def _type_hints(cls: type[Any]) -> dict[str, Any]:
    # To look up what annotations stand for takes longer than a small call of a metric.
    return typing.get_type_hints(cls)


def configure(cls: type[T], name: str, options: Mapping[str, Any]) -> T:
    """``cls`` with these options, each checked against the type of its field."""
    hints = _type_hints(cls)  # type: ignore[arg-type]
    fields = dataclasses.fields(cls)  # type: ignore[arg-type]
    known = {spec.option_name(f): f for f in fields if f.init and f.name != "name"}
    settings = {}
    for key, value in options.items():
        if key not in known:
            raise SummetryError(
                f"{name} has no option {key!r}.{did_you_mean(key, known)} "
                f"Its options: {', '.join(known) or 'none'}."
            )
        field = known[key].name
        settings[field] = _fit(value, hints[field], f"{name}: {key}")
    missing = [key for key, f in known.items() if _is_required(f) and f.name not in settings]
    if missing:
        raise SummetryError(f"{name} needs a value for {', '.join(missing)}")
    return cls(**settings)


def _is_required(field: dataclasses.Field[Any]) -> bool:
    unset = dataclasses.MISSING
    return field.default is unset and field.default_factory is unset


def _fit(value: Any, hint: Any, where: str) -> Any:
    """``value`` as the type that ``hint`` asks for, or an error that says what it asks for."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is Literal:
        return _one_of(value, arguments, where)
    if origin in (Union, types.UnionType):
        return _first_that_fits(value, arguments, where)
    if origin is tuple:
        items = value if isinstance(value, tuple) else (value,)
        return tuple(_fit(item, arguments[0], where) for item in items)
    if hint is Any or ((hint is None or hint is type(None)) and value is None):
        return value
    if hint is float and isinstance(value, int | float) and not isinstance(value, bool):
        return _as_float(value, where)
    if hint is int and isinstance(value, float) and value.is_integer():
        return int(value)
    if hasattr(hint, "from_spec"):
        return hint.from_spec(value)
    if isinstance(hint, type) and type(value) is hint:
        return value
    raise SummetryError(f"{where} must be {_in_words(hint)}, got {_shown(value)}")


def _as_float(value: float, where: str) -> float:
    try:
        return float(value)
    except OverflowError:
        raise SummetryError(f"{where} must be a number, got one that is too large") from None


def _one_of(value: Any, allowed: tuple[Any, ...], where: str) -> Any:
    for choice in allowed:
        if value == choice and type(value) is type(choice):
            return choice
    names = [str(choice) for choice in allowed]
    raise SummetryError(
        f"{where} must be one of {', '.join(names)}, got {_shown(value)}."
        f"{did_you_mean(str(value), names)}"
    )


def _first_that_fits(value: Any, hints: tuple[Any, ...], where: str) -> Any:
    # The exact type first, so that `false` for `bool | str` stays a truth value.
    for hint in sorted(hints, key=lambda hint: type(value) is not hint):
        try:
            return _fit(value, hint, where)
        except SummetryError:
            continue
    wanted = " or ".join(_in_words(hint) for hint in hints)
    raise SummetryError(f"{where} must be {wanted}, got {_shown(value)}")


def _in_words(hint: Any) -> str:
    words = {int: "a whole number", float: "a number", bool: "true or false", str: "a word"}
    if hint is None or hint is type(None):
        return "none"
    if typing.get_origin(hint) is Literal:
        return "one of " + ", ".join(map(str, typing.get_args(hint)))
    return words.get(hint, getattr(hint, "__name__", str(hint)))


def _shown(value: Any) -> str:
    return str(value) if isinstance(value, Spec) else repr(value)
