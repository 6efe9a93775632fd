"""``summetry serve``: the web page on which people make references."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import click

from summetry.cli._options import JsonOption, missing_web
from summetry.cli._output import echo_aside, print_json
from summetry.cli._parameters import argument, flag, option
from summetry.cli._progress import progress_bar
from summetry.errors import SummetryError, counted

if TYPE_CHECKING:
    from summetry.web.server import Started


def serve(
    action: Annotated[
        Literal["backup", "restore"] | None,
        argument("backup|restore", "Copy the database instead of serving it."),
    ] = None,
    file: Annotated[Path | None, argument("FILE", "The backup, for backup and restore.")] = None,
    demo: Annotated[
        bool, flag("--demo", "Open demo studies, with extracts made by informants, to look at.")
    ] = False,
    database: Annotated[
        str | None,
        option("FILE|URL", "A SQLite file (summetry.db), or postgresql://USER:PASSWORD@HOST/NAME."),
    ] = None,
    port: Annotated[int, option("NUMBER", "The port; 0 takes a free one.")] = 8000,
    host: Annotated[
        str, option("ADDRESS", "Address to listen on; 0.0.0.0 for all of this machine.")
    ] = "127.0.0.1",
    url: Annotated[
        str, option("URL", "Where visitors find the page: https://study.example.org.")
    ] = "",
    trusted_proxy: Annotated[
        list[str] | None,
        option(
            "ADDRESS",
            "Address or network of a proxy whose X-Forwarded-For is trusted; may be repeated.",
        ),
    ] = None,
    force: Annotated[bool, flag("--force", "Write over an earlier backup.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Serve a web page on which people make references.

    They make extracts, judge summaries, value sentences, mark content units and more.

    It prints the address, and a link that logs the administrator in once. Informants need no
    account: they join by a link or a code. Everything is kept in one SQLite file, or in PostgreSQL.
    `backup FILE` copies the database while the server runs, `restore FILE` copies it back into a
    new one.

    \b
    Examples:
        summetry serve --demo
        summetry serve --database my-study.db --port 8080
        summetry serve backup monday.db --database my-study.db
    """
    if action is None and sys.stderr.isatty():
        # Loading it all takes a second or two.
        echo_aside("Starting ...")
    try:
        from summetry.web.backups import backup, restore
        from summetry.web.server import Serving, default_database
        from summetry.web.server import serve as run
    except ModuleNotFoundError as error:
        raise missing_web(error) from error
    where = database or default_database(demo)
    if action is None:

        def announce(started: Started) -> None:
            if as_json:
                print_json(started)
            else:
                click.echo("\n".join(_announcement(started)))

        run(Serving(where, host, port, demo, url, tuple(trusted_proxy or ())), announce)
        return
    if file is None:
        raise SummetryError(f"name the file, as `summetry serve {action} monday.db`")
    with progress_bar("rows copied") as show:
        is_backup = action == "backup"
        rows = backup(where, file, force, show) if is_backup else restore(where, file, show)
    wrote = str(file) if is_backup else where
    if as_json:
        print_json({"wrote": wrote, "rows": rows})
    else:
        click.echo(f"{wrote}: {counted(rows, 'row')} copied")


def _announcement(started: Started) -> list[str]:
    """Where the page is. The link of the administrator comes last, where it is seen."""
    lines = [f"Summetry is at {started.address} (database {started.database}); Ctrl-C ends it"]
    lines += [f"Take part in {name!r}: {link}" for name, link in started.studies.items()]
    lines.append(f"Log in as administrator, once: {started.login}")
    return lines + [f"warning: {words}" for words in started.warnings]
