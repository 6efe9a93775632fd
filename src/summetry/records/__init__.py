"""What is evaluated: frozen records, and what is built from them."""

from summetry.records.batches import Batch, Comparison, Material, Side
from summetry.records.builder import CorpusBuilder
from summetry.records.corpus import Corpus
from summetry.records.scores import Column, ScoreTable

__all__ = ["Batch", "Column", "Comparison", "Corpus", "CorpusBuilder", "Material", "ScoreTable"]
__all__ += ["Side"]
