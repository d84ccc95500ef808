"""`hupai board`: the board that a camera is calibrated with."""

from __future__ import annotations

from pathlib import Path

import click

from calibration.board import SQUARE, print_board
from calibration.drawing import PAPERS
from hupai.refusal import write_file


@click.command()
@click.option("--pdf", metavar="FILE", type=click.Path(path_type=Path), required=True, help="Write the board here.")
@click.option("--paper", type=click.Choice(sorted(PAPERS)), default="a4", show_default=True)
def board(pdf: Path, paper: str) -> None:
    """Draw the board for `hupai camera calibrate`: squares with markers, and grey patches for the colours."""
    write_file(pdf, print_board(next(name for name in PAPERS if name == paper)), "--pdf")
    click.echo(f"{pdf}: print at 100 %, not fitted to the page; a square must measure {SQUARE:g} mm")
