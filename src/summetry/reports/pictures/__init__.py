"""One way of drawing, for the report, the web page, notebooks and files: SVG made here.

Each function takes a result of ``metaeval`` and gives a :class:`Picture`; ``ranking_table``,
``heat_table`` and ``correlations_table`` give tables of HTML. All colours are in ``static``: a page
that shows a picture has ``style.css`` and ``pictures.css``, and a file has them resolved.
"""

from summetry.reports.pictures.agreement import agreement_picture
from summetry.reports.pictures.by_topic import topics_picture
from summetry.reports.pictures.correlations import correlations_table, correlations_title
from summetry.reports.pictures.css import stylesheet
from summetry.reports.pictures.distribution import distribution_picture
from summetry.reports.pictures.files import standalone, write_pictures
from summetry.reports.pictures.heat_map import HeatMap, heat_map, heat_picture, heat_table
from summetry.reports.pictures.picture import Picture
from summetry.reports.pictures.power import power_picture
from summetry.reports.pictures.scatter import length_picture, scatter_picture
from summetry.reports.pictures.significance import significance_picture
from summetry.reports.pictures.systems import ranking_table, systems_picture

__all__ = [
    "HeatMap",
    "Picture",
    "agreement_picture",
    "correlations_table",
    "correlations_title",
    "distribution_picture",
    "heat_map",
    "heat_picture",
    "heat_table",
    "length_picture",
    "power_picture",
    "ranking_table",
    "scatter_picture",
    "significance_picture",
    "standalone",
    "stylesheet",
    "systems_picture",
    "topics_picture",
    "write_pictures",
]
