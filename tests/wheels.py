"""Looks into the wheels that `make wheels` built, and tries the one for this machine."""

import re
import struct
import subprocess
import sys
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
KERNEL = "summetry/arrays/kernel/"
# What the first bytes of a library say of its processor, by the end of a wheel's tag.
ELF = {"x86_64": 62, "aarch64": 183}
MACH_O = {"x86_64": 0x01000007, "arm64": 0x0100000C}
PE = {"amd64": 0x8664, "arm64": 0xAA64}
# Prints whether the compiled library runs, and scores.
TRIAL = """
import summetry
from summetry.arrays import kernel
texts = [f"The ferry hit pier {i}, and {i % 7} people were hurt." for i in range(100)]
others = [f"A ferry hit a pier; {i % 5} people of {i} were hurt there." for i in range(100)]
metrics = ["rouge1", "rouge-2", "rougeL", "rouge-l", "autosummeng"]
scores = summetry.score(texts, others, metrics=metrics)
print(kernel.is_compiled(), [scores[name].f.tolist() for name in metrics[:4]], scores.mean())
"""


def processor(library: bytes) -> tuple[str, int]:
    """The form of a compiled library, and its number for the processor.

    >>> processor(b"\\x7fELF" + bytes(14) + b"\\xb7\\x00" + bytes(50))
    ('ELF', 183)
    """
    if library.startswith(b"\x7fELF"):
        return "ELF", struct.unpack_from("<H", library, 18)[0]
    if library.startswith(b"\xcf\xfa\xed\xfe"):
        return "Mach-O", struct.unpack_from("<I", library, 4)[0]
    assert library.startswith(b"MZ"), f"no library begins with {library[:4]!r}"
    (header,) = struct.unpack_from("<I", library, 60)
    return "PE", struct.unpack_from("<H", library, header + 4)[0]


def expected_processor(tag: str) -> tuple[str, int]:
    """What :func:`processor` gives for the library in a wheel with a tag.

    >>> expected_processor("win_arm64")
    ('PE', 43620)
    """
    for start, form, numbers in (("win", "PE", PE), ("macosx", "Mach-O", MACH_O), ("", "ELF", ELF)):
        if tag.startswith(start):
            return form, next(numbers[end] for end in numbers if tag.endswith(end))
    raise AssertionError(tag)


def functions(sources: dict[str, bytes]) -> set[str]:
    """The functions that Python calls, from the C files."""
    return set(re.findall(r"^API Int (\w+)\(", b"\n".join(sources.values()).decode(), flags=re.M))


def newest_glibc(library: bytes) -> tuple[int, ...]:
    """The newest version of the C library of Linux that a library asks for."""
    versions = re.findall(rb"GLIBC_(\d+(?:\.\d+)+)", library)
    return max((tuple(map(int, v.split(b"."))) for v in versions), default=(0,))


def check_wheel(path: Path) -> None:
    """Fail where a wheel lacks the library of its platform, or a function in it."""
    tag = path.stem.partition("py3-none-")[2]
    content = zipfile.ZipFile(path)
    libraries = [name for name in content.namelist() if name.startswith(f"{KERNEL}library.")]
    assert len(libraries) == 1, f"{path.name} has {libraries}"
    library = content.read(libraries[0])
    sources = {name: content.read(name) for name in content.namelist() if name.endswith(".c")}
    assert processor(library) == expected_processor(tag), path.name
    lacking = {name for name in functions(sources) if f"{name}\0".encode() not in library}
    assert not lacking and functions(sources), f"{path.name} lacks {lacking}"
    assert newest_glibc(library) <= (2, 17), path.name
    size, inside = path.stat().st_size, len(library)
    print(f"{path.name}: {size / 1e6:.1f} MB, the library {inside / 1e3:.0f} kB")


def try_wheel(folder: Path) -> None:
    """Install the wheel of this machine in a fresh environment; both ways give the same values."""
    with tempfile.TemporaryDirectory(prefix="summetry wheel ") as home:
        venv.create(home, with_pip=True)
        python = Path(home, "Scripts" if sys.platform == "win32" else "bin", "python")
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        # First our wheel, which pip chooses from the folder alone; then what it needs.
        own = ["--no-index", "--no-deps", "--find-links", str(folder.resolve())]
        versions = ["-c", str(ROOT / "constraints.txt")]
        for options in (own, versions):
            subprocess.run([*pip, *options, "summetry"], check=True, cwd=home)

        def run(*command: str, **environment: str) -> str:
            done = subprocess.run([str(python), "-W", "error", *command], cwd=home, check=True,
                                  capture_output=True, text=True, env=environment)  # fmt: skip
            return done.stdout

        print(run("-m", "summetry", "--version").strip(), "in a fresh environment")
        compiled = run("-c", TRIAL)
        plain = run("-c", TRIAL, SUMMETRY_KERNEL="plain")
        assert compiled.startswith("True ") and plain.startswith("False "), compiled[:99]
        assert compiled.partition(" ")[2] == plain.partition(" ")[2], "compiled and plain differ"
        print("the compiled library runs, and has the values of plain Python")


def main(folder: Path) -> None:
    wheels = sorted(folder.glob("*.whl"))
    assert wheels, f"there are no wheels in {folder}"
    for path in wheels:
        check_wheel(path)
    try_wheel(folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
