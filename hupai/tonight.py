"""`hupai tonight`: the hands that were entered on the page, and what they add up to."""

from __future__ import annotations

import json
from pathlib import Path

import click

from hupai.refusal import refuse, write_file
from webui import store
from webui.store import StoreError


@click.command()
@click.option("--evening", metavar="DATE", help="An earlier evening, such as 2026-11-28. [default: tonight]")
@click.option(
    "--export", "file", metavar="FILE", type=click.Path(path_type=Path), help="Write the evening to a JSON file."
)
@click.option("--json", "as_json", is_flag=True, help="Print the evening as one JSON object.")
def tonight(evening: str | None, file: Path | None, as_json: bool) -> None:
    """Show the hands entered tonight, and what they add up to.

    An evening lasts until six in the morning, and longer while no pause between two hands is longer than two hours.
    """
    try:
        others = [day for day, _ in store.evenings()]
        if evening is not None and evening not in others:
            refuse(f"no hand was entered on the evening of {evening}; there are {', '.join(others) or 'none yet'}")
        told = store.exported(evening or store.evening())
    except StoreError as error:
        refuse(str(error))
    if file is not None:
        write_file(file, (json.dumps(told, ensure_ascii=False, indent=1) + "\n").encode(), "--export")
    if as_json:
        click.echo(json.dumps(told, ensure_ascii=False))
    elif file is None and told["totals"]:
        from hupai import show

        show.tonight(told)
    elif file is None:
        known = f"; earlier evenings: {', '.join(others)}" if others else ""
        click.echo(f"no hand was entered tonight{known}")
