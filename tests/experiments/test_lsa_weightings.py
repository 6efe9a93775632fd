"""Figures 3 to 6 of Steinberger and Jezek on the demo corpus, and on real data where there are."""

import contextlib
import csv
import dataclasses
import io
import math
import statistics

import lsa_weightings
import numpy as np
import pytest
import script_parts
from scipy.stats import pearsonr

import summetry
from summetry.formats.folder import Folder
from summetry.records.topics import Topic
from summetry.text.pipeline import LanguagePipeline

FIGURES = ("figure3", "figure4", "figure5", "figure6")


def table(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def whole_run(tmp_path_factory, small_folder):
    """What the script writes and tells for three topics of the demo corpus.

    Pictures take long: the slow test paints them.
    """
    out = tmp_path_factory.mktemp("figures") / "out"
    arguments = [str(small_folder), "--dimension", "responsiveness", "--out", str(out)]
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(io.StringIO()) as told:
        patch.setattr(script_parts, "write_chart", lambda chart, path: path.touch())
        patch.setattr(script_parts, "write_page", lambda charts, path, title: path.touch())
        assert lsa_weightings.main([*arguments, "--resamples", "20"]) == 0
    return out, told.getvalue().splitlines()


@pytest.fixture(scope="module")
def figures(whole_run):
    return whole_run[0]


def series(rows, **values):
    """The only row with these values."""
    (row,) = [r for r in rows if values.items() <= r.items()]
    return row


def run(corpus, tmp_path, *options):
    folder, out = tmp_path / "corpus", tmp_path / "out"
    Folder().write(corpus, folder)
    code = lsa_weightings.main([str(folder), "--out", str(out), "--resamples", "20", *options])
    return code, out


@pytest.fixture
def unpainted(monkeypatch):
    """Pictures, which the whole run has painted, are left out."""
    for name in ("write_chart", "write_page"):
        monkeypatch.setattr(script_parts, name, lambda *arguments: None)


def test_every_figure_is_a_table_and_a_picture(figures, whole_run):
    for name in FIGURES:
        assert all((figures / f"{name}.{ending}").exists() for ending in ("csv", "svg", "png"))
    # What was found and written is told.
    out, told = whole_run
    assert told[0].startswith("figure3: the top 10 % of the dimensions hold ")
    assert any(line.startswith("figure4: main topic similarity: best ") for line in told)
    assert told[-1].startswith(f"written to {out}: figure3.csv, ")
    assert told[-1].endswith(", index.html, notes.txt")
    assert "words of equal frequency at rank" in (out / "notes.txt").read_text(encoding="utf-8")


def test_figure_3_is_what_numpy_finds_in_the_texts(figures, small):
    captured = []
    for topic in small.topics:
        units = [
            {w for w, _ in LanguagePipeline(stop=True).locate(u, small.language_of(topic))}
            for u in topic.units
        ]
        words = sorted(set.union(*units))
        matrix = np.array([[word in unit for unit in units] for word in words], float)
        squares = np.linalg.svd(matrix, compute_uv=False) ** 2
        kept = max(math.floor(0.1 * len(squares) + 0.5), 1)
        captured.append(100 * squares[:kept].sum() / squares.sum())
    row = series(table(figures / "figure3.csv"), series="measured", length="10")
    assert float(row["significance"]) == pytest.approx(statistics.fmean(captured))
    assert float(row["low"]) == pytest.approx(np.quantile(captured, 0.1))
    assert float(row["high"]) == pytest.approx(np.quantile(captured, 0.9))


def test_figure_3_ends_with_everything_and_names_the_papers_numbers(figures):
    rows = table(figures / "figure3.csv")
    ends = {r["series"]: float(r["significance"]) for r in rows if r["length"] == "100"}
    assert ends == pytest.approx({"measured": 100, "a i^b, fitted": 100, "a / i": 100})
    printed = [r["significance"] for r in rows if r["series"] == "the paper's text"]
    assert printed == ["40", "70"]
    assert len(table(figures / "figure3_fits.csv")) == 3
    # The law with b = -1 is a sum of reciprocals.
    spectra = {"t": [3.0, 2.0, 1.0, 0.5, 0.25] * 2}
    rows = lsa_weightings.significance(spectra)
    three, ten = (sum(1 / i for i in range(1, n + 1)) for n in (3, 10))
    share = series(rows, series="a / i", length=30)["significance"]
    assert share == pytest.approx(100 * three / ten)
    # A text with one dimension has no fit and is left out of its line.
    rows = lsa_weightings.significance({"one": [2.0, 0.0], "two": [2.0, 1.0]})
    topics = {r["series"]: r["topics"] for r in rows if r["length"] == 100}
    assert topics == {"measured": 2, "a i^b, fitted": 1, "a / i": 2}


@pytest.mark.parametrize(("figure", "against"), [("figure4", "references"), ("figure5", "source")])
def test_each_weighting_scheme_has_the_correlation_of_its_metric(figures, small, figure, against):
    rows = table(figures / f"{figure}.csv")
    assert len(rows) == 32
    assert [r["scheme"] for r in rows[:5]] == ["FQ-NW", "FQ-ISF", "FQ-GF", "FQ-EN", "BI-NW"]
    row = series(rows, measure="main topic similarity", scheme="LO-EN")
    spelling = f"lsa_main_topic(against={against},local=LO,scope=EN)"
    assert float(row["pearson"]) == pytest.approx(correlation(small, spelling))


def correlation(corpus, spelling):
    """Pearson's r of the systems' means, from the scores alone."""
    result = summetry.evaluate(corpus, [spelling])
    peers = result.authors()
    means = [np.nanmean([v for r, v in zip(result.rows, result.data[:, 0], strict=True)
                         if r.author == peer]) for peer in peers]  # fmt: skip
    marks = [statistics.fmean(j.value for j in corpus.judgments
                              if (j.author, j.dimension) == (peer, "responsiveness"))
             for peer in peers]  # fmt: skip
    return pearsonr(means, marks).statistic


def test_the_same_measurement_gives_the_same_tables(small, figures, tmp_path):
    options = lsa_weightings.parse(["corpus", "--resamples", "20"])
    tables, _ = lsa_weightings.measure(small, "responsiveness", options)
    for name in FIGURES:
        script_parts.write_table(tables[name], tmp_path / "again.csv")
        assert (tmp_path / "again.csv").read_bytes() == (figures / f"{name}.csv").read_bytes()


@pytest.mark.slow
def test_the_same_run_gives_the_same_tables_and_pictures(small, figures, tmp_path):
    code, out = run(small, tmp_path, "--dimension", "responsiveness")
    assert code == 0
    for path in figures.glob("*.csv"):
        assert (out / path.name).read_bytes() == path.read_bytes()
    page = (out / "index.html").read_text(encoding="utf-8")
    for name in FIGURES:
        assert f"<h2>{script_parts.heading(name)}</h2>" in page
        assert (out / f"{name}.png").read_bytes().startswith(b"\x89PNG")
        assert (out / f"{name}.svg").read_text(encoding="utf-8").startswith("<svg")


def test_without_texts_there_are_only_figures_4_and_6(small, tmp_path, unpainted):
    topics = tuple(Topic(t.id, language=t.language) for t in small.topics)
    told = tuple(s for s in small.summaries if s.text is not None)
    corpus = dataclasses.replace(small, topics=topics, summaries=told, extracts=())
    code, out = run(corpus, tmp_path, "--dimension", "responsiveness")
    assert code == 0
    assert sorted(p.stem for p in out.glob("*.csv")) == ["figure4", "figure6"]
    assert "the corpus has no full texts: there is no figure3" in (out / "notes.txt").read_text()
