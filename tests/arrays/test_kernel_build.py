"""How the kernel is compiled and shipped: with a compiler, with zig, and with neither."""

import subprocess
import sys
import tarfile
import zipfile

import pytest
from built_kernels import (
    KERNEL,
    ROOT,
    build,
    build_script,
    copy_project,
    environment,
    fresh_environment,
    needs_cc,
)
from wheels import TRIAL

from summetry.arrays.kernel.built_from import library_name

pytestmark = pytest.mark.install
HATCH_BUILD = build_script()
NOTE = "Summetry runs in plain Python, with the same values but slower"
needs_no_zig = pytest.mark.skipif(HATCH_BUILD.has_zig(), reason="zig is installed beside the tests")
needs_posix = pytest.mark.skipif(sys.platform == "win32", reason="folders are named as on Linux")


@pytest.fixture
def project(tmp_path):
    """A copy of the project in a path with a blank."""
    folder = tmp_path / "a clone"
    folder.mkdir()
    return copy_project(folder)


def unpacked(wheels, into):
    (wheel,) = wheels.glob("*.whl")
    with zipfile.ZipFile(wheel) as content:
        content.extractall(into)
    return wheel.name


def tried(python=None, arguments=("-c", TRIAL), packages=ROOT / "src", **variables):
    """What a child prints: with the packages of a folder, or with those of another Python."""
    folder = {} if python else {"PYTHONPATH": str(packages)}
    command = [str(python or sys.executable), "-W", "always", *arguments]
    return subprocess.run(command, capture_output=True, text=True,
                          env=environment(compiler=True, **folder, **variables))  # fmt: skip


@needs_cc
def test_a_library_of_older_sources_is_not_called(project, tmp_path):
    assert build(project, "editable", tmp_path / "wheels", compiler=True).returncode == 0
    assert tried(packages=project / "src").stdout.startswith("True ")
    with (project / KERNEL / "tokens.c").open("a") as source:
        source.write("\n")
    noted = tried(packages=project / "src")
    assert noted.stdout.startswith("False ")
    assert "the C files were changed after the compiled part" in " ".join(noted.stderr.split())


@needs_cc
def test_a_wheel_has_the_library_of_its_own_sources(project, tmp_path):
    (project / KERNEL / library_name()).write_text("left from an editable install")
    done = build(project, "wheel", tmp_path / "wheels", compiler=True)
    assert done.returncode == 0, done.stderr
    name = unpacked(tmp_path / "wheels", tmp_path / "site")
    assert name.endswith(f"-py3-none-{HATCH_BUILD.local_platform()}.whl")
    compiled = tried(packages=tmp_path / "site")
    plain = tried(packages=tmp_path / "site", SUMMETRY_KERNEL="plain")
    assert compiled.stdout == plain.stdout.replace("False", "True", 1)
    assert not compiled.stderr and not plain.stderr
    # The build of a wheel leaves the source tree as it is.
    assert (project / KERNEL / library_name()).read_text() == "left from an editable install"


@needs_no_zig
def test_without_a_compiler_and_zig_a_wheel_is_plain_python(project, tmp_path):
    (project / KERNEL / library_name()).write_text("left from an editable install")
    done = build(project, "wheel", tmp_path / "wheels", compiler=False)
    assert done.returncode == 0 and "WITHOUT its compiled part" in done.stderr
    assert unpacked(tmp_path / "wheels", tmp_path / "site").endswith("-py3-none-any.whl")
    noted = tried(packages=tmp_path / "site")
    assert noted.stderr.count(NOTE) == 1
    assert noted.stdout == tried(packages=tmp_path / "site", SUMMETRY_KERNEL="plain").stdout


@needs_cc
def test_a_c_file_that_does_not_compile_makes_a_plain_wheel(project, tmp_path):
    (project / KERNEL / "tokens.c").write_text("no C")
    done = build(project, "wheel", tmp_path / "wheels", compiler=True)
    assert done.returncode == 0 and "WITHOUT its compiled part" in done.stderr
    assert "tokens.c:1" in done.stderr


