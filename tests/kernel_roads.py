"""Both roads to a number: the compiled kernel, and the plain Python beside it."""

from contextlib import contextmanager

import pytest

from summetry.arrays import kernel

NOT_COMPILED = "the kernel is not compiled: install a C compiler, then `make clean test`"


@contextmanager
def plainly():
    """As where no library is compiled."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel, "library", lambda: None)
        yield


def on_both_roads(compute):
    """What both roads give, after it was seen that it is the same."""
    if not kernel.is_compiled():
        pytest.skip(NOT_COMPILED)
    compiled = compute()
    with plainly():
        assert compute() == compiled
    return compiled


@pytest.fixture(params=["compiled", "plain"])
def road(request):
    """A test that asks for it runs on both roads."""
    if request.param == "plain":
        with plainly():
            yield request.param
        return
    if not kernel.is_compiled():
        pytest.skip(NOT_COMPILED)
    yield request.param
