"""``study:FILE`` on the command line: a study's corpus out of its database, or from a server.

study:summetry.db              the only study of a database
study:summetry.db#NAME         one of several, by its name or its id
study:postgresql://HOST/NAME#ID
study:http://HOST:PORT/studies/ID    from a server, with a token in SUMMETRY_TOKEN
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import unquote, urlsplit

import msgspec
from alembic.script import ScriptDirectory
from sqlalchemy.exc import DatabaseError

from summetry.errors import SummetryError, counted, did_you_mean, warn
from summetry.fetching import FetchError, fetch, is_unencrypted
from summetry.formats import FORMATS
from summetry.records.summaries import Summary
from summetry.web.corpora import Corpora
from summetry.web.database import Database, migrations
from summetry.web.store.editors import is_saved_reference
from summetry.web.store.studies import Study, all_studies
from summetry.web.unpacking import UploadedFile, store

PREFIX = "study:"
TOKEN = "SUMMETRY_TOKEN"
_LARGEST = 500 * 2**20
_SECONDS = 120


def write_study(address: str, folder: Path) -> Path:
    """The study at ``address`` as a native corpus folder inside ``folder``."""
    where, _, which = address.removeprefix(PREFIX).partition("#")
    if where.startswith(("http://", "https://")):
        return _fetched(where, folder)
    if "://" not in where and not Path(where).is_file():
        raise SummetryError(f"{where}: no such file; study:FILE names the database of the web page")
    database = Database(where)
    try:
        _must_be_new(database)
        with database.reading() as connection:
            study = _chosen(all_studies(connection), unquote(which), where)
            corpus = Corpora().whole(connection, study)
    except DatabaseError as error:
        raise SummetryError(f"{database}: not a database of the web page ({error.orig})") from None
    finally:
        database.close()
    _note_saved(corpus.summaries, len(corpus.topics))
    target = folder / "study"
    FORMATS.build("folder").write(corpus, target)
    return target


def _note_saved(summaries: Iterable[Summary], topics: int) -> None:
    """Say that references saved from the votes count beside others, or for some texts only."""
    references = [summary for summary in summaries if summary.role == "reference"]
    saved = [summary for summary in references if is_saved_reference(summary)]
    if saved and not len(saved) == len(references) == topics:
        verb = "has" if len(saved) == 1 else "have"
        names = ", ".join(dict.fromkeys(summary.author for summary in saved))
        warn(
            f"{len(saved)} of {counted(topics, 'text')} {verb} a reference saved from the votes "
            f"({names}), which counts like the other references"
        )


def _must_be_new(database: Database) -> None:
    """Reading changes nothing, so an older schema has to be brought up to date before."""
    head = ScriptDirectory.from_config(migrations()).get_current_head()
    here = database.revision()
    if here is None:
        raise SummetryError(f"{database}: not a database of the web page")
    if here != head:
        raise SummetryError(
            f"{database}: made by another version of Summetry; `summetry serve` brings an older "
            f"one up to date"
        )


def _chosen(studies: list[Study], which: str, where: str) -> Study:
    found = [study for study in studies if not which or which in (study.id, study.name)]
    if len(found) == 1:
        return found[0]
    if not studies:
        raise SummetryError(f"{where}: there is no study in it yet")
    named = ", ".join(f"{study.name} ({study.id})" for study in reversed(studies))
    if which and not found:
        hint = did_you_mean(which, [study.name for study in studies])
        raise SummetryError(f"{where}: there is no study {which!r}.{hint} It has {named}")
    raise SummetryError(
        f"{where}: {len(found)} studies fit; name one, as study:{where}#{found[-1].id}. "
        f"It has {named}"
    )


def _fetched(address: str, folder: Path) -> Path:
    """The corpus of a study of a running server."""
    token = os.environ.get(TOKEN, "")
    if not token:
        raise SummetryError(
            f"{address}: set the environment variable {TOKEN} to a token; the page Tokens makes one"
        )
    parts = urlsplit(address)
    study = parts.path.rstrip("/").rpartition("/")[2]
    url = f"{parts.scheme}://{parts.netloc}/api/v1/studies/{study}/corpus.zip"
    if is_unencrypted(url):
        warn(f"the token is sent to {parts.netloc} unencrypted; https would hide it")
    target = folder / "study"
    target.mkdir()
    try:
        content = fetch(url, _LARGEST, token=token, schemes=("http", "https"), timeout=_SECONDS)
        target = store([UploadedFile("corpus.zip", io.BytesIO(content))], target)
    except FetchError as error:
        why = {401: "the token is not known", 404: "there is no such study"}
        raise SummetryError(f"{address}: {why.get(error.status, error)}") from None
    except SummetryError as error:
        raise SummetryError(f"{address}: {error}") from None
    summaries, topics = target / "summaries.jsonl", target / "topics.jsonl"
    if summaries.is_file():
        records = msgspec.json.Decoder(Summary).decode_lines(summaries.read_bytes())
        _note_saved(records, len(topics.read_bytes().splitlines()))
    return target
