"""Photos named on the command line, read one after the other or by several processes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

import scoring
from hupai.refusal import refuse
from vision.reading import FACTORY_SET

if TYPE_CHECKING:
    from vision.name import TaughtPieces
    from vision.network import Network
    from vision.read import Reader
    from vision.reading import Reading

Command = TypeVar("Command", bound=Callable[..., Any])
Region = tuple[int, int, int, int]


def _region(ctx: click.Context, param: click.Parameter, value: str | None) -> Region | None:
    """The four numbers of x,y,w,h."""
    if value is None:
        return None
    try:
        x, y, width, height = (int(number) for number in value.split(","))
    except ValueError:
        raise click.BadParameter(f"{value!r} is not four whole numbers x,y,w,h such as 100,200,1600,900") from None
    return x, y, width, height


def photo_options(command: Command) -> Command:
    """Add the options of reading a photo to a command, which gets them as keyword arguments."""
    for option in (
        click.option(
            "--out", metavar="FILE", type=click.Path(path_type=Path), help="Write the annotated picture here."
        ),
        click.option("--region", metavar="x,y,w,h", callback=_region, help="Look only at this part of the photo."),
    ):
        command = option(command)
    return command


def set_option(command: Command) -> Command:
    """Add the option of the piece set to a command, which gets it as `set_name`."""
    text = "The piece set that the tiles are of; see `hupai sets`. [default: factory]"
    return click.option("--set", "set_name", metavar="NAME", default=FACTORY_SET, help=text)(command)


def read_photos(
    photos: Sequence[str],
    *,
    family: str | None,
    rules: str | None,
    region: Region | None,
    jobs: int = 1,
    set_name: str = FACTORY_SET,
) -> Iterator[tuple[str, Reading | dict[str, Any]]]:
    """Each photo's name with its reading, or with an error object where it cannot be read, in the order given.

    Without a family and rules the family is recognised. `jobs` processes share the work. `set_name` is the piece set
    that the tiles are of. On a terminal several photos show a progress bar.
    """
    found = _read_each(photos, family, rules, region, min(jobs, len(photos)), set_name)
    if len(photos) < 2 or not sys.stderr.isatty():
        return found
    from rich.console import Console
    from rich.progress import track

    bar = track(found, "Reading photos", len(photos), console=Console(stderr=True), transient=True)
    # What is printed on the same screen would tear the bar, and so waits for its end.
    return iter(list(bar)) if sys.stdout.isatty() else iter(bar)


def _read_each(
    photos: Sequence[str], family: str | None, rules: str | None, region: Region | None, jobs: int, set_name: str
) -> Iterator[tuple[str, Reading | dict[str, Any]]]:
    from models import ModelError

    try:
        if jobs == 1:
            from vision.read import Reader

            reader = Reader()
            pieces = taught(set_name, family, rules, reader.namer)
            for photo in photos:
                yield photo, _read_one(reader, photo, family, rules, region, pieces)
        else:
            if set_name != FACTORY_SET:
                taught(set_name, family, rules, _own_reader().namer)
            read = partial(_read_in_worker, family=family, rules=rules, region=region, set_name=set_name)
            # Spawned, not forked: a network's threads do not outlive a fork.
            with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
                yield from zip(photos, pool.map(read, photos), strict=True)
    except ModelError as error:
        refuse(str(error))


def taught(set_name: str, family: str | None, rules: str | None, namer: Network) -> TaughtPieces | None:
    """The piece set of that name, ready to name tiles by; None for what hupai knows by itself.

    Ends the program where there is no such set, or its pieces are not those of the family or the rules.
    """
    if set_name == FACTORY_SET:
        return None
    from calibration import piece_set

    try:
        pieces = piece_set.load(set_name)
        wanted = scoring.Family(family) if family else scoring.rule_set(rules).family if rules else pieces.family
        if pieces.family is not wanted:
            refuse(f"the set {pieces.name!r} is of {pieces.family} pieces, not {wanted}; take another set")
        return piece_set.prototypes(pieces, namer)
    except piece_set.PieceSetError as error:
        refuse(str(error))


def _read_one(
    reader: Reader,
    photo: str,
    family: str | None,
    rules: str | None,
    region: Region | None,
    pieces: TaughtPieces | None,
) -> Reading | dict[str, Any]:
    from vision.frames import PictureError

    try:
        return reader.read(Path(photo), family=family, rules=rules, region=region, name=photo, pieces=pieces)
    except PictureError as error:
        return {"photo": photo, "error": {"code": error.code, "message": str(error)}}


@cache
def _own_reader() -> Reader:
    """The reader of a process that does nothing but read; the processes share the cores."""
    from vision.read import Reader

    return Reader(threads=1)


@cache
def _own_pieces(set_name: str) -> TaughtPieces | None:
    return taught(set_name, None, None, _own_reader().namer)


def _read_in_worker(
    photo: str, *, family: str | None, rules: str | None, region: Region | None, set_name: str
) -> Reading | dict[str, Any]:
    return _read_one(_own_reader(), photo, family, rules, region, _own_pieces(set_name))


def note_faults(verb: str, reading: Reading) -> None:
    """Say on standard error what is wrong with the picture and what cannot be so, a line each."""
    notes = [f"{fault.words}; {fault.hint}" for fault in reading.quality]
    notes += [
        f"{count} × {code} are seen, more than {reading.rules} has; mend the wrong ones, or take the hand's part only"
        for code, count in reading.too_many
    ]
    for note in notes:
        click.echo(f"hupai {verb}: {reading.photo}: {note}", err=True)


def write_annotated(reading: Reading, region: Region | None, out: Path) -> None:
    """Write the photo of a reading with what was read drawn on it; ends the program where that cannot be done."""
    from vision import frames
    from vision.annotate import annotate, save

    picture = annotate(frames.decode(frames.load(Path(reading.photo)), region), reading)
    try:
        save(out, picture)
    except ValueError as error:
        refuse(f"{error}: choose such a name for --out")
    except OSError as error:
        refuse(f"{out} cannot be written ({(error.strerror or 'unknown reason').lower()}): choose another place")
