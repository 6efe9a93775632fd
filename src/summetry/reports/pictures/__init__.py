"""One way of drawing, for the report, the web page, notebooks and files: SVG made here.

Each function takes a result of ``metaeval`` and gives a :class:`Picture`; ``ranking_table``,
``heat_table`` and ``correlations_table`` give tables of HTML. All colours are in ``static``: a page
that shows a picture has ``style.css`` and ``pictures.css``, and a file has them resolved.
"""
