"""`hupai read`: which tiles are in a photo, and which of them are the hand."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

import scoring
from hupai.photos import Region, note_faults, photo_options, read_photos, set_option, write_annotated
from hupai.refusal import refuse


@click.command()
@click.argument("photos", metavar="PHOTO...", nargs=-1, required=True)
@click.option("--rules", type=click.Choice(scoring.rule_sets()), metavar="ID", help="The rule set; see `hupai rules`.")
@click.option("--family", type=click.Choice([str(family) for family in scoring.Family]), help="Only name the tiles.")
@set_option
@photo_options
@click.option("--jobs", type=click.IntRange(1, 64), default=1, show_default=True, help="Processes that read photos.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a photo, in order.")
def read(
    photos: tuple[str, ...],
    rules: str | None,
    family: str | None,
    set_name: str,
    region: Region | None,
    out: Path | None,
    jobs: int,
    as_json: bool,
) -> None:
    """Find and name the tiles in photos, and with --rules say which of them are the hand.

    Without --rules and --family the family of the tiles is recognised, photo by photo.
    """
    if rules is not None and family is not None:
        refuse("say either --rules ID or --family F, not both")
    if out is not None and len(photos) > 1:
        refuse("--out writes one picture: give one photo with it")
    failed = False
    for photo, reading in read_photos(photos, family=family, rules=rules, region=region, jobs=jobs, set_name=set_name):
        if isinstance(reading, dict):
            failed = True
            if as_json:
                click.echo(json.dumps(reading, ensure_ascii=False))
            click.echo(f"hupai read: {photo}: {reading['error']['message']}", err=True)
            continue
        if not reading.tiles:
            click.echo(
                f"hupai read: {photo}: no tiles found; come closer, hold the camera above them, add light", err=True
            )
        if as_json:
            click.echo(json.dumps(reading.to_json(), ensure_ascii=False))
        else:
            from hupai import show

            show.reading(reading)
            note_faults("read", reading)
        if out is not None:
            write_annotated(reading, region, out)
    if failed:
        sys.exit(2)
