"""How Sphinx makes the site of these pages; `make docs` runs it.

The pages are plain Markdown that a forge shows as well, so they hold no directive of Sphinx. What
the site needs beyond them, the navigation and the targets of links to folders, is added here.
"""

import os
import re
from pathlib import Path

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx

import summetry

DOCS = Path(__file__).parent

project = "Summetry"
author = "The Summetry developers"
version = release = summetry.__version__
extensions = ["myst_parser"]
root_doc = "index"
# The anchors of headings are those of a forge, down to the third level.
myst_heading_anchors = 3

html_theme = "furo"
html_title = f"Summetry {release}"
html_theme_options = {"top_of_page_buttons": []}
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_use_index = False
# Names such as `rouge_n` are words of their own, and '--' is an option, not a dash.
smartquotes = False

# The metrics by family, and below a page about a family its metrics. A page that nothing names is
# shown after those of its folder, so a new page needs no edit here.
METRICS = {
    "By the sentences that were picked": "coselection relative_utility "
    "normalised_relative_utility rank_correlation",
    "By words": "cosine unit_overlap lcs keywords",
    "By n-grams and subsequences": "rouge",
    "By content units that people marked": "pyramid",
    "By latent topics": "lsa_main_topic lsa_term_significance",
    "By distributions of words": "js_divergence kl_divergence",
    "By graphs of n-grams": "ngram_graphs",
    "By sequences and networks of extracts": "networks",
    "By length and information kept": "compression retention",
    "Indicators of text quality": "redundancy repeated_ngrams pronoun_starts non_textual length",
    "Several metrics in one": "combination",
    "Others": "*",
}
FAMILIES = {
    "rouge": "rouge_n rouge_l rouge_w rouge_s rouge_su",
    "pyramid": "scu_recall scu_precision",
    "ngram_graphs": "autosummeng memog npower hpg",
    "networks": "accy nrst_accy ngram_precision sum_accy wsum_accy",
}
# Captions of the navigation with their pages; `*` stands for all pages that are not named.
NAVIGATION = {
    "Start": ["self", "*", "glossary"],
    "Coming from": ["coming-from/*"],
    "Reference": [
        "commands/README",
        "metrics/README",
        "summarizers/README",
        "formats/README",
        "text",
    ],
    "People": ["web", "web-study", "web-server", "web-proxy"],
    "Statistics": ["statistics", "trust", "audit", "references", "ranking", "tasks"],
    "Python": ["python", "integrations"],
    "Developing": [
        "contributing",
        "architecture",
        "add-a-metric",
        "experiments",
        "reproduced",
        "benchmarks",
        "changes",
    ],
}


def metrics(names: str) -> list[str]:
    return [f"metrics/{name}" for name in names.split()]


# Pages with a list of others: captions and pages, as above.
LISTS = {
    "index": NAVIGATION,
    "commands/README": {"": ["commands/*"]},
    "formats/README": {"": ["formats/*"]},
    "metrics/README": {caption: metrics(names) for caption, names in METRICS.items()},
    "summarizers/README": {"": ["summarizers/overview", "summarizers/*"]},
    **{f"metrics/{family}": {"": metrics(names)} for family, names in FAMILIES.items()},
}
NAMED = {page for groups in LISTS.values() for pages in groups.values() for page in pages}

# Files beside this folder that are pages of the site too, so that they are written once.
COPIED = {"contributing": DOCS.parent / "CONTRIBUTING.md", "changes": DOCS.parent / "CHANGELOG.md"}


def copied(path: Path) -> str:
    """The text of a file beside this folder, with its links as they are from inside."""
    pages = {file.name: f"{page}.md" for page, file in COPIED.items()}

    def moved(link: re.Match[str]) -> str:
        return f"]({pages.get(link[1]) or os.path.relpath(path.parent / link[1], DOCS)}"

    return re.sub(r"\]\((?!https?:|#)([^)#]+)", moved, path.read_text(encoding="utf-8"))


def pages_of(pattern: str) -> list[str]:
    """The page of a name, or the pages of a pattern that no list names."""
    if "*" not in pattern:
        return [pattern]
    pages = [path.relative_to(DOCS).with_suffix("") for path in sorted(DOCS.glob(f"{pattern}.md"))]
    return [page.as_posix() for page in pages if page.as_posix() not in {*NAMED, root_doc}]


def list_of_pages(caption: str, pages: list[str], hidden: bool) -> str:
    """The directive of Sphinx that puts pages into the navigation."""
    options = [f":caption: {caption}"] if caption else []
    options += [":hidden:"] if hidden else [":maxdepth: 2", ":titlesonly:", ":includehidden:"]
    entries = ["Summetry <self>" if page == "self" else f"/{page}" for page in pages]
    return "\n".join(["", "```{toctree}", *options, "", *entries, "```", ""])


def complete(app: Sphinx, page: str, source: list[str]) -> None:
    """Give a page the text of the file it copies, and the lists of pages that belong below it."""
    if page in COPIED:
        source[0] = copied(COPIED[page])
    for caption, patterns in LISTS.get(page, {}).items():
        pages = [name for pattern in patterns for name in pages_of(pattern)]
        if pages:
            source[0] += list_of_pages(caption, pages, hidden=not page.endswith("/README"))


def resolve_folders(app: Sphinx, doctree: nodes.document) -> None:
    """A link to a folder of pages leads to the page that lists them; one to code is plain text."""
    for link in list(doctree.findall(pending_xref)):
        if link["refdomain"] == "doc":  # the link of a page to a page is resolved already
            continue
        folder = (DOCS / link["refdoc"]).parent.joinpath(link["reftarget"]).resolve()
        if folder.is_relative_to(DOCS) and (folder / "README.md").exists():
            page = f"{folder.relative_to(DOCS).as_posix()}/README"
            link["refdomain"], link["reftarget"], link["reftargetid"] = "doc", page, None
        elif folder.is_dir():
            link.replace_self(link.children)


def setup(app: Sphinx) -> None:
    app.connect("source-read", complete)
    app.connect("doctree-read", resolve_folders)
