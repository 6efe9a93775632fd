"""What the settings of each command refuse before anything is scored."""

import pytest

from summetry.errors import SummetryError
from summetry.metaeval.combination import CombineSettings
from summetry.metaeval.correlation_tables import CorrelateSettings
from summetry.metaeval.discrimination import DiscriminateSettings
from summetry.metaeval.estimates import EstimateSettings
from summetry.metaeval.rankings import CompareSettings

BY_NAME = {
    "combine": CombineSettings, "compare": CompareSettings, "correlate": CorrelateSettings,
    "discriminate": DiscriminateSettings, "estimate": EstimateSettings,
}  # fmt: skip
ALPHA = "alpha must be between 0 and 1, such as 0.05, got"


@pytest.mark.parametrize(("command", "settings", "words"), [
    ("combine", {"level": "global"}, "no level of a combination is named 'global'"),
    ("combine", {"coefficient": "kendall"}, "no coefficient is named 'kendall'"),
    ("combine", {"folds": 1}, "cross-validation needs 2 folds or more, got 1"),
    ("combine", {"draws": 0}, "draws must be 1 or more, got 0"),
    ("compare", {"test": "z"}, "no paired test is named 'z'"),
    ("compare", {"correction": "tukey"}, "no correction is named 'tukey'. Known: bh, bonf"),
    ("compare", {"alpha": 5}, f"{ALPHA} 5"),
    ("compare", {"draws": 0}, "draws must be 1 or more, got 0"),
    ("compare", {"draws": 10_000_001}, "draws must be 10,000,000 or fewer, got 10,000,001"),
    ("compare", {"seed": -1}, "seed must be 0 or more, got -1"),
    ("correlate", {"levels": ()}, "at least one level and one coefficient are needed"),
    ("correlate", {"coefficients": ("kendall",)}, "no coefficient is named 'kendall'"),
    ("correlate", {"over": "inputs"}, "no way of drawing is named 'inputs'"),
    ("correlate", {"levels": ("segment",)},
     "say summary (within each topic, then averaged) or global"),
    ("correlate", {"test": "wiliams"}, "no test of metrics is named 'wiliams'"),
    ("correlate", {"alpha": 0}, f"{ALPHA} 0"),
    ("correlate", {"draws": 0}, "draws must be 1 or more, got 0"),
    ("correlate", {"draws": 10**12}, "draws must be 100,000 or fewer, got 1,000,000,000,000"),
    ("discriminate", {"test": "tukeys"}, "no test is named 'tukeys'. Did you mean 'tukey'?"),
    ("discriminate", {"pairs": "some"}, "no choice of pairs is named 'some'"),
    ("discriminate", {"alpha": 5.0}, f"{ALPHA} 5.0"),
    ("discriminate", {"draws": 0}, "draws must be 1 or more, got 0"),
    ("estimate", {"alpha": 2}, "alpha must be between 0 and 1"),
    ("estimate", {"power": 0.04}, "a power is between alpha"),
])  # fmt: skip
def test_settings_that_make_no_sense_are_refused(command, settings, words):
    with pytest.raises(SummetryError) as refused:
        BY_NAME[command](**settings)
    assert words in str(refused.value)
