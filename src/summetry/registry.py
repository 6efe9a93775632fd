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
import re
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

import msgspec

from summetry import spec
from summetry.errors import (
    PlugInError,
    SummetryError,
    UnknownNameError,
    did_you_mean,
    next_sentence,
    warn,
)
from summetry.installed import entry_points
from summetry.spec import Spec

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

T = TypeVar("T")

# Text pipelines that live with the family of metrics for which they are made.
_WITH_THEIR_FAMILY = {
    "text pipeline": (
        "summetry.metrics.graphs.raw_text",
        "summetry.metrics.rouge.texts",
    )
}


class Registry(Generic[T]):
    """Named classes of one kind, found in one package and in its plug-ins.

    A plug-in that cannot be loaded is named in a warning, once, and takes nothing else with it.
    """

    def __init__(self, kind: str, package: str, base: type[Any] = object) -> None:
        self.kind = kind
        self.package = package
        # What a class of this kind derives from, or a protocol that it follows.
        self.base = base
        self._classes: dict[str, type[T]] = {}
        self._aliases: dict[str, str] = {}
        # The distribution that each plugged-in class comes from, with its version.
        self._plug_ins: dict[type[T], str] = {}
        # Why a plug-in cannot be loaded, by the name of its entry point.
        self._broken: dict[str, str] = {}
        self._from_function: Callable[[Any, str], T] | None = None
        # What to say of names that people look for and that are not here.
        self.elsewhere: Callable[[str], str] = lambda name: ""
        self._loaded = False
        self._has_plug_ins = False

    def accept_functions(self, convert: Callable[[Any, str], T]) -> None:
        """Let plug-ins be plain functions; ``convert`` makes one a thing of this kind."""
        self._from_function = convert

    def register(self, cls: type[T]) -> type[T]:
        """Class decorator: make ``cls`` available under ``cls.name`` and ``cls.aliases``."""
        named: Any = cls
        if not dataclasses.is_dataclass(cls):
            raise SummetryError(f"{cls} must be a dataclass: its fields are its options")
        self._check_base(cls)
        for name in (named.name, *getattr(named, "aliases", {})):
            if spec.parse(name).name != name:
                raise SummetryError(f"{cls} is named {name!r}, which nobody can spell")
            known = self._known_as(name)
            if known:
                taken = self._classes.get(known) or self._aliases[known]
                raise SummetryError(f"two {self.kind}s are named {name!r}: {cls} and {taken}")
        self._classes[named.name] = cls
        self._aliases.update(getattr(named, "aliases", {}))
        return cls

    def names(self) -> list[str]:
        self._load()
        return sorted(self._classes)

    def names_among(self, modules: Iterable[str]) -> list[str]:
        """The names in these modules of the package, and whatever others plug in.

        The rest of the package is not imported for it.
        """
        homes = {f"{self.package}.{module}" for module in modules}
        for home in homes:
            importlib.import_module(home)
        self._load_plug_ins()
        ours = f"{self.package}."
        return sorted(
            name
            for name, cls in self._classes.items()
            if cls.__module__ in homes or not cls.__module__.startswith(ours)
        )

    def aliases(self) -> dict[str, str]:
        """Other spellings people type, and what each stands for."""
        self._load()
        return dict(sorted(self._aliases.items()))

    def has(self, name: str) -> bool:
        """Whether a class or an alias has this name, in capitals or not."""
        if not self._loaded and not self._found_at_home(name):
            self._load()
        return self._known_as(name) is not None

    def _known_as(self, name: str) -> str | None:
        """The name of a class or an alias, as it is registered; case does not matter."""
        if name in self._classes or name in self._aliases:
            return name
        known = (*self._classes, *self._aliases)
        return next((other for other in known if other.lower() == name.lower()), None)

    def plug_in_of(self, cls: type[T]) -> str:
        """The distribution that a class was plugged in by, with its version, or nothing."""
        if cls.__module__.partition(".")[0] == self.package.partition(".")[0]:
            return ""
        self._load()
        return self._plug_ins.get(cls, "")

    def get(self, name: str) -> type[T]:
        if not self.has(name):
            if name in self._broken:
                raise PlugInError(self._broken[name])
            if elsewhere := self.elsewhere(name):
                raise SummetryError(elsewhere)
            raise UnknownNameError(self.kind, name, [*self._classes, *self._aliases])
        known = self._known_as(name) or name
        meant = self._aliases.get(known)
        return self._classes[spec.parse(meant).name if meant else known]

    def build(self, text: str | Spec) -> T:
        """Make the object that ``text`` spells, e.g. ``coselection(beta=2)``."""
        asked = spec.parse(text) if isinstance(text, str) else text
        cls = self.get(asked.name)
        if asked.pick and not hasattr(cls, "values"):
            raise SummetryError(
                f"{asked}: a dot picks a value of a metric; a {self.kind} has none, "
                f"leave out .{asked.pick}"
            )
        alias = self._aliases.get(self._known_as(asked.name) or "")
        meant = spec.parse(alias) if alias else Spec(cls.name)  # type: ignore[attr-defined]
        options = {**meant.options, **asked.options}
        expand = getattr(cls, "expand_options", dict)
        return configure(cls, meant.name, expand(options))

    def where(self, name: str) -> str:
        """The file and line that define ``name``."""
        cls: Any = self.get(name)
        # A class that was made from a plain function is defined where the function is.
        source = getattr(cls, "function", cls)
        return f"{Path(inspect.getfile(source))}:{inspect.getsourcelines(source)[1]}"

    def _check_base(self, cls: type[Any]) -> None:
        """Refuse a class that is not derived from the base, or lacks what that declares."""
        base = self.base
        is_protocol = getattr(base, "_is_protocol", False)
        if not is_protocol and not issubclass(cls, base):
            home = f"{base.__module__}.{base.__qualname__}"
            raise SummetryError(f"{cls} must derive from {home}, as every {self.kind} does")
        declared = [*inspect.get_annotations(base), *getattr(base, "__abstractmethods__", ())]
        abstract = getattr(cls, "__abstractmethods__", ())
        missing = sorted({m for m in declared if not hasattr(cls, m)} | set(abstract))
        if missing:
            raise SummetryError(f"{cls} has no {', '.join(missing)}, which a {self.kind} needs")

    def _found_at_home(self, name: str) -> bool:
        """Whether the module that is called like ``name``, or like its beginning, defines it.

        Most calls want one thing or two, and to import all there are takes a while.
        """
        # Of rouge-1 and ROUGE1 the letters name the family.
        letters = re.match("[a-z][a-z_]*", name.lower())
        home = letters.group() if letters else ""
        while home and self._known_as(name) is None:
            with contextlib.suppress(ModuleNotFoundError):
                _import_family(f"{self.package}.{home}")
            home = home.rpartition("_")[0]
        if self._known_as(name) is None:
            self._load_from_families()
        return self._known_as(name) is not None

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
            self._load_plug_ins()
        except BaseException:
            # Half a list must not pass for the whole one when somebody asks again.
            self._loaded = False
            raise

    def _load_plug_ins(self) -> None:
        if self._has_plug_ins:
            return
        self._has_plug_ins = True
        try:
            for point in entry_points(self.package):
                self._plug_in(point)
        except BaseException:
            self._has_plug_ins = False
            raise

    def _plug_in(self, point: EntryPoint) -> None:
        home = f"{point.dist.name} {point.dist.version}" if point.dist else point.module
        before = dict(self._classes), dict(self._aliases)
        try:
            loaded = point.load()
            if self._from_function and inspect.isroutine(loaded):
                loaded = type(self._from_function(loaded, point.name))
            if not isinstance(loaded, type | types.ModuleType):
                expected = "a class, a function" if self._from_function else "a class"
                raise TypeError(f"expected {expected} or a module, found {loaded!r}")
            if isinstance(loaded, type) and loaded not in self._classes.values():
                self.register(loaded)
        except (Exception, SystemExit) as error:
            # A plug-in is somebody else's code: name it, whatever went wrong in it.
            self._classes, self._aliases = before
            reason = (str(error).strip() or "no reason given").splitlines()[0]
            self._broken[point.name] = (
                f"the {self.kind} plug-in {point.name!r} of {home} cannot be loaded: "
                f"{type(error).__name__}: {reason}; repair or uninstall it"
            )
            warn(self._broken[point.name])
            return
        # One that was imported before the plug-ins were is registered already.
        top = point.module.partition(".")[0]
        for cls in self._classes.values():
            if cls is loaded or cls.__module__.partition(".")[0] == top:
                self._plug_ins[cls] = home


