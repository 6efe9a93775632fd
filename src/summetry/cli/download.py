"""``summetry download``: data that others publish and Summetry can use."""

from __future__ import annotations

from typing import Annotated

from summetry.cli._options import JsonOption
from summetry.cli._output import echo, print_json
from summetry.cli._parameters import argument, flag, option
from summetry.cli._progress import progress_bar
from summetry.lexicons.download import download as download_file


def download(
    name: Annotated[str, argument("NAME", "What to fetch: roget1911.")],
    url: Annotated[str, option("URL", "Fetch it from somewhere else.")] = "",
    sha256: Annotated[str, option("DIGEST", "The checksum that the file must have.")] = "",
    force: Annotated[bool, flag("--force", "Fetch it again where it is already.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Fetch data that others publish, into the user's cache.

    roget1911 is Roget's Thesaurus of 1911, from Project Gutenberg, for the ranker semdist. The
    file must have the checksum that Summetry knows, or the one that --sha256 gives.

    \b
    Example:
        summetry download roget1911
    """
    with progress_bar("bytes fetched") as show:
        path, is_new, words = download_file(name, url, sha256, force, show)
    if as_json:
        print_json({"path": path, "words": words})
        return
    what = "written" if is_new else "is there already"
    echo(f"{path}: {what}, {words:,} words and phrases")
