"""The compiled library: which one runs, when plain Python does, and when zig is asked for."""

import re
import shutil

import pytest
from built_kernels import KERNEL, ROOT, build_script, needs_cc
from command_line import assert_refused, run_command
from wheels import expected_processor, functions

from summetry.arrays import kernel
from summetry.arrays.kernel.built_from import fingerprint, library_name
from summetry.errors import SummetryError, SummetryWarning

HATCH_BUILD = build_script()
NOTE = "Summetry runs in plain Python, with the same values but slower"


@pytest.fixture
def loading(monkeypatch):
    """The kernel is looked for again, in the test and after it."""
    monkeypatch.delenv("SUMMETRY_KERNEL", raising=False)
    kernel.library.cache_clear()
    yield monkeypatch
    kernel.library.cache_clear()


@needs_cc
def test_the_library_that_runs_is_built_from_the_sources_that_are_there(loading):
    assert kernel.is_compiled()
    built_from = kernel.call("built_from")
    assert built_from, "the library was compiled by hand; `make test` compiles it"
    assert built_from == fingerprint(kernel.LIBRARY.parent)


@pytest.mark.parametrize(
    ("content", "reason"), [(None, ": the compiled part is missing"), ("no library", "")]
)
def test_a_library_that_is_missing_or_none_is_noted_once(loading, tmp_path, content, reason):
    loading.setattr(kernel, "LIBRARY", tmp_path / library_name())
    if content:
        kernel.LIBRARY.write_text(content)
    with pytest.warns(SummetryWarning, match=NOTE + reason) as notes:
        assert not kernel.is_compiled()
        assert not kernel.is_compiled()
    assert len(notes) == 1


def test_plain_python_can_be_asked_for(loading):
    loading.setenv("SUMMETRY_KERNEL", "plain")
    assert not kernel.is_compiled()


@pytest.mark.parametrize("named", ["other", __file__])
def test_another_word_than_plain_or_a_file_that_is_no_library_is_an_error(loading, named):
    loading.setenv("SUMMETRY_KERNEL", named)
    match = f"can be 'plain' or the path of a compiled library, got {re.escape(repr(named))}: "
    with pytest.raises(SummetryError, match=match):
        kernel.is_compiled()


def test_a_command_says_in_one_line_that_the_variable_is_wrong(loading, tmp_path):
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("the ferry hit the pier")
    loading.setenv("SUMMETRY_KERNEL", "other")
    done = run_command("score", "--candidate", "a.txt", "--reference", "b.txt", folder=tmp_path)
    assert_refused(done, 2, "SUMMETRY_KERNEL can be 'plain'")


@pytest.mark.parametrize(("variable", "content", "message"), [
    ("CC", "/no/such/cc -O1", "CC names no program that is there: '/no/such/cc -O1'; "),
    ("SUMMETRY_KERNEL", "nonsense", "SUMMETRY_KERNEL can only be 'plain' while Summetry is"),
])  # fmt: skip
def test_a_variable_that_is_wrong_ends_the_build_before_zig_is_fetched(
    monkeypatch, variable, content, message
):
    monkeypatch.delenv("SUMMETRY_KERNEL", raising=False)
    monkeypatch.setenv(variable, content)
    assert HATCH_BUILD.wrong_variable().startswith(message)
    with pytest.raises(SystemExit):
        HATCH_BUILD.Kernel(None, {}, None, None, "", "wheel").dependencies()


@needs_cc
def test_another_library_can_be_named(loading, tmp_path):
    other = shutil.copy(kernel.LIBRARY, tmp_path / "a library")
    loading.setenv("SUMMETRY_KERNEL", str(other))
    assert kernel.is_compiled() and kernel.library()._name == str(other)


@pytest.mark.install
def test_zig_cannot_be_had_without_an_index(monkeypatch):
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    assert not HATCH_BUILD.can_fetch_zig()


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
    monkeypatch.setenv("SUMMETRY_PLATFORM", "amiga")
    with pytest.raises(ValueError, match=r"SUMMETRY_PLATFORM can be .*win_arm64; got 'amiga'"):
        HATCH_BUILD.asked_platform()


def test_make_builds_wheels_for_every_platform_by_the_zig_that_is_pinned():
    makefile = (ROOT / "Makefile").read_text().replace("\\\n", " ")
    platforms = re.search(r"^PLATFORMS := (.*)$", makefile, flags=re.M)[1].split()
    assert platforms == [*HATCH_BUILD.PLATFORMS]
    assert len({expected_processor(platform) for platform in platforms}) == 6
    assert HATCH_BUILD.ZIG in (ROOT / "constraints.txt").read_text().splitlines()


def test_every_function_of_the_kernel_gives_a_whole_number():
    """Another type would be read wrongly: Python takes 64 bits from every function."""
    sources = {path.name: path.read_bytes() for path in (ROOT / KERNEL).glob("*.c")}
    marked = re.findall(rb"^API ", b"\n".join(sources.values()), flags=re.M)
    assert len(functions(sources)) == len(marked) > 1
