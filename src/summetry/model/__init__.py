"""What is evaluated: frozen records, and what is built from them."""

from summetry.model.batches import Batch, Comparison, Material, Side
from summetry.model.builder import CorpusBuilder
from summetry.model.corpus import Corpus
from summetry.model.scores import Column, ScoreTable

__all__ = ["Batch", "Column", "Comparison", "Corpus", "CorpusBuilder", "Material", "ScoreTable"]
__all__ += ["Side"]
