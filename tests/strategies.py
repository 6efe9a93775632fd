"""Random comparisons for the contracts that every metric keeps.

Hypothesis draws a seed and plain Python builds from it: a comparison has so many parts that
drawing each of them would take longer than the metrics under test.
"""

from random import Random

from hypothesis import strategies as st

from summetry.records.batches import Comparison, Material, Side
from summetry.records.judgments import Utilities
from summetry.records.pyramids import PeerScu, Pyramid, Scu
from summetry.records.summaries import Extract

UNITS = 6
WORDS = ["the", "ferry", "hit", "a", "pier", "in", "fog", "and", "nobody", "was", "hurt"]
WORDS += ["don't", "ΟΔΟΣ", "北京", "2,400", "Straße", "!"]


def comparison_from(seed):
    """A comparison in which every part is there, many of them small or empty."""
    random = Random(seed)

    def text(least=0):
        return " ".join(random.choices(WORDS, k=random.randint(least, 9)))

    def units():
        return tuple(random.sample(range(UNITS), random.randint(0, UNITS)))

    source = tuple(text(least=1) for _ in range(UNITS))
    extracts = tuple(Extract("t", f"p{i}", units()) for i in range(random.randint(1, 3)))
    utilities = tuple(
        Utilities("t", f"j{i}", tuple(random.choices(range(10), k=UNITS)))
        for i in range(random.randint(1, 2))
    )
    scus = tuple(
        Scu(str(i), text(least=1), random.randint(1, 4)) for i in range(random.randint(1, 4))
    )

    def marked(annotator, by):
        said = tuple(PeerScu(str(random.randint(0, 5))) for _ in range(random.randint(0, 4)))
        return Pyramid("t", by, {"candidate": said}, annotator)

    material = Material(
        topic="t",
        language="en",
        source=" ".join(source),
        units=source,
        extracts=extracts,
        utilities=utilities,
        majority=units(),
        # Of the three the last one made units of their own, if there are several.
        pyramids=tuple(map(marked, "abc", (scus, scus, scus[:1])))[: random.randint(1, 3)],
    )
    references = tuple(Side(f"m{i}", text(), units()) for i in range(random.randint(1, 3)))
    return Comparison(material, Side("candidate", text(), units()), references)


comparisons = st.integers(0, 2**32).map(comparison_from)
