"""From the extracts of several people to one reference, and how far these people agree."""

from summetry.references.agreement import Agreement, CorpusAgreement, agreement
from summetry.references.comparison import Overlap, best_extract, compare_extracts, compare_words
from summetry.references.fitting import Reference, majority_reference
from summetry.references.making import References, make_references, with_references
from summetry.references.panel import Panel, TopicVotes, topic_votes
from summetry.references.ties import Ties, vote_order
from summetry.references.validation import leave_one_out, stability
from summetry.references.voting import Ballot, count_votes

__all__ = ["Agreement", "Ballot", "CorpusAgreement", "Overlap", "Panel", "Reference", "References"]
__all__ += ["Ties", "TopicVotes", "agreement", "best_extract", "compare_extracts", "compare_words"]
__all__ += ["count_votes", "leave_one_out", "majority_reference", "make_references", "stability"]
__all__ += ["topic_votes", "vote_order", "with_references"]
