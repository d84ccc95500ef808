"""`hupai calibrate`: teach hupai a piece set from photos, and say how well it is learned."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from calibration.order import laid_out
from hupai.refusal import refuse
from scoring.tiles import Family

if TYPE_CHECKING:
    from calibration.enrol import View
    from calibration.report import Report
    from vision.read import Reader

SKIP = "?"
"""In place of a label: this piece is not kept."""


@click.command()
@click.argument("name", required=False)
@click.option("--family", type=click.Choice([family.value for family in Family]), help="Needed for a new set.")
@click.option("--order", is_flag=True, help="Print the order in which a set is laid out, and do no more.")
@click.option(
    "--in-order", "in_order", metavar="PHOTO", multiple=True, help="A photo of the pieces laid out in that order."
)
@click.option("--add", metavar="PHOTO", multiple=True, help="A photo of pieces that --labels name.")
@click.option("--guess", metavar="PHOTO", multiple=True, help="A photo of any pieces: look-alikes are grouped.")
@click.option(
    "--labels",
    metavar="CODE,CODE,...",
    help="The pieces' codes in reading order, or one for all; `back` for backs, ? to leave one out. With --guess a "
    "code a group.",
)
@click.option("--notes", help="Your own words about the set: the camera, the light.")
@click.option("--out", metavar="FILE", type=click.Path(path_type=Path), help="Write how the pieces were counted here.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as one JSON object.")
@click.argument("more", metavar="[PHOTO]...", nargs=-1)
def calibrate(
    name: str | None,
    family: str | None,
    order: bool,
    in_order: tuple[str, ...],
    add: tuple[str, ...],
    guess: tuple[str, ...],
    labels: str | None,
    notes: str | None,
    out: Path | None,
    as_json: bool,
    more: tuple[str, ...],
) -> None:
    """Teach the piece set NAME from photos; without any, say how well it is learned.

    Several photos may follow --in-order, --add or --guess. Each photo that can be used is kept at once.
    """
    if order:
        _print_order(family, as_json)
        return
    if name is None:
        refuse("name the set, or ask for --order --family F")
    given = [way for way, photos in (("--in-order", in_order), ("--add", add), ("--guess", guess)) if photos]
    if len(given) > 1:
        refuse(f"take one of {' and '.join(given)} at a time")
    photos = [*in_order, *add, *guess, *more]
    if photos and not given:
        refuse("say what the photos show: --in-order, --add with --labels, or --guess")
    if add and not labels:
        refuse("--add needs --labels: the codes of the pieces in reading order")
    from calibration.enrol import EnrolError
    from calibration.piece_set import PieceSetError
    from models import ModelError
    from vision.frames import PictureError
    from vision.read import Reader

    try:
        reader = Reader()
        _open(name, family, bool(photos), notes)
        if photos:
            _enrol(name, photos, given[0], labels, reader, out, as_json)
        if not (guess and not labels):
            _print_report(name, reader, as_json)
    except (ModelError, PieceSetError, EnrolError, PictureError) as error:
        refuse(str(error))


def _print_order(family: str | None, as_json: bool) -> None:
    if family is None:
        refuse("--order needs --family F")
    for row in laid_out(Family(family)):
        if as_json:
            click.echo(json.dumps([tile.code for tile in row]))
        else:
            click.echo("  ".join(f"{tile.code} {tile.zh}" for tile in row))


def _open(name: str, family: str | None, teaching: bool, notes: str | None) -> None:
    """See that the set is there, made anew where photos come for it, and that it is of that family."""
    from calibration import piece_set

    if piece_set.proper_name(name) not in piece_set.names() and teaching:
        if family is None:
            refuse("a new set needs --family F")
        piece_set.create(name, Family(family))
    pieces = piece_set.load(name)
    if family is not None and pieces.family is not Family(family):
        refuse(f"the set {pieces.name!r} is of {pieces.family} pieces; take another name for {family}")
    if notes is not None:
        piece_set.annotate(name, notes)


def _enrol(
    name: str, photos: Sequence[str], way: str, labels: str | None, reader: Reader, out: Path | None, as_json: bool
) -> None:
    from calibration import enrol, piece_set
    from calibration.enrol import EnrolError
    from vision.frames import PictureError, load

    pieces = piece_set.load(name)
    views = []
    for photo in photos:
        try:
            one = enrol.view(load(Path(photo)), pieces.family, reader.locator, reader.namer, photo=Path(photo).name)
        except (PictureError, EnrolError) as error:
            refuse(f"{photo}: {error}")
        if one.spoiled is not None:
            refuse(f"{photo}: {one.spoiled.code}: {one.spoiled.words}; {one.spoiled.hint}")
        views.append(one)
    if way == "--guess":
        _guess(name, views, labels, reader, out, as_json)
        return
    codes = _codes(labels) if labels else enrol.order_of(pieces.family, sum(len(one) for one in views))
    if out is not None:
        _write(out, views[0], [str(n + 1) for n in range(len(views[0]))])
    one_photo = len(views) == 1 and not labels
    named = [enrol.from_row(views[0], pieces.family)[0]] if one_photo else enrol.in_order(views, codes)
    how = "in_order" if way == "--in-order" else "labels"
    for one, own in zip(views, named, strict=True):
        _keep(name, one, own, how)


def _codes(labels: str) -> list[str]:
    return [label for label in labels.replace(",", " ").split() if label]


def _keep(name: str, one: View, labels: Sequence[str], how: str) -> None:
    from calibration import enrol

    kept = enrol.keep(name, one, [None if label == SKIP else label for label in labels], [how] * len(one))
    for place, reason in kept.rejected:
        click.echo(f"hupai calibrate: {one.photo}: piece {place + 1} ({labels[place]}) not kept: {reason}", err=True)
    click.echo(f"hupai calibrate: {one.photo}: {kept.added} of {len(one)} pieces kept", err=True)


def _guess(
    name: str, views: Sequence[View], labels: str | None, reader: Reader, out: Path | None, as_json: bool
) -> None:
    """Group the pieces; keep them where the groups' labels are given, else show the groups."""
    from calibration import enrol, piece_set

    pieces = piece_set.load(name)
    known = piece_set.prototypes(pieces, reader.namer) if any(pieces.labels) else None
    found = [enrol.groups(one, pieces.family, reader.namer, known) for one in views]
    if labels:
        codes = _codes(labels)
        total = sum(len(groups) for groups in found)
        if len(codes) != total:
            refuse(f"{len(codes)} labels for {total} groups; see the groups with --guess alone, and give one for each")
        for one, groups in zip(views, found, strict=True):
            own = [SKIP] * len(one)
            for group in groups:
                code = codes.pop(0)
                for place in group.places:
                    own[place] = code
            _keep(name, one, own, "guessed")
        return
    number = 0
    for at, (one, groups) in enumerate(zip(views, found, strict=True)):
        marks = [""] * len(one)
        for group in groups:
            number += 1
            for place in group.places:
                marks[place] = str(number)
            told: dict[str, Any] = {"photo": one.photo, "group": number, "pieces": [n + 1 for n in group.places]}
            told["guesses"] = [[code, round(share, 3)] for code, share in group.guesses]
            click.echo(json.dumps(told, ensure_ascii=False) if as_json else _group_line(told))
        if out is not None and at == 0:
            _write(out, one, marks)


def _group_line(told: dict[str, Any]) -> str:
    guesses = ", ".join(f"{code} {share:.0%}" for code, share in told["guesses"][:3]) or SKIP
    return f"{told['photo']}: group {told['group']}, {len(told['pieces'])} pieces: {guesses}"


def _write(out: Path, one: View, marks: Sequence[str]) -> None:
    from calibration import enrol
    from vision.annotate import save

    try:
        save(out, enrol.annotated(one, marks))
    except ValueError as error:
        refuse(f"{error}: choose such a name for --out")
    except OSError as error:
        refuse(f"{out} cannot be written ({(error.strerror or 'unknown reason').lower()}): choose another place")


def _print_report(name: str, reader: Reader, as_json: bool) -> None:
    from calibration import piece_set, report

    found: Report = report.report(piece_set.load(name), reader.namer)
    if as_json:
        click.echo(json.dumps(found.to_json(), ensure_ascii=False))
        return
    from hupai import show

    show.calibration(found)
