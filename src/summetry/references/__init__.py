"""From the extracts of several people to one reference, and how far these people agree."""

from summetry.references.agreement import Agreement, CorpusAgreement, agreement
from summetry.references.comparison import Overlap, best_extract, compare_extracts, compare_words
from summetry.references.majority import (
    References,
    TopicVotes,
    Voters,
    make_references,
    topic_votes,
    with_references,
)
from summetry.references.validation import leave_one_out, stability
from summetry.references.voting import (
    Ballot,
    Reference,
    Ties,
    count_votes,
    majority_reference,
    vote_order,
)

__all__ = ["Agreement", "Ballot", "CorpusAgreement", "Overlap", "Reference", "References"]
__all__ += ["Ties", "TopicVotes", "Voters", "agreement", "best_extract", "compare_extracts"]
__all__ += ["compare_words", "count_votes", "leave_one_out", "majority_reference"]
__all__ += ["make_references", "stability", "topic_votes", "vote_order", "with_references"]
