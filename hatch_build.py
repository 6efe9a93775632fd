"""Compiles the kernel (``src/summetry/arrays/kernel``) when the package is built.

It takes the C compiler ``cc``, or the command that ``CC`` names. Where that does not work, zig does
it, which pip fetches for this build and takes away afterwards. Where there is neither, and with
``SUMMETRY_KERNEL=plain``, the package is built without the compiled library and runs in plain
Python. ``SUMMETRY_PLATFORM`` names another system to build for, always with zig: ``make wheels``
builds for all of them.
"""

import importlib.util
import os
import platform
import runpy
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ZIG = "ziglang==0.17.0"
PACKAGE = "summetry/arrays/kernel"
# No fused multiplications and nothing that changes the order of sums: the bits are to be the same
# with every compiler and on every processor, so CFLAGS are not read either.
FLAGS = ["-std=c11", "-O3", "-ffp-contract=off", "-Wall", "-Wextra", "-shared", "-fPIC",
         "-fvisibility=hidden"]  # fmt: skip
# The oldest macOS that the library runs on; its linker says itself that -s is obsolete.
MACOS = (11, 0)
# The platforms of wheels, as zig names them.
PLATFORMS = {
    "manylinux_2_17_x86_64": "x86_64-linux-gnu.2.17",
    "manylinux_2_17_aarch64": "aarch64-linux-gnu.2.17",
    "musllinux_1_2_x86_64": "x86_64-linux-musl",
    "musllinux_1_2_aarch64": "aarch64-linux-musl",
    "macosx_11_0_x86_64": "x86_64-macos.11.0",
    "macosx_11_0_arm64": "aarch64-macos.11.0",
    "win_amd64": "x86_64-windows-gnu",
    "win_arm64": "aarch64-windows-gnu",
}
SYSTEMS = {"macosx": "darwin", "win": "win32"}
NOT_COMPILED = (
    "Summetry is built WITHOUT its compiled part and will run in plain Python: the same values, "
    "but slower. For the compiled part, install a C compiler and install Summetry again."
)


class CompileError(Exception):
    """A compiler that does not compile; the message is what it printed."""


class Kernel(BuildHookInterface):
    def dependencies(self):
        """zig, where it is needed and can be had: a package that is missing would end the build."""
        if mistake := wrong_variable():
            self.app.abort(mistake)
        if asked_platform():
            return [ZIG]
        return [ZIG] if is_wanted() and not find_cc() and can_fetch_zig() else []

    def initialize(self, version, build_data):
        if mistake := wrong_variable():
            self.app.abort(mistake)
        is_editable = version == "editable"
        self.scratch = tempfile.TemporaryDirectory(prefix="summetry-kernel-")
        folder = Path(self.root, "src", PACKAGE)
        built = None
        if asked_platform() or is_wanted():
            try:
                built = self.compile(folder)
            except CompileError as error:
                # Who builds for another system wants that library. An editable install is that of
                # somebody who changes the sources, and wants to see what is wrong with them.
                if asked_platform() or (is_editable and find_compiler()):
                    if is_editable:
                        put_into_sources(None, folder)
                    self.app.abort(str(error))
                self.app.display_error(str(error))
        if not built:
            self.app.display_warning(NOT_COMPILED)
        if is_editable:
            put_into_sources(built, folder)
        elif built:
            build_data["force_include"][str(built)] = f"{PACKAGE}/{built.name}"
        if built:
            tag = asked_platform() or local_platform()
            build_data.update(pure_python=False, tag=f"py3-none-{tag}")

    def finalize(self, version, build_data, artifact_path):
        self.scratch.cleanup()

    def compile(self, folder):
        """The compiled library, in a folder of its own that lasts as long as the build."""
        asked = asked_platform()
        compiler = zig_for(asked) if asked else find_compiler()
        if not compiler:
            raise CompileError("There is no C compiler (`cc`, or CC=...), and pip has no zig.")
        self.app.display_info(f"compiling the kernel: {shlex.join(compiler)}")
        sources = runpy.run_path(str(folder / "built_from.py"))
        system = SYSTEMS.get((asked or local_platform()).partition("_")[0], "linux")
        name = sources["library_name"](system)
        number = f"-DSUMMETRY_SOURCES={sources['fingerprint'](folder)}"
        run(compiler, [*FLAGS, number, "-o", name, *map(str, sorted(folder.glob("*.c")))],
            Path(self.scratch.name))  # fmt: skip
        return Path(self.scratch.name, name)


