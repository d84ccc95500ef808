"""`hupai sets`: the piece sets that were calibrated."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from calibration import piece_set
from calibration.piece_set import PieceSetError
from hupai.refusal import refuse

T = TypeVar("T")


@click.group(invoke_without_command=True)
@click.pass_context
def sets(ctx: click.Context) -> None:
    """List the calibrated piece sets, or export, import, rename, duplicate, delete and repair them."""
    if ctx.invoked_subcommand is None:
        ctx.invoke(list_)


def _done(act: Callable[..., T], *args: Any) -> T:
    """What an act returns; the program ends where it is refused."""
    try:
        return act(*args)
    except PieceSetError as error:
        refuse(str(error))
    except OSError as error:
        refuse(
            f"{error.filename} cannot be used ({(error.strerror or 'unknown reason').lower()}): choose another place"
        )


@sets.command("list")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a set.")
def list_(as_json: bool = False) -> None:
    """List the sets: their pieces, samples, and what is damaged."""
    for name in piece_set.names():
        told: dict[str, Any] = {"set": name}
        try:
            pieces = piece_set.load(name)
            told |= {
                "family": pieces.family.value,
                "kinds": len(set(pieces.labels)),
                "samples": len(pieces.samples),
                "damaged": list(pieces.damaged),
                "notes": pieces.notes,
            }
        except PieceSetError as error:
            told["error"] = {"code": error.code, "message": str(error)}
        click.echo(json.dumps(told, ensure_ascii=False) if as_json else _line(told))


def _line(told: dict[str, Any]) -> str:
    if "error" in told:
        return f"{told['set']}: {told['error']['message']}"
    damaged = f", {len(told['damaged'])} crops damaged" if told["damaged"] else ""
    return f"{told['set']}: {told['family']}, {told['kinds']} kinds, {told['samples']} samples{damaged}"


@sets.command()
@click.argument("name")
@click.argument("file", type=click.Path(path_type=Path))
def export(name: str, file: Path) -> None:
    """Write a set as one zip file."""
    _done(piece_set.export, name, file)


@sets.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--name", help="Another name than the set has.")
def import_(file: Path, name: str | None) -> None:
    """Take in a set from a zip file that `export` wrote."""
    click.echo(_done(piece_set.import_, file, name).name)


@sets.command()
@click.argument("name")
@click.argument("to")
def rename(name: str, to: str) -> None:
    """Give a set another name."""
    _done(piece_set.rename, name, to)


@sets.command()
@click.argument("name")
@click.argument("to")
def duplicate(name: str, to: str) -> None:
    """Copy a set under another name."""
    _done(piece_set.duplicate, name, to)


@sets.command()
@click.argument("name")
def delete(name: str) -> None:
    """Delete a set; `undo` brings the last one back."""
    _done(piece_set.delete, name)


@sets.command()
def undo() -> None:
    """Bring back the set that was deleted last."""
    click.echo(_done(piece_set.undelete))


@sets.command()
@click.argument("name")
def repair(name: str) -> None:
    """Write a set's description again from its crops."""
    pieces = _done(piece_set.repair, name)
    click.echo(f"{pieces.name}: {len(pieces.samples)} samples")


@sets.command()
@click.argument("name")
@click.argument("file", type=click.Path(path_type=Path))
def sheet(name: str, file: Path) -> None:
    """Write a picture of all samples of a set (.jpg, .png or .webp)."""
    from vision.annotate import save

    pieces = _done(piece_set.load, name)
    try:
        _done(save, file, piece_set.contact_sheet(pieces))
    except ValueError as error:
        refuse(f"{error}: choose such a name")
