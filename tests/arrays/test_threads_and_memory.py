"""Eigenvectors by scipy on one thread, and room in memory that no other process shares."""

import os
import subprocess
import sys

import numpy as np
import pytest
import scipy.sparse.linalg
from threadpoolctl import threadpool_info, threadpool_limits

from summetry.arrays.memory import room_apart
from summetry.arrays.svd import FEW_OF_MANY, decompose_leading
from summetry.arrays.threads import scipy_on_one_thread
from summetry.arrays.walks import hits


def threads():
    return {pool["num_threads"] for pool in threadpool_info()}


def ring(size):
    """Every node is linked with the next one."""
    links = np.roll(np.eye(size), 1, axis=1)
    return links + links.T


def test_all_libraries_have_one_thread():
    with threadpool_limits(limits=2), scipy_on_one_thread():
        assert threads() == {1}


@pytest.mark.parametrize("compute", [
    lambda: decompose_leading(np.diag(np.arange(1.0, 2 * FEW_OF_MANY + 1)), 1),
    lambda: hits(scipy.sparse.csr_array(ring(320))),
], ids=["svd", "walks"])  # fmt: skip
def test_eigenvectors_are_found_on_one_thread(compute, monkeypatch):
    seen = []
    eigsh = scipy.sparse.linalg.eigsh

    def watched(*arguments, **options):
        seen.append(threads())
        return eigsh(*arguments, **options)

    monkeypatch.setattr(scipy.sparse.linalg, "eigsh", watched)
    with threadpool_limits(limits=2):
        compute()
    assert seen and all(counts == {1} for counts in seen)


def test_a_library_that_is_loaded_later_is_limited_too():
    code = """
import sys
from threadpoolctl import threadpool_info, threadpool_limits
from summetry.arrays.threads import one_thread
with one_thread():
    pass
assert "scipy.linalg" not in sys.modules
import scipy.linalg
with threadpool_limits(limits=2), one_thread():
    print({pool["num_threads"] for pool in threadpool_info()})
"""
    done = subprocess.run([sys.executable, "-c", code], text=True, capture_output=True, timeout=300)
    assert (done.stdout, done.stderr) == ("{1}\n", "")


@pytest.mark.parametrize("count", [0, 1, 5, 4096, 100_001])
@pytest.mark.parametrize("kind", [np.int64, np.uint64, np.uint8])
def test_room_is_zeros_that_can_be_written(count, kind):
    room = room_apart(count, kind)
    assert room.dtype == kind and room.shape == (count,)
    assert not room.any()
    room[:] = 7
    assert room.tolist() == [7] * count
    # Others have rooms of their own.
    assert not room_apart(count, kind).any()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_process_writes_to_its_own():
    room = room_apart(10, np.int64)
    child = os.fork()
    if not child:
        room[:] = 1
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert status == 0
    assert not room.any()
