"""How the kernel is compiled, shipped and found: with a compiler, with zig, and with neither."""

import re
import shutil
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
)
from wheels import TRIAL, expected_processor, functions

from summetry.arrays import kernel
from summetry.arrays.kernel.built_from import fingerprint, library_name
from summetry.errors import SummetryError, SummetryWarning

HATCH_BUILD = build_script()
NOTE = "Summetry runs in plain Python, with the same values but slower"
needs_cc = pytest.mark.skipif(not HATCH_BUILD.find_cc(), reason="there is no C compiler here")
needs_no_zig = pytest.mark.skipif(HATCH_BUILD.has_zig(), reason="zig is installed beside the tests")
needs_posix = pytest.mark.skipif(sys.platform == "win32", reason="folders are named as on Linux")


@pytest.fixture
def project(tmp_path):
    """A copy of the project in a path with a blank."""
    folder = tmp_path / "a clone"
    folder.mkdir()
    return copy_project(folder)


@pytest.fixture
def loading(monkeypatch):
    """The kernel is looked for again, in the test and after it."""
    monkeypatch.delenv("SUMMETRY_KERNEL", raising=False)
    kernel._library.cache_clear()
    yield monkeypatch
    kernel._library.cache_clear()


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


# The library that runs


@needs_cc
def test_the_library_that_runs_is_built_from_the_sources_that_are_there(loading):
    assert kernel.is_compiled()
    built_from = kernel.call("built_from")
    assert built_from, "the library was compiled by hand; `make test` compiles it"
    assert built_from == fingerprint(kernel.LIBRARY.parent)


def test_the_number_of_the_sources_changes_with_each_name_and_byte(tmp_path):
    (tmp_path / "a.c").write_text("int a;")
    (tmp_path / "b.h").write_text("int b;")
    (tmp_path / "notes.txt").write_text("not compiled")
    first = fingerprint(tmp_path)
    assert 0 < first < 2**63
    (tmp_path / "notes.txt").write_text("still not")
    assert fingerprint(tmp_path) == first
    (tmp_path / "b.h").write_text("int c;")
    second = fingerprint(tmp_path)
    (tmp_path / "b.h").rename(tmp_path / "c.h")
    assert len({first, second, fingerprint(tmp_path)}) == 3


def test_a_missing_library_is_noted_once(loading, tmp_path):
    loading.setattr(kernel, "LIBRARY", tmp_path / library_name())
    with pytest.warns(SummetryWarning, match=f"{NOTE}: the compiled part is missing") as notes:
        assert not kernel.is_compiled()
        assert not kernel.is_compiled()
    assert len(notes) == 1


def test_a_file_that_is_no_library_is_noted(loading, tmp_path):
    loading.setattr(kernel, "LIBRARY", tmp_path / library_name())
    kernel.LIBRARY.write_text("no library")
    with pytest.warns(SummetryWarning, match=NOTE):
        assert not kernel.is_compiled()


@needs_cc
def test_a_library_of_older_sources_is_not_called(loading, project, tmp_path):
    assert build(project, "editable", tmp_path / "wheels", compiler=True).returncode == 0
    loading.setattr(kernel, "LIBRARY", project / KERNEL / library_name())
    assert kernel.is_compiled()
    kernel._library.cache_clear()
    with (project / KERNEL / "tokens.c").open("a") as source:
        source.write("\n")
    with pytest.warns(SummetryWarning, match="the C files were changed after the compiled part"):
        assert not kernel.is_compiled()


def test_plain_python_can_be_asked_for(loading):
    loading.setenv("SUMMETRY_KERNEL", "plain")
    assert not kernel.is_compiled()


def test_another_word_than_plain_is_an_error(loading):
    loading.setenv("SUMMETRY_KERNEL", "other")
    match = "SUMMETRY_KERNEL can be 'plain' or the path of a compiled library, got 'other': no such"
    with pytest.raises(SummetryError, match=match):
        kernel.is_compiled()


def test_a_path_that_is_no_library_is_an_error(loading):
    loading.setenv("SUMMETRY_KERNEL", __file__)
    with pytest.raises(SummetryError, match="SUMMETRY_KERNEL can be 'plain' or the path"):
        kernel.is_compiled()


@needs_cc
def test_another_library_can_be_named(loading, tmp_path):
    other = shutil.copy(kernel.LIBRARY, tmp_path / "a library")
    loading.setenv("SUMMETRY_KERNEL", str(other))
    assert kernel.is_compiled() and kernel._library()._name == str(other)


def test_a_command_says_in_one_line_that_the_variable_is_wrong(tmp_path):
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("the ferry hit the pier")
    files = ["--candidate", tmp_path / "a.txt", "--reference", tmp_path / "b.txt"]
    arguments = ["-m", "summetry", "score", *map(str, files)]
    done = tried(arguments=arguments, SUMMETRY_KERNEL="other")
    assert done.returncode and not done.stdout
    assert "SUMMETRY_KERNEL can be 'plain'" in done.stderr and "Traceback" not in done.stderr


# The build


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


