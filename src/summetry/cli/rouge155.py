"""``summetry rouge155``: in the place of the original ROUGE-1.5.5 script."""

from __future__ import annotations

from typing import Any

import click

from summetry.cli._options import JsonOption
from summetry.cli._output import print_json
from summetry.cli._progress import progress_bar
from summetry.compat import rouge155 as original
from summetry.compat.rouge155_options import read_options, wants_help

# The options are those of a Perl script, which are read by other rules than ours.
SETTINGS: dict[str, Any] = {
    "context_settings": {
        "ignore_unknown_options": True,
        "allow_extra_args": True,
        "help_option_names": ["--help"],
    },
    "options_metavar": "[OPTIONS] FILE [SYSTEM]",
}


def rouge155(as_json: JsonOption = False) -> None:
    """Print what the script ROUGE-1.5.5 prints.

    The options of the script come first, then a configuration file (or with -z a list of files),
    then a system unless -a asks for all.

    \b
    Options of the script:
      -a        all systems               -d        each evaluation too
      -n N      ROUGE-1 to ROUGE-N        -x        no ROUGE-L
      -w W      ROUGE-W, weight W         -2 D      ROUGE-S, up to D words between
      -u        ROUGE-SU instead          -U        ROUGE-S and ROUGE-SU
      -m        stem                      -s        without stop words
      -l N      the first N words         -b N      the first N bytes
      -f A|B    pool references, or best  -p ALPHA  weight of precision in F
      -c C      confidence in percent     -r R      number of samples
      -t 0|1|2  scores, counts or totals  -z KIND   files of kind SPL, SEE or ISI
      -e DIR    ignored                   -h        this help

    \b
    Example:
        summetry rouge155 -n 2 -m -2 4 -u -c 95 -r 1000 -f A -a settings.xml
    """
    context = click.get_current_context()
    if wants_help(context.args):
        click.echo(context.get_help())
        return
    options = read_options(context.args)
    with progress_bar("compared") as show:
        results = original.run(options, show)
    if as_json:
        print_json(original.as_json(results, options))
        return
    text = "".join(f"{line}\n" for line in original.lines(results, options))
    # As bytes, so that no platform changes the ends of lines.
    click.echo(text.encode("utf-8", "surrogateescape"), nl=False)
