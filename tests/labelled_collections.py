"""Small corpora with categories, whose words say what a text is about."""

from random import Random

from summetry.records.corpus import Corpus
from summetry.records.summaries import Summary
from summetry.records.topics import Document, Topic

WORDS = {
    "sport": ["goal", "match", "team", "score", "coach", "league"],
    "money": ["bank", "price", "market", "share", "profit", "loan"],
    "weather": ["rain", "storm", "wind", "snow", "cloud", "frost"],
}
COMMON = ["day", "people", "said", "year", "city", "time", "news", "week", "house", "road"]


def sentence(draw, category, telling):
    """Eight words, of which so many say what it is about."""
    words = [draw.choice(WORDS[category]) for _ in range(telling)]
    words += [draw.choice(COMMON) for _ in range(8 - telling)]
    draw.shuffle(words)
    return " ".join(words) + "."


def labelled_corpus(topics=12, seed=1, name="generated"):
    """Topics of three categories in turn. Their first sentence tells all, three are idle talk.

    ``first`` is a system that takes the first sentence, ``idle`` one that takes the last.
    """
    draw = Random(seed)
    made, summaries = [], []
    for number in range(topics):
        category = list(WORDS)[number % len(WORDS)]
        units = tuple(sentence(draw, category, telling) for telling in (5, 0, 0, 0))
        topic = f"{name}{number}"
        title = " ".join(units[0].strip(".").split()[:4])
        document = Document("d", units=units)
        made.append(Topic(topic, category=category, title=title, documents=(document,)))
        summaries.append(Summary(topic, "first", "candidate", units=(0,)))
        summaries.append(Summary(topic, "idle", "candidate", units=(3,)))
    return Corpus(name, "en", topics=tuple(made), summaries=tuple(summaries))
