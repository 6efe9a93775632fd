"""A report, ready to be written: ``report.save("report.html")``."""

from __future__ import annotations

import html
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from markupsafe import Markup

from summetry import __version__
from summetry.errors import counted
from summetry.files import write_whole
from summetry.reports.page import assets, sections
from summetry.reports.page.findings import Findings
from summetry.reports.page.opening import opening, small_print


@dataclass(frozen=True)
class About:
    """What a report says of itself."""

    # The corpus or the file of scores.
    name: str = ""
    title: str = ""
    # The command that made it, or nothing.
    command: str = ""


@dataclass(frozen=True, eq=False, repr=False)
class Report:
    """What was found and said, as one HTML page."""

    findings: Findings
    about: About

    @cached_property
    def verdicts(self) -> list[str]:
        """What the report says first, as plain text."""
        return [sentence.striptags() for sentence in opening(self.findings)]

    def html(self) -> str:
        """The whole page."""
        findings = self.findings
        return assets.rendered(
            "page.html",
            version=__version__,
            policy=assets.policy(),
            style=Markup(assets.style()),
            script=Markup(assets.script()),
            title=self.about.title or f"Report on {self.about.name}",
            about=self.about,
            size=sections.size_in_words(findings),
            verdicts=opening(findings),
            small_print=small_print(findings),
            metric=sections.metric_section(findings, findings.rankings[0]),
            notes=sections.all_notes(findings),
            legends=sections.legends(findings),
        )

    def save(self, path: str | Path) -> list[Path]:
        """Write the page; the files that were written."""
        place = Path(path)
        write_whole(place, self.html())
        return [place]

    def __repr__(self) -> str:
        return "\n".join([self._head(), *self.verdicts, '(.save("report.html") writes the page)'])

    def _repr_html_(self) -> str:
        said = "".join(f"<p>{sentence}</p>" for sentence in opening(self.findings))
        return (
            f"<p>{html.escape(self._head())}</p>{said}"
            "<p><code>.save(&quot;report.html&quot;)</code> writes the page</p>"
        )

    def _head(self) -> str:
        grid = self.findings.grid
        systems, topics = counted(len(grid.systems), "system"), counted(len(grid.topics), "topic")
        return f"Report on {self.about.name}: {topics}, {systems}"