def put_into_sources(built, folder):
    """The library where an editable install looks for it, and never one of older sources.

    It is put there in one step: a program that runs keeps the one that it has loaded."""
    if built:
        fresh = folder / f"{built.name}.new"
        fresh.write_bytes(built.read_bytes())
        fresh.replace(folder / built.name)
    for old in folder.glob("library.*"):
        if not built or old.name != built.name:
            old.unlink()


def wrong_variable():
    """What is wrong with a variable, or nothing."""
    kernel, named = os.environ.get("SUMMETRY_KERNEL", ""), os.environ.get("CC", "").strip()
    if kernel not in ("", "plain"):
        return (
            f"SUMMETRY_KERNEL can only be 'plain' while Summetry is installed, got {kernel!r}: "
            "take it away; another library is named when Summetry runs"
        )
    if kernel or not named or asked_platform() or shutil.which(shlex.split(named)[0]):
        return ""
    return f"CC names no program that is there: {named!r}; correct it, or take it away for `cc`"


def is_wanted():
    """Whether the kernel is to be compiled; every number that Python gives it has 64 bits."""
    return os.environ.get("SUMMETRY_KERNEL") != "plain" and sys.maxsize > 2**32


def asked_platform():
    asked = os.environ.get("SUMMETRY_PLATFORM", "")
    if asked and asked not in PLATFORMS:
        raise ValueError(f"SUMMETRY_PLATFORM can be {', '.join(PLATFORMS)}; got {asked!r}")
    return asked


def local_platform():
    """The tag of a wheel that is built here for this machine."""
    if sys.platform == "darwin":
        return f"macosx_{MACOS[0]}_{MACOS[1]}_{platform.machine()}"
    return sysconfig.get_platform().replace("-", "_").replace(".", "_")


def find_compiler():
    """The command that compiles for this machine; none where there is no compiler."""
    return find_cc() or (zig_for(local_platform()) if has_zig() else [])


def find_cc():
    """The C compiler of this machine, if it can make a library: a name on the path may be a stub
    that offers to install one, or a compiler without the C library's headers."""
    named = os.environ.get("CC")
    if sys.platform == "win32" and not named:
        return []
    compiler = shlex.split(named or "cc")
    if sys.platform == "darwin":
        version = f"-mmacosx-version-min={MACOS[0]}.{MACOS[1]}"
        compiler += ["-arch", platform.machine(), version]
    else:
        compiler += ["-s"]
    with tempfile.TemporaryDirectory(prefix="summetry-kernel-") as folder:
        Path(folder, "trial.c").write_text("#include <stdlib.h>\nint trial(void) { return 0; }\n")
        try:
            run(compiler, [*FLAGS, "-o", "trial", "trial.c"], folder)
        except CompileError:
            return []
    return compiler


def has_zig():
    return importlib.util.find_spec("ziglang") is not None


def zig_for(tag):
    """zig's compiler for a platform, or for the C library of this machine."""
    # Without a target zig would take all that this processor can; a wheel may meet an older one.
    target = ["-target", PLATFORMS[tag]] if tag in PLATFORMS else ["-mcpu=baseline"]
    return [sys.executable, "-m", "ziglang", "cc", *target, "-s"]


def can_fetch_zig():
    """Whether pip can have zig; true where there is no pip: something else installs, then."""
    # Isolated from the environment of the build, in which there is no pip.
    pip = [sys.executable, "-I", "-m", "pip"]
    if subprocess.run([*pip, "--version"], capture_output=True).returncode:
        return True
    dry = ["install", "--dry-run", "--no-deps", "--ignore-installed", "--retries", "1", ZIG]
    return not subprocess.run([*pip, *dry], capture_output=True).returncode


def run(compiler, arguments, folder):
    """Run a compiler in a folder; what it leaves there, such as zig's cache, goes with it."""
    cache = {"ZIG_GLOBAL_CACHE_DIR": str(Path(folder, "zig-cache"))}
    try:
        done = subprocess.run([*compiler, *arguments], cwd=folder, env={**cache, **os.environ},
                              capture_output=True, text=True, errors="replace")  # fmt: skip
    except OSError as error:
        raise CompileError(f"{compiler[0]}: {error}") from error
    if done.returncode:
        raise CompileError(f"{shlex.join(compiler)} failed:\n{done.stdout}{done.stderr}")
    if done.stderr:
        print(done.stderr, file=sys.stderr)
