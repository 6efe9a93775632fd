"""Eigenvectors by scipy on one thread, whenever its library is loaded."""

import subprocess
import sys

import numpy as np
import pytest
import scipy.sparse.linalg
from threadpoolctl import threadpool_info, threadpool_limits

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


@pytest.mark.parametrize(
    "compute",
    [
        lambda: decompose_leading(np.diag(np.arange(1.0, 2 * FEW_OF_MANY + 1)), 1),
        lambda: hits(scipy.sparse.csr_array(ring(320))),
    ],
    ids=["svd", "walks"],
)
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
