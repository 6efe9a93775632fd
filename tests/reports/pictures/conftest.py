"""Pictures of strange names, and of many systems and topics."""

import pytest
from pictured import STRANGE, all_pictures, generated

from summetry.records.scores import Column


@pytest.fixture(scope="session")
def strange_table():
    columns = tuple(Column(name) for name in ("rouge-1", *STRANGE[:6]))
    return generated(STRANGE, [f"{name} {k}" for k, name in enumerate(STRANGE)], columns)


@pytest.fixture(scope="session")
def strange_pictures(strange_table):
    return all_pictures(strange_table)[1]


@pytest.fixture(scope="session")
def many_pictures():
    names = [f"system-{k:02}" for k in range(25)]
    columns = tuple(Column(f"metric-{k}") for k in range(4))
    return all_pictures(generated(names, [f"D{k:03}" for k in range(100)], columns))[1]
