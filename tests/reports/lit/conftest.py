"""Explanations of the first topic of the demo corpus, made once."""

import pytest
from lit_cases import DEMO_SPELLINGS, explanations, topic_of


@pytest.fixture(scope="session")
def explained(demo):
    """Spelling, metric, explanation and comparison, for each of the first four summaries."""
    return next(explanations(demo, DEMO_SPELLINGS))


@pytest.fixture(scope="session")
def demo_topic(explained):
    """The data of the topic, with an item for each explanation."""
    return topic_of(explained)
