"""What an audit wrote to a file, read back."""

import pytest

import summetry
from summetry.errors import SummetryError
from summetry.formats.audit_tables import read_audit
from summetry.reports.audits import audit_tidy, texts_sheet
from summetry.reports.sheets import sheet_records, write_sheets


@pytest.fixture(scope="module")
def found(demo):
    return summetry.audit(demo, "rouge-2", perturbations=["cut", "lead"], limit=9, draws=100)


@pytest.mark.parametrize("name", ["audit.csv", "audit.json"])
def test_both_kinds_of_files_give_the_same_shares(found, tmp_path, name):
    write_sheets([audit_tidy(found), texts_sheet(found)], tmp_path / name, {}, [])
    names = ("metric", "perturbation", "share", "seen")
    read = [{name: row[name] for name in names} for row in read_audit(tmp_path / name)]
    assert read == [{k: row[k] for k in names} for row in sheet_records(audit_tidy(found))]
    assert [row["seen"] for row in read][1] == ""


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.csv", "metric,share\nx,1\n", r"a\.csv:2: expected the columns .*, found no perturb"),
        ("a.csv", "metric,perturbation,share,seen\nx,cut,much,yes\n", "a number as share, found"),
        ("a.json", '{"audit": {"rows": []}}', r"a\.json: expected an audit, found no rows; summ"),
        ("a.json", "{", "expected an audit, found no rows"),
        ("a.json", "[1]", "expected an audit, found no rows"),
    ],
)
def test_what_is_no_audit_is_refused(tmp_path, name, text, message):
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(SummetryError, match=message):
        read_audit(tmp_path / name)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(SummetryError, match=r"none\.csv: no such file or folder"):
        read_audit(tmp_path / "none.csv")
