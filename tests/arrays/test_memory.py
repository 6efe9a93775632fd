"""Room that is apart: zeros, writable, of any size, and nobody else's."""

import os

import numpy as np
import pytest

from summetry.arrays.memory import room_apart


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
