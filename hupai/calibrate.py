"""`hupai calibrate`: the order in which the pieces of a set are laid out to be learned."""

from __future__ import annotations

import json

import click

from calibration import laid_out
from scoring.tiles import Family


@click.command()
@click.option(
    "--order", is_flag=True, required=True, expose_value=False, help="Print the order in which a set is laid out."
)
@click.option("--family", type=click.Choice([family.value for family in Family]), required=True)
@click.option("--json", "as_json", is_flag=True, help="One JSON array of codes a row.")
def calibrate(family: str, as_json: bool) -> None:
    """Show how the pieces of a family are laid out for the photo that teaches them."""
    for row in laid_out(Family(family)):
        if as_json:
            click.echo(json.dumps([tile.code for tile in row]))
        else:
            click.echo("  ".join(f"{tile.code} {tile.zh}" for tile in row))