@pytest.mark.parametrize(
    ("variable", "message"),
    [
        ({"CC": "/no/such/cc -O1"}, "CC names no program that is there: '/no/such/cc -O1'; "),
        ({"SUMMETRY_KERNEL": "nonsense"}, "SUMMETRY_KERNEL can only be 'plain' while Summetry is"),
    ],
)
def test_a_variable_that_is_wrong_ends_the_build_before_zig_is_fetched(
    project, tmp_path, monkeypatch, variable, message
):
    done = build(project, "wheel", tmp_path / "wheels", compiler=True, **variable)
    assert done.returncode and message in done.stderr and "Traceback" not in done.stderr
    monkeypatch.delenv("SUMMETRY_KERNEL", raising=False)
    for name, value in variable.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SystemExit):
        HATCH_BUILD.Kernel(None, {}, None, None, "", "wheel").dependencies()


def test_the_variable_leaves_the_compiled_part_out(project, tmp_path):
    done = build(project, "wheel", tmp_path / "wheels", compiler=True, SUMMETRY_KERNEL="plain")
    assert done.returncode == 0 and "WITHOUT its compiled part" in done.stderr
    assert unpacked(tmp_path / "wheels", tmp_path / "site").endswith("-py3-none-any.whl")


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


def test_zig_is_asked_for_only_where_there_is_no_compiler_and_it_can_be_had(monkeypatch):
    hook = HATCH_BUILD.Kernel(None, {}, None, None, "", "wheel")
    monkeypatch.delenv("SUMMETRY_KERNEL", raising=False)
    monkeypatch.delenv("SUMMETRY_PLATFORM", raising=False)
    asked = {}
    for has_cc in (True, False):
        for can_fetch in (True, False):
            monkeypatch.setattr(HATCH_BUILD, "find_cc", lambda found=has_cc: ["cc"] * found)
            monkeypatch.setattr(HATCH_BUILD, "can_fetch_zig", lambda found=can_fetch: found)
            asked[has_cc, can_fetch] = hook.dependencies()
    assert asked.pop((False, True)) == [HATCH_BUILD.ZIG]
    assert list(asked.values()) == [[], [], []]
    monkeypatch.setattr(HATCH_BUILD, "can_fetch_zig", lambda: True)
    monkeypatch.setenv("SUMMETRY_KERNEL", "plain")
    assert hook.dependencies() == []


def test_zig_cannot_be_had_without_an_index(monkeypatch):
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    assert not HATCH_BUILD.can_fetch_zig()


def test_an_unknown_platform_is_an_error(monkeypatch):
    monkeypatch.setenv("SUMMETRY_PLATFORM", "amiga")
    with pytest.raises(ValueError, match=r"SUMMETRY_PLATFORM can be .*win_arm64; got 'amiga'"):
        HATCH_BUILD.asked_platform()


# The project's files


def test_make_builds_wheels_for_every_platform():
    makefile = (ROOT / "Makefile").read_text().replace("\\\n", " ")
    assert re.search(r"^PLATFORMS := (.*)$", makefile, flags=re.M)[1].split() == [
        *HATCH_BUILD.PLATFORMS
    ]
    assert len({expected_processor(platform) for platform in HATCH_BUILD.PLATFORMS}) == 6


def test_the_same_zig_is_pinned_everywhere():
    assert HATCH_BUILD.ZIG in (ROOT / "constraints.txt").read_text().splitlines()


def test_every_function_of_the_kernel_gives_a_whole_number():
    """Another type would be read wrongly: Python takes 64 bits from every function."""
    sources = {path.name: path.read_bytes() for path in (ROOT / KERNEL).glob("*.c")}
    marked = re.findall(rb"^API ", b"\n".join(sources.values()), flags=re.M)
    assert len(functions(sources)) == len(marked) > 1


# Real installs


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


@needs_no_zig
@needs_posix
@pytest.mark.parametrize("kind", [[], ["--editable"]])
def test_pip_installs_with_neither(project, tmp_path, kind):
    options = ["--no-build-isolation", "--no-index", *kind]
    python = installed(project, tmp_path, options, compiler=False)
    noted, plain = tried(python), tried(python, SUMMETRY_KERNEL="plain")
    assert noted.stdout == plain.stdout and noted.stdout.startswith("False ")
    assert noted.stderr.count(NOTE) == 1 and not plain.stderr


@pytest.mark.slow
@needs_posix
@pytest.mark.parametrize("kind", [[], ["--editable"]])
def test_pip_fetches_zig_where_there_is_no_compiler(project, tmp_path, kind):
    if not HATCH_BUILD.can_fetch_zig():
        pytest.skip("pip cannot fetch zig here")
    python = installed(project, tmp_path, kind, compiler=False)
    assert is_compiled_with_equal_values(python)


@pytest.mark.slow
@needs_posix
def test_pip_installs_from_an_index_that_has_no_zig(project, tmp_path):
    fetch = [sys.executable, "-m", "pip", "download", "--dest", str(tmp_path / "index")]
    if subprocess.run([*fetch, "hatchling==1.33.0"], capture_output=True).returncode:
        pytest.skip("pip cannot fetch hatchling here")
    index = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": (tmp_path / "index").as_uri()}
    python = installed(project, tmp_path, [], compiler=False, **index)
    assert tried(python).stderr.count(NOTE) == 1