@needs_cc
def test_a_c_file_that_does_not_compile_ends_an_editable_install(project, tmp_path):
    """Whoever changed the file is to see what is wrong with it."""
    (project / KERNEL / "tokens.c").write_text("no C")
    (project / KERNEL / library_name()).write_text("old")
    done = build(project, "editable", tmp_path / "wheels", compiler=True)
    assert done.returncode and "tokens.c:1" in done.stderr
    assert not list((project / KERNEL).glob("library.*"))


@needs_no_zig
def test_an_editable_install_without_a_compiler_leaves_no_old_library(project, tmp_path):
    (project / KERNEL / library_name()).write_text("old")
    done = build(project, "editable", tmp_path / "wheels", compiler=False)
    assert done.returncode == 0 and "WITHOUT its compiled part" in done.stderr
    assert not list((project / KERNEL).glob("library.*"))


@needs_cc
def test_the_source_archive_can_be_compiled(project, tmp_path):
    assert build(project, "sdist", tmp_path / "dist", compiler=False).returncode == 0
    (archive,) = (tmp_path / "dist").glob("*.tar.gz")
    with tarfile.open(archive) as content:
        content.extractall(tmp_path / "archive", filter="data")
    (folder,) = (tmp_path / "archive").iterdir()
    assert (folder / "hatch_build.py").is_file() and not list(folder.rglob("library.*"))
    assert build(folder, "wheel", tmp_path / "wheels", compiler=True).returncode == 0
    unpacked(tmp_path / "wheels", tmp_path / "site")
    assert (tmp_path / "site" / "summetry" / "arrays" / "kernel" / library_name()).is_file()


@needs_cc
def test_the_kernel_compiles_without_a_warning(tmp_path):
    sources = map(str, (ROOT / KERNEL).glob("*.c"))
    arguments = [*HATCH_BUILD.FLAGS, "-Werror", "-pedantic", "-o", "library", *sources]
    HATCH_BUILD.run(HATCH_BUILD.find_cc(), arguments, tmp_path)


def installed(project, tmp_path, options, *, compiler, **variables):
    """The Python of a fresh environment in a path with a blank, in which pip installed Summetry."""
    python = fresh_environment(tmp_path / "a venv")
    # What is installed beside it is not to be taken away.
    command = [str(python), "-m", "pip", "install", "--ignore-installed", "--no-deps"]
    command += [*options, str(project)]
    done = subprocess.run(command, capture_output=True, text=True,
                          env=environment(compiler=compiler, **variables))  # fmt: skip
    assert done.returncode == 0, done.stderr
    return python


def is_compiled_with_equal_values(python):
    compiled, plain = tried(python), tried(python, SUMMETRY_KERNEL="plain")
    assert plain.stdout.startswith("False ") and not plain.stderr
    assert compiled.stdout.partition(" ")[2] == plain.stdout.partition(" ")[2]
    return compiled.stdout.startswith("True ") and not compiled.stderr


@needs_cc
@needs_posix
@pytest.mark.parametrize("kind", [[], ["--editable"]])
def test_pip_installs_with_a_compiler(project, tmp_path, kind):
    options = ["--no-build-isolation", "--no-index", *kind]
    python = installed(project, tmp_path, options, compiler=True)
    assert is_compiled_with_equal_values(python)
    assert (project / KERNEL / library_name()).exists() == bool(kind)


@needs_posix
@pytest.mark.parametrize("kind", [[], ["--editable"]])
def test_pip_fetches_zig_where_there_is_no_compiler(project, tmp_path, kind):
    if not HATCH_BUILD.can_fetch_zig():
        pytest.skip("pip cannot fetch zig here")
    python = installed(project, tmp_path, kind, compiler=False)
    assert is_compiled_with_equal_values(python)


@needs_posix
def test_pip_installs_from_an_index_that_has_no_zig(project, tmp_path):
    fetch = [sys.executable, "-m", "pip", "download", "--dest", str(tmp_path / "index")]
    if subprocess.run([*fetch, "hatchling==1.33.0"], capture_output=True).returncode:
        pytest.skip("pip cannot fetch hatchling here")
    index = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": (tmp_path / "index").as_uri()}
    python = installed(project, tmp_path, [], compiler=False, **index)
    assert tried(python).stderr.count(NOTE) == 1
