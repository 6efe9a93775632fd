"""Builds of the kernel for tests: the build script, copies of the project, environments."""

import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
KERNEL = Path("src", "summetry", "arrays", "kernel")


def build_script():
    """The module ``hatch_build.py``, which compiles the kernel."""
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


needs_cc = pytest.mark.skipif(
    not build_script().find_cc(), reason="no C compiler: install one, such as gcc"
)


def copy_project(folder):
    """A copy of what is needed to build the package, as a fresh clone has it."""
    generated = shutil.ignore_patterns("__pycache__", "library.*")
    shutil.copytree(ROOT / "src", folder / "src", ignore=generated)
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    return folder


def environment(*, compiler, **variables):
    """The variables for a child process, on a path with a compiler or without one."""
    kept = {name: value for name, value in os.environ.items() if name not in ("CC", "PYTHONPATH")}
    kept.pop("SUMMETRY_KERNEL", None)
    if not compiler:
        # Only this Python; nothing else of the system is on the path.
        kept["PATH"] = str(Path(sys.executable).parent)
    return {**kept, **variables}


def build(project, kind, into, **variables):
    """Build a wheel, an sdist or an editable wheel as pip would; what the build printed."""
    into.mkdir(exist_ok=True)
    code = f"import sys; from hatchling.build import build_{kind} as build; build(sys.argv[1])"
    command = [sys.executable, "-c", code, str(into)]
    return subprocess.run(command, cwd=project, capture_output=True, text=True,
                          env=environment(**variables))  # fmt: skip


def fresh_environment(folder):
    """The Python of a new environment, which has our packages, pip too, but not Summetry."""
    venv.create(folder)
    python = folder / "bin" / "python"
    ask = [str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    packages = subprocess.run(ask, capture_output=True, text=True, check=True).stdout.strip()
    # The names of a folder are found through it; its own .pth files, such as that of our editable
    # install, are not read.
    Path(packages, "ours.pth").write_text(sysconfig.get_path("purelib"))
    return python
