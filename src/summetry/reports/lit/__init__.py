"""What of the texts is lit up for a metric: as compact data, as HTML, and where systems differ.

>>> from summetry.metrics import METRICS
>>> from summetry.records.batches import compare_texts
>>> comparison = compare_texts("The old pier.", ["A pier."], None, "en")
>>> from summetry.reports.lit.html import lit_html
>>> from summetry.reports.lit.payload import LitTopic
>>> topic = LitTopic()
>>> item = topic.add("rouge-1", METRICS.build("rouge-1").explain(comparison), comparison)
>>> "The old <mark class=\\"match\\">pier</mark>." in lit_html(topic.data(), [item])
True
"""
