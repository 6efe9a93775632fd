"""``summetry serve``: the web page on which people make references."""

from __future__ import annotations

from typing import Annotated

import typer

from summetry.cli._options import flag, option
from summetry.errors import MissingPackageError


def serve(
    demo: Annotated[
        bool, flag("--demo", "Open demo studies, with extracts made by informants, to look at.")
    ] = False,
    database: Annotated[
        str | None,
        option("FILE|URL", "A SQLite file (summetry.db), or postgresql://USER:PASSWORD@HOST/NAME."),
    ] = None,
    port: Annotated[int, option("NUMBER", "The port; 0 takes a free one.")] = 8000,
    host: Annotated[
        str, option("ADDRESS", "Whom to answer; other than loopback needs SUMMETRY_SECRET.")
    ] = "127.0.0.1",
) -> None:
    """Serve the web page on which people make extracts, judgments and other references.

    It prints the address, and a link that logs the administrator in once. Informants need no
    account: they join by a link or a code. Everything is kept in one SQLite file, or in PostgreSQL.

    \b
    Examples:
        summetry serve --demo
        summetry serve --database my-study.db --port 8080
    """
    try:
        from summetry.web.server import Serving, default_database
        from summetry.web.server import serve as run
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("summetry"):
            raise
        raise MissingPackageError("the web page", "fastapi", "'summetry[web]'") from error
    run(Serving(database or default_database(demo), host, port, demo), typer.echo)
