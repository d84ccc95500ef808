"""`hupai print`: sheets of faces to cut out and glue on pieces."""

from __future__ import annotations

from pathlib import Path

import click

import scoring
from calibration import sheets
from calibration.drawing import PAPERS
from hupai.refusal import refuse, write_file


@click.command()
@click.argument("family", type=click.Choice([str(family) for family in scoring.Family]))
@click.option("--pdf", metavar="FILE", type=click.Path(path_type=Path), required=True, help="Write the sheets here.")
@click.option(
    "--rules", type=click.Choice(scoring.rule_sets()), metavar="ID", help="As many copies as these rules use."
)
@click.option("--paper", type=click.Choice(sorted(PAPERS)), default="a4", show_default=True)
@click.option("--size", metavar="MM", type=float, help="Width of a face. [default: 30 discs, 32 blocks, 25 others]")
@click.option(
    "--racks",
    metavar="N",
    type=click.IntRange(0, 8),
    help="Card racks (牌尺) for so many players. [default: 4 for discs]",
)
@click.option(
    "--thickness",
    metavar="MM",
    type=click.FloatRange(0.2, 25.0),
    default=sheets.DEFAULT_THICKNESS,
    show_default=True,
    help="Of a piece, for the racks.",
)
def print(
    family: str, pdf: Path, rules: str | None, paper: str, size: float | None, racks: int | None, thickness: float
) -> None:
    """Lay out the faces of a family's pieces at true size, to print, cut out and glue on discs, blocks or card.

    Without --rules every kind comes once.
    """
    kind = scoring.Family(family)
    chosen = None if rules is None else scoring.rule_set(rules)
    is_round = kind is scoring.Family.XIANGQI
    if racks and not is_round:
        refuse(f"racks are for discs, and {family} pieces stand by themselves: leave --racks out")
    name = next(name for name in PAPERS if name == paper)
    try:
        faces = sheets.lay_out(kind, chosen, name, size)
        players = 4 if racks is None else racks
        strips = None
        if is_round and players:
            places = sheets.DEFAULT_PLACES if chosen is None else 3 * chosen.groups + 2
            strips = sheets.lay_out_racks(players, places, faces.width, thickness, name)
    except sheets.SheetError as error:
        refuse(str(error))
    write_file(pdf, sheets.draw(faces, strips), "--pdf")
    pieces = sum(map(len, faces.pages))
    words = f"{pdf}: {pieces} faces of {faces.width:g} × {faces.height:g} mm on {_pages(len(faces.pages))}"
    if strips:
        words += f", {strips.count} racks for {strips.places} pieces on {strips.pages}"
    click.echo(f"{words}; print at 100 %, not fitted to the page")


def _pages(number: int) -> str:
    return f"{number} page{'s' * (number > 1)}"