def _import_family(name: str) -> None:
    """Import a module, and all public modules of it and below it if it is a package."""
    family = importlib.import_module(name)
    for module in pkgutil.iter_modules(getattr(family, "__path__", ()), f"{name}."):
        if not module.name.rpartition(".")[2].startswith("_"):
            _import_family(module.name)


# To look up what annotations stand for takes longer than a small call of a metric.
_type_hints = cache(typing.get_type_hints)


def configure(cls: type[T], name: str, options: Mapping[str, Any]) -> T:
    """``cls`` with these options, each checked against the type of its field."""
    hints = _type_hints(cls)  # type: ignore[arg-type]
    fields = dataclasses.fields(cls)  # type: ignore[arg-type]
    known = {spec.option_name(f): f for f in fields if f.init and f.name != "name"}
    settings = {}
    for key, value in options.items():
        if key not in known:
            names = [*known, *getattr(cls, "short_options", tuple)()]
            raise SummetryError(
                f"{name} has no option {key!r}.{did_you_mean(key, names)} "
                f"Its options: {', '.join(names) or 'none'}."
            )
        field = known[key].name
        settings[field] = _converted(value, hints[field], f"{name}: {key}")
    unset = dataclasses.MISSING
    required = {k: f.name for k, f in known.items() if f.default is f.default_factory is unset}
    missing = [key for key, field in required.items() if field not in settings]
    if missing:
        raise SummetryError(f"{name} needs a value for {', '.join(missing)}")
    return cls(**settings)


