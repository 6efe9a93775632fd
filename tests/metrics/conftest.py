"""Both roads of the kernel, and a corpus that is read quickly."""

from dataclasses import replace

import pytest
from kernel_roads import road  # noqa: F401


@pytest.fixture(scope="session")
def small_demo(demo):
    """Two topics of the demo, one in English and one in Swedish."""
    topics = tuple(topic for topic in demo.topics if topic.id in ("t01", "t06"))
    kinds = ("summaries", "extracts", "utilities", "pyramids")
    return replace(
        demo,
        topics=topics,
        **{kind: tuple(r for t in topics for r in demo.of_topic(kind, t.id)) for kind in kinds},
    )