def _converted(value: Any, hint: Any, where: str) -> Any:
    """``value`` as the type that ``hint`` asks for, or an error that says what it asks for."""
    listed = _item_type(hint)
    if listed is not None and value is not None:
        # A single one needs no brackets.
        items = value if isinstance(value, tuple) else (value,)
        return tuple(_converted(item, listed, where) for item in items)
    if hasattr(hint, "from_spec"):
        return hint.from_spec(value)
    # 2.0 is a whole number, too.
    kinds = typing.get_args(hint) or (hint,)
    is_whole = isinstance(value, float) and value.is_integer()
    is_whole = is_whole and int in kinds and float not in kinds
    try:
        return msgspec.convert(int(value) if is_whole else value, hint)
    except msgspec.ValidationError as error:
        shown = str(value) if isinstance(value, Spec) else repr(value)
        if "out of range" in str(error):
            shown = "one that is too large"
        if hint is str and isinstance(value, int | float):
            shown += f'; "{value}" in quotation marks is one'
        if typing.get_origin(hint) is Literal:
            shown += next_sentence(did_you_mean(value, map(str, typing.get_args(hint))))
        raise SummetryError(f"{where} must be {_in_words(hint)}, got {shown}") from None


def _item_type(hint: Any) -> Any:
    """What the items of a list option are, which may also be left out; None for other options."""
    for option in (hint, *typing.get_args(hint)):
        if typing.get_origin(option) is tuple:
            return typing.get_args(option)[0]
    return None


def _in_words(hint: Any) -> str:
    words = {int: "a whole number", float: "a number", bool: "true or false", str: "a word"}
    arguments = typing.get_args(hint)
    if typing.get_origin(hint) is Literal:
        return "one of " + ", ".join(map(str, arguments))
    if arguments:
        return " or ".join(map(_in_words, arguments))
    return "none" if hint is type(None) else words.get(hint, str(hint))
